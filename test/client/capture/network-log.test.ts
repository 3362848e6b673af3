import { describe, expect, it } from 'vitest'
import type { DevTools } from '../../../src/client/capture/browser/devtools.js'
import { createNetworkLog } from '../../../src/client/capture/browser/network-log.js'
import type { Captured } from '../../../src/client/capture/captured.js'

/** A browser that answers commands with these results, by their names. */
const browser = (results: Readonly<Record<string, object>> = {}): DevTools => ({
  send: async method => {
    const result = results[method]
    if (result === undefined) throw new Error('No resource with given identifier found')
    return result as Record<string, unknown>
  },
})

const sent = (requestId: string, url: string, more: object = {}, request: object = {}) => ({
  method: 'Network.requestWillBeSent',
  params: {
    requestId,
    wallTime: 1_700_000_000,
    timestamp: 10,
    type: 'Document',
    request: { url, method: 'GET', headers: { A: '1' }, ...request },
    ...more,
  },
})
const event = (name: string, requestId: string, more: object = {}) => ({
  method: `Network.${name}`,
  params: { requestId, timestamp: 10.5, ...more },
})
const got = (requestId: string, status: number, mimeType = 'text/html') =>
  event('responseReceived', requestId, { response: { status, mimeType, headers: { B: '2' } } })

async function log(events: readonly { method: string; params: object }[], tools = browser()) {
  const all: Captured[] = []
  const network = createNetworkLog(
    () => tools,
    each => all.push(each),
  )
  for (const each of events) network.take(each as Parameters<typeof network.take>[0])
  await network.end()
  return all
}

describe('the log of a browser', () => {
  it('makes an exchange of each redirect, with the headers of the network and the fragment', async () => {
    const redirectResponse = { status: 302, headers: { Location: 'https://app.example/cb#a=1' } }
    const all = await log([
      sent('1', 'https://id.example/authorize'),
      event('requestWillBeSentExtraInfo', '1', { headers: { ':path': '/', Cookie: 'sid=1' } }),
      event('responseReceivedExtraInfo', '1', {
        headers: { Location: 'https://app.example/cb#a=1', 'Set-Cookie': 'a=1\nb=2' },
      }),
      sent('1', 'https://app.example/cb', { redirectResponse, timestamp: 11 }, { urlFragment: '#a=1' }),
      event('requestWillBeSentExtraInfo', '1', { headers: { Cookie: 'app=1' } }),
      got('1', 200),
      event('loadingFinished', '1', { timestamp: 12 }),
    ])
    expect(all).toMatchObject([
      {
        side: 'browser',
        at: 1_700_000_000_000,
        ms: 1000,
        headers: [['Cookie', 'sid=1']],
        answer: {
          status: 302,
          headers: [
            ['Location', 'https://app.example/cb#a=1'],
            ['Set-Cookie', 'a=1'],
            ['Set-Cookie', 'b=2'],
          ],
        },
      },
      {
        url: 'https://app.example/cb#a=1',
        headers: [['Cookie', 'app=1']],
        answer: { status: 200 },
        ms: 1000,
      },
    ])
  })

  it('reads the bodies of answers that may hold tokens, and not those of pages', async () => {
    const tools = browser({
      'Network.getResponseBody': { body: Buffer.from('{"a":"ü"}').toString('base64'), base64Encoded: true },
    })
    const events = [got('1', 200, 'application/json'), event('loadingFinished', '1')]
    const page = [sent('2', 'https://id.example/'), got('2', 200), event('loadingFinished', '2')]
    const [token, html] = await log(
      [sent('1', 'https://id.example/token', { type: 'Fetch' }), ...events, ...page].sort(
        (a, b) => Number(a.params.requestId) - Number(b.params.requestId),
      ),
      tools,
    ).then(all => all.sort((a, b) => a.url.length - b.url.length).reverse())
    expect(token).toMatchObject({ resourceType: 'fetch', answer: { body: { size: 10, text: '{"a":"ü"}' } } })
    expect(html?.answer?.body).toEqual({ size: 0 })
  })

  it('takes what was posted from the event, else asks for it, else goes on without', async () => {
    const posted = { method: 'POST', hasPostData: true }
    const long = browser({ 'Network.getRequestPostData': { postData: 'b=2' } })
    const end = [got('1', 200), event('loadingFinished', '1')]
    const [own] = await log(
      [sent('1', 'https://a.example/', {}, { ...posted, postData: 'a=1' }), ...end],
      long,
    )
    expect(own?.body).toEqual({ size: 3, text: 'a=1' })
    const missing = [sent('1', 'https://a.example/', {}, posted), ...end]
    expect((await log(missing))[0]?.body).toEqual({ size: 0 })
  })

  it('names the reason of a request that failed; a page that was left has its answer', async () => {
    const errorText = 'net::ERR_CONNECTION_REFUSED'
    const [refused] = await log([sent('1', 'http://a.example/'), event('loadingFailed', '1', { errorText })])
    expect(refused).toMatchObject({ failure: errorText })
    expect(refused?.answer).toBeUndefined()
    const aborted = event('loadingFailed', '1', { errorText: 'net::ERR_ABORTED', canceled: true })
    const [left] = await log([sent('1', 'http://a.example/'), got('1', 200), aborted])
    expect(left?.failure).toBeUndefined()
    expect(left?.answer?.status).toBe(200)
  })

  it('hands over at the end what is still open', async () => {
    expect((await log([sent('1', 'http://a.example/')])).map(({ url }) => url)).toEqual(['http://a.example/'])
  })

  it('stays bounded with events of requests that never begin or end, and hears later ones', async () => {
    const lost = Array.from({ length: 6000 }, (_, i) => event('responseReceivedExtraInfo', `x${i}`))
    const all = await log([...lost, sent('1', 'http://a.example/'), got('1', 200)])
    expect(all.length).toBe(1)
  })
})
