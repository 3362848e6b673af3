import { describe, expect, it } from 'vitest'
import { explainSource } from '../../../src/judge/explain/read/explain-source.js'
import { type HarEntry, har, loginEntries, loginMessages, loginParts, stream } from './recording.js'

type Change = (entry: HarEntry) => void

const each = (entries: HarEntry[], change: Change): HarEntry[] => {
  for (const entry of entries) change(entry)
  return entries
}

const pairs = (text: string) => [...new URLSearchParams(text)].map(([name, value]) => ({ name, value }))

/** Names and values as they were sent, as Chrome lists them. */
const sentPairs = (text: string) =>
  text.split('&').map(part => {
    const [name = '', value = ''] = part.split('=')
    return { name, value }
  })

const base64: Change = ({ response: { content } }) => {
  if (content.text === undefined) return
  content.text = Buffer.from(content.text).toString('base64')
  content.encoding = 'base64'
}

/** What programs write differently, by program. */
const dialects: Readonly<Record<string, (entries: HarEntry[]) => string>> = {
  Chrome: entries =>
    har(
      each(entries, entry => {
        entry._initiator = { type: 'other' }
        entry._priority = 'VeryHigh'
        entry._resourceType = 'document'
        entry.connection = '443'
        entry.pageref = 'page_1'
        entry.request.httpVersion = 'h2'
        entry.request.headers.unshift(
          { name: ':authority', value: 'id.example' },
          { name: ':method', value: 'GET' },
        )
        if (entry.request.postData)
          entry.request.postData.params = sentPairs(entry.request.postData.text ?? '')
      }),
      { pages: [{ startedDateTime: '2026-03-01T10:00:00.000Z', id: 'page_1', title: 'x', pageTimings: {} }] },
    ),
  'Chrome without texts of forms': entries =>
    har(
      each(entries, ({ request: { postData } }) => {
        if (postData === undefined) return
        postData.params = sentPairs(postData.text ?? '')
        delete postData.text
      }),
    ),
  Firefox: entries =>
    har(
      each(entries, entry => {
        entry.startedDateTime = entry.startedDateTime.replace('T10:', 'T12:').replace('Z', '+02:00')
        entry._securityState = 'secure'
        entry.cache = {}
        entry.request.headersSize = 500
        if (entry.request.postData) entry.request.postData.params = pairs(entry.request.postData.text ?? '')
        entry.response.redirectURL =
          entry.response.headers.find(({ name }) => name === 'location')?.value ?? ''
      }),
      { creator: { name: 'Firefox', version: '140.0' }, browser: { name: 'Firefox', version: '140.0' } },
    ),
  'Firefox, without the status of an answer that a page did not stay for': entries =>
    har(
      each(entries, ({ request, response }) => {
        if (request.url.includes('/.well-known/')) response.status = 0
      }),
    ),
  Safari: entries =>
    har(
      each(entries, entry => {
        base64(entry)
        const { headers } = entry.request
        entry.request.cookies = headers
          .filter(({ name }) => name === 'cookie')
          .map(() => ({ name: 'session', value: 'abc' }))
        entry.request.headers = headers.filter(({ name }) => name !== 'cookie')
        entry._fetchType = 'Network Load'
        entry._priority = 'high'
      }),
      { creator: { name: 'WebKit Web Inspector', version: '1.0' } },
    ),
  mitmproxy: entries =>
    `${har(
      each(entries, entry => {
        entry.startedDateTime = entry.startedDateTime.replace('.000Z', '.000123+00:00')
        entry.comment = ''
        if (entry.request.postData) entry.request.postData.params = pairs(entry.request.postData.text ?? '')
      }),
      { creator: { name: 'mitmproxy', version: '12.1.1', comment: '' } },
    )}\n`,
  Charles: entries =>
    har(
      each(entries, entry => {
        base64(entry)
        entry.comment = null
        entry.timings = null
        entry._charlesStatus = 'COMPLETE'
        const { request } = entry
        if (request.postData === undefined) return
        request.postData.params = pairs(request.postData.text ?? '')
        delete request.postData.text
      }),
      { creator: { name: 'Charles Proxy', version: '5.0.1' }, pages: undefined },
    ),
  Proxyman: entries =>
    har(
      each(entries, entry => {
        entry._isHTTPS = true
        entry._webSocketMessages = null
        entry.request.postData ??= { mimeType: '', text: '' }
        Object.assign(entry.response, { redirectURL: null, comment: null })
      }),
      { creator: { name: 'Proxyman', version: '5.20.0' }, browser: null },
    ),
  'a byte order mark': entries => `\ufeff${har(entries)}`,
  'spaces between everything': entries => JSON.stringify(JSON.parse(har(entries)), undefined, 2),
  'entries in the order in which they ended': entries => har([...entries].reverse()),
}

async function explained(text: string, size?: number) {
  const explanation = await explainSource(stream(text, size), 'test.har')
  return {
    flows: explanation.flows.map(({ conversation: { kind, outcome, messages } }) => [
      kind,
      outcome,
      messages.length,
    ]),
    findings: explanation.flows.flatMap(({ findings }) => findings.map(({ name }) => name)),
    broken: explanation.verdict.broken?.name,
  }
}

function broken(): HarEntry[] {
  const parts = loginParts()
  const messages = loginMessages(parts)
  messages.token.redirect_uri = 'https://app.example/cb?x=1&y=a b'
  return loginEntries(parts, messages)
}

describe.each(Object.entries(dialects))('a recording by %s', (_name, write) => {
  it('shows a right login', async () => {
    expect(await explained(write(loginEntries()))).toEqual({
      flows: [['code', 'granted', 7]],
      findings: [],
      broken: undefined,
    })
  })

  it('shows a mistake in a form', async () => {
    expect((await explained(write(broken()))).broken).toBe('redirect-uri-differs')
  })
})

it('UTF-16, as PowerShell writes it, is read', async () => {
  const bytes = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(har(loginEntries()), 'utf16le')])
  const { flows } = await explainSource(stream(bytes, 1001), 'test.har')
  expect(flows).toHaveLength(1)
})

it('a form that posts the answer is a callback', async () => {
  const entries = loginEntries()
  const callback = entries.find(({ request }) => request.url.startsWith('https://app.example/cb'))!
  const login = entries.find(({ request }) => request.url.endsWith('/login'))!
  const [url, query] = callback.request.url.split('?')
  callback.request = {
    ...callback.request,
    method: 'POST',
    url: url!,
    postData: { mimeType: 'application/x-www-form-urlencoded', text: query! },
  }
  login.response = { ...login.response, status: 200, headers: [] }
  expect(await explained(har(entries))).toMatchObject({ flows: [['code', 'granted', 6]], findings: [] })
})

it('an answer in the fragment of a Location is found where the browser hides it from the next address', async () => {
  const entries = loginEntries()
  const login = entries.find(({ request }) => request.url.endsWith('/login'))!
  login.response.headers = [
    { name: 'location', value: 'https://app.example/cb#state=other&access_token=abc&token_type=Bearer' },
  ]
  const only = entries.slice(0, 5)
  only[2]!.request.url = only[2]!.request.url.replace('response_type=code', 'response_type=token')
  const { findings } = await explained(har(only))
  expect(findings).toContain('state-differs')
})
