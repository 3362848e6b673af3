import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { FlowRecord, Step } from '../../../../src/flows/step.js'
import { har, harText } from '../../../../src/show/render/exports/har.js'
import { exchange, RUN, STEPS } from '../../tui/steps.js'
import { exportOptions, hostileRun, hostileText } from '../hostile.js'

const isoTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/

type Members = Record<string, unknown>

/** What HAR 1.2 says of an archive: members that have to be there, their types, and what none may be. */
function expectHar(text: string): Members[] {
  const { log, ...rest } = JSON.parse(text) as { log: Members }
  expect(rest).toEqual({})
  expect(log).toMatchObject({
    version: '1.2',
    creator: { name: expect.any(String), version: expect.any(String) },
    entries: expect.any(Array),
  })
  const entries = log.entries as Members[]
  for (const entry of entries) {
    expect(entry).toMatchObject({
      startedDateTime: expect.stringMatching(isoTime),
      time: expect.any(Number),
      request: {
        method: expect.any(String),
        url: expect.any(String),
        httpVersion: expect.any(String),
        cookies: expect.any(Array),
        headers: expect.any(Array),
        queryString: expect.any(Array),
        headersSize: -1,
        bodySize: expect.any(Number),
      },
      response: {
        status: expect.any(Number),
        statusText: expect.any(String),
        httpVersion: expect.any(String),
        cookies: expect.any(Array),
        headers: expect.any(Array),
        content: { size: expect.any(Number), mimeType: expect.any(String) },
        redirectURL: expect.any(String),
        headersSize: -1,
        bodySize: expect.any(Number),
      },
      cache: {},
      timings: { send: expect.any(Number), wait: expect.any(Number), receive: expect.any(Number) },
    })
    const { timings, time, request, response } = entry as { [name: string]: Members } & { time: number }
    const spent = Object.values(timings as Record<string, number>).filter(each => each !== -1)
    expect(spent.every(each => each >= 0)).toBe(true)
    expect(spent.reduce((sum, each) => sum + each, 0)).toBe(time)
    for (const message of [request!, response!]) {
      for (const pair of [...(message.headers as Members[]), ...(message.cookies as Members[])]) {
        expect([typeof pair.name, typeof pair.value]).toEqual(['string', 'string'])
      }
      for (const { expires = '2026-01-01T00:00:00Z' } of message.cookies as Members[]) {
        expect(expires).toMatch(isoTime)
      }
    }
  }
  return entries
}

const one = (each: FlowRecord) => expectHar(harText([each], { ...exportOptions, showSecrets: true }))[0]!
const step = (sent: ReturnType<typeof exchange>): FlowRecord => ({ ...STEPS[4]!, exchange: sent })

describe('har', () => {
  it('holds every exchange of a run, in order, and no step without one', () => {
    const entries = expectHar(harText(RUN, exportOptions))
    expect(entries.map(({ request }) => (request as Members).method)).toEqual(['GET', 'POST', 'POST', 'GET'])
    expect(har(RUN, exportOptions).log.comment).toBe('authorization code, client demo: granted')
  })

  it('masks secrets unless they are to be shown', () => {
    const hidden = /wonderland|demo-secret|ZGVtbzpkZW1v|eyJ[\w-]{40}|s3cretvalue|k3V9wTz/
    expect(harText(RUN, exportOptions)).not.toMatch(hidden)
    expect(harText(RUN, { ...exportOptions, showSecrets: true })).toMatch(/wonderland/)
  })

  it('keeps sizes on the wire apart from sizes after decoding', () => {
    const coded = {
      ...exchange('GET', 'https://as.example/', {
        status: 200,
        headers: [
          ['content-encoding', 'gzip'],
          ['content-type', 'text/plain; charset=utf-8'],
        ],
        body: 'ä'.repeat(100),
      }),
      wireBytes: { request: 0, response: 31 },
      bodyBytes: 200,
    }
    expect(one(step(coded))).toMatchObject({
      request: { bodySize: 0 },
      response: {
        bodySize: 31,
        content: {
          size: 200,
          compression: 169,
          mimeType: 'text/plain; charset=utf-8',
          text: 'ä'.repeat(100),
        },
      },
    })
  })

  it('takes forms, queries, cookies and redirects apart', () => {
    const sent = exchange(
      'POST',
      'https://as.example/a?x=1%202&y&x=%C3%A4',
      {
        status: 302,
        headers: [
          ['Location', 'https://client.example/cb?code=1'],
          [
            'Set-Cookie',
            'sid=a=b; Path=/; Domain=as.example; Secure; HttpOnly; Expires=Wed, 21 Oct 2026 07:28:00 GMT',
          ],
          ['set-cookie', 'other=1; Expires=never'],
        ],
      },
      {
        headers: [
          ['content-type', 'application/x-www-form-urlencoded'],
          ['cookie', 'a=1; b=2=3'],
        ],
        body: 'u=a+b&p=%26',
      },
    )
    const entry = one(step(sent))
    expect(entry.request).toMatchObject({
      queryString: [
        { name: 'x', value: '1 2' },
        { name: 'y', value: '' },
        { name: 'x', value: 'ä' },
      ],
      cookies: [
        { name: 'a', value: '1' },
        { name: 'b', value: '2=3' },
      ],
      postData: { mimeType: 'application/x-www-form-urlencoded', text: 'u=a+b&p=%26' },
    })
    expect((entry.request as Members).postData).not.toHaveProperty('params')
    expect(entry.response).toMatchObject({
      status: 302,
      statusText: 'Found',
      redirectURL: 'https://client.example/cb?code=1',
      cookies: [
        {
          name: 'sid',
          value: 'a=b',
          path: '/',
          domain: 'as.example',
          secure: true,
          httpOnly: true,
          expires: '2026-10-21T07:28:00.000Z',
        },
        { name: 'other', value: '1', secure: false, httpOnly: false },
      ],
    })
  })

  it('masks so that addresses and headers stay legal', () => {
    const code = 'k3V9wTzR4bLqYc0eXnA7uHsJfQm1'
    const location: readonly [string, string] = ['location', `https://client.example/cb?code=${code}`]
    const sent = exchange(
      'GET',
      `https://as.example/a?code=${code}&client_secret=x`,
      { status: 302, headers: [location] },
      { headers: [['cookie', 'sid=1234567890']], body: '' },
    )
    const step: FlowRecord = { ...(STEPS[0] as Step), exchange: sent }
    const { log } = har([step], { ...exportOptions, showSecrets: false })
    const { request, response } = log.entries[0]!
    const texts = [request.url, response.redirectURL, ...request.headers.map(({ value }) => value)]
    for (const text of texts) expect(text).toMatch(/^[\x21-\x7e]+$/)
    expect(request.url).not.toContain(code)
  })

  it('says that no answer came', () => {
    const { response: _none, ...sent } = exchange('GET', 'https://as.example/', { status: 200 })
    expect(one(step(sent))).toMatchObject({ response: { status: 0, statusText: '', bodySize: -1 } })
  })

  it('is a valid archive with safe text, for any exchanges', () => {
    fc.assert(
      fc.property(hostileText, fc.boolean(), (text, showSecrets) => {
        const written = harText(hostileRun(text), { ...exportOptions, showSecrets })
        expectHar(written)
        expect(written).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]/)
      }),
      { numRuns: 40 },
    )
  })
})
