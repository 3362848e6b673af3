import { describe, expect, it } from 'vitest'
import { explainSource } from '../../../src/judge/explain/read/explain-source.js'
import { dialects } from './dialects.js'
import { type HarEntry, har, loginEntries, loginMessages, loginParts, stream } from './recording.js'

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
