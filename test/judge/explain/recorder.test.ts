import { describe, expect, it } from 'vitest'
import type { Captured } from '../../../src/client/capture/captured.js'
import { archiveLines } from '../../../src/client/capture/har.js'
import { createRecorder, explainCaptured } from '../../../src/judge/explain/recorder.js'

const asked =
  'https://id.example/authorize?response_type=code&client_id=web&redirect_uri=https%3A%2F%2Fapp.example%2Fcb&state=s1&code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM&code_challenge_method=S256'

const captured = (
  side: Captured['side'],
  at: number,
  url: string,
  more: Partial<Captured> = {},
): Captured => ({
  side,
  at,
  ms: 1,
  method: 'GET',
  url,
  headers: [],
  body: { size: 0 },
  answer: { status: 200, headers: [], body: { size: 0 } },
  ...more,
})

const redirect = (to: string) => ({ status: 302, headers: [['location', to] as const], body: { size: 0 } })

const token = (text: string, at: number): Captured =>
  captured('client', at, 'https://id.example/token', {
    method: 'POST',
    headers: [['content-type', 'application/x-www-form-urlencoded']],
    body: { size: text.length, text },
  })

function recorded(all: readonly Captured[]) {
  const seen: string[] = []
  const recorder = createRecorder(({ kind }) => seen.push(kind))
  for (const each of all) recorder.add(each)
  return { seen, kept: recorder.end(), left: recorder.left() }
}

describe('a recorder', () => {
  it('keeps exchanges of OAuth alone', () => {
    const { seen, kept } = recorded([
      captured('client', 1, 'https://shop.example/items?code=10'),
      token('grant_type=client_credentials', 2),
    ])
    expect([seen, kept.length]).toEqual([['token_request'], 1])
  })

  it('reads the authorization request from the redirect of a program whose browser was not recorded', () => {
    const { seen, kept } = recorded([
      captured('server', 1, 'https://app.example/login', { answer: redirect(asked) }),
    ])
    expect(seen).toEqual(['authorization_request'])
    expect(kept[0]).toMatchObject({
      url: asked,
      side: 'browser',
      comment: expect.stringContaining('redirect'),
    })
    expect(kept[0]?.answer).toBeUndefined()
  })

  it('takes the request itself where it was recorded', () => {
    const own = captured('browser', 3, asked)
    const login = captured('server', 1, 'https://app.example/login', { answer: redirect(asked) })
    expect(recorded([login, own]).kept).toEqual([own])
    expect(recorded([own, login]).kept).toEqual([own])
  })

  it('counts a callback once that its browser and its server both recorded', () => {
    const seen = captured('browser', 5, 'https://app.example/cb?code=c&state=s1')
    const received = captured('server', 6, 'http://127.0.0.1:3000/cb?code=c&state=s1')
    const other = captured('server', 7, 'http://127.0.0.1:3000/cb?code=d&state=s1')
    expect(recorded([received, seen, other]).kept).toEqual([seen, other])
  })

  it('sorts by the time of sending: the callback comes before the token request inside of it', () => {
    const inside = token('grant_type=authorization_code&code=c&code_verifier=v', 12)
    const callback = captured('server', 10, 'https://app.example/cb?code=c&state=s1')
    expect(recorded([inside, callback]).kept).toEqual([callback, inside])
  })

  it('knows the token endpoint by the metadata, where a request never reached it and has no body', async () => {
    const text = JSON.stringify({ issuer: 'https://id.example', token_endpoint: 'https://id.example/t' })
    const metadata = captured('client', 1, 'https://id.example/.well-known/openid-configuration', {
      answer: { status: 200, headers: [], body: { size: text.length, text } },
    })
    const { answer: _none, ...lost } = captured('client', 2, 'https://id.example/t', { method: 'POST' })
    const { kept } = recorded([metadata, { ...lost, failure: 'ECONNREFUSED' }])
    const { flows } = await explainCaptured(kept)
    const findings = flows.flatMap(each => each.findings)
    expect(findings.map(({ name }) => name)).toEqual(['no-answer'])
    expect(findings[0]?.text).toContain('ECONNREFUSED')
  })

  it('is bounded, and counts what it left out', () => {
    const { kept, left } = recorded(
      Array.from({ length: 5003 }, (_, i) => token('grant_type=client_credentials', i)),
    )
    expect([kept.length, left]).toEqual([5000, 3])
  })
})

it('what was recorded is explained as the file is', async () => {
  const { kept } = recorded([
    captured('server', 1, 'https://app.example/login', { answer: redirect(asked) }),
    captured('server', 9, 'https://app.example/cb?code=c&state=other'),
    token('grant_type=authorization_code&code=c&client_id=web', 10),
  ])
  const { flows } = await explainCaptured(kept)
  const names = flows.flatMap(({ findings }) => findings.map(({ name }) => name))
  expect(names).toContain('state-differs')
  expect(names).toContain('verifier-missing')
  const archive = JSON.parse([...archiveLines(kept, '1.0.0')].join('\n')) as { log: { entries: unknown[] } }
  expect(archive.log.entries.length).toBe(3)
})
