import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createPicker } from '../../../src/judge/explain/pick.js'
import { explainSource } from '../../../src/judge/explain/read/explain-source.js'
import { readHarEntry } from '../../../src/judge/explain/read/har-entry.js'
import { createShortener, SHORTENED } from '../../../src/judge/explain/read/shorten-strings.js'
import { forAll } from '../../support/for-all.js'
import { entry, har, loginEntries, stream } from './recording.js'

const shortened = (text: string, limit: number, size: number): string => {
  const { add } = createShortener(limit)
  const bytes = Buffer.from(text)
  const pieces: Uint8Array[] = []
  for (let at = 0; at < bytes.length; at += size) pieces.push(add(bytes.subarray(at, at + size)))
  return Buffer.concat(pieces).toString('utf8')
}

describe('shortened strings', () => {
  it('stay valid JSON, and short ones stay as they were', () => {
    const text = fc.oneof(fc.string({ unit: 'binary', maxLength: 60 }), fc.string({ maxLength: 60 }))
    fc.assert(
      fc.property(
        fc.array(text),
        fc.integer({ min: 1, max: 9 }),
        fc.integer({ min: 1, max: 60 }),
        (texts, size, limit) => {
          const cut = JSON.parse(shortened(JSON.stringify(texts), limit, size)) as string[]
          expect(cut).toHaveLength(texts.length)
          for (const [i, each] of texts.entries()) {
            const bytes = Buffer.byteLength(JSON.stringify(each)) - 2
            const whole = cut[i] === each
            const kept = cut[i]!.endsWith(SHORTENED) && each.startsWith(cut[i]!.slice(0, -SHORTENED.length))
            expect(whole || kept).toBe(true)
            // An escape or a character that begins before the limit is kept whole.
            if (bytes <= limit) expect(whole).toBe(true)
            if (bytes > limit + 6) expect(kept).toBe(true)
          }
        },
      ),
      { numRuns: 500 },
    )
  })

  it('keep escapes and characters of several bytes whole', () => {
    const text = JSON.stringify({ a: 'é€😀\\"\u0001\u2028'.repeat(5) }).replace('€', '\\u20AC')
    for (let limit = 1; limit < 90; limit++) {
      const { a } = JSON.parse(shortened(text, limit, 3)) as { a: string }
      expect(a.isWellFormed(), `${limit}`).toBe(true)
      expect(a).not.toContain('\ufffd')
    }
  })
})

describe('a recording', () => {
  it('reads the same in pieces of every size', async () => {
    const text = har(loginEntries())
    const whole = await explainSource(stream(text), 'x')
    for (const size of [1, 2, 7, 1000]) {
      expect(JSON.stringify(await explainSource(stream(text, size), 'x'))).toBe(JSON.stringify(whole))
    }
  })

  it('that is cut short is explained up to there', async () => {
    const text = har(loginEntries())
    const { facts, flows } = await explainSource(stream(text.slice(0, text.length * 0.6)), 'x')
    expect(flows).toHaveLength(1)
    expect(facts.gaps[0]).toMatch(/^The recording is broken after entry \d \(the file ends in the middle\)/)
  })

  it.each([
    ['', 'it is not JSON'],
    ['not json at all', 'it is not JSON'],
    ['<?xml version="1.0"?>', 'it is not JSON'],
    ['{', 'is not a recording: the file ends in the middle'],
    ['{}', 'has no entries'],
    ['{"log":{"entries":[]}}', 'has no entries'],
    ['{"log":{"entries":[tru', 'is not a recording'],
    ['{"type":"lab.ready"}\n', 'holds the events of a lab'],
    ['{"type":"other"}\n', 'holds no exchanges'],
    ['[1,2]', 'it is not JSON'],
  ])('%j is none', async (text, message) => {
    await expect(explainSource(stream(text), 'x.har')).rejects.toThrow(message)
  })

  it('may hold anything in its entries', async () => {
    const odd = fc.array(
      fc.oneof(fc.jsonValue(), fc.record({ request: fc.jsonValue(), response: fc.jsonValue() })),
      { minLength: 1 },
    )
    await forAll(odd, async entries => {
      const { facts } = await explainSource(stream(har(entries)), 'x')
      expect(facts.picked).toBe(0)
    })
  })

  it('says what a sanitized recording does not show', async () => {
    const bare = loginEntries().map(each => {
      const { postData: _posted, ...request } = each.request
      if (each.request.postData) request.headers = [{ name: 'content-length', value: '300' }]
      const { text: _text, ...content } = each.response.content
      return { ...each, request, response: { ...each.response, content } }
    })
    const { facts } = await explainSource(stream(har(bare)), 'x')
    expect(facts.gaps.join('\n')).toMatch(/sent it|without body/)
  })

  it('drops a body that is too large, and says so', () => {
    const large = entry(0, 'POST', 'https://id.example/token', {}, { form: `grant_type=x&a=${SHORTENED}` })
    expect(readHarEntry(large, 1)).toMatchObject({
      lacks: ['request body', 'response headers'],
      exchange: { request: { body: '' } },
    })
  })
})

describe('the picker', () => {
  const pick = (...args: Parameters<typeof entry>) =>
    createPicker().pick(readHarEntry(entry(...args), 1)!)?.kind

  it.each([
    ['https://shop.example/search?code=ABC', undefined],
    ['https://shop.example/?error=1', undefined],
    ['https://shop.example/?state=CA&city=x', undefined],
    ['https://app.example/cb?code=a&state=b', 'authorization_response'],
    ['https://app.example/cb?error=access_denied&state=b', 'authorization_response'],
    ['https://app.example/cb#access_token=a&state=b', 'authorization_response'],
    ['https://id.example/a?response_type=code&client_id=x', 'authorization_request'],
    ['https://id.example/a?request_uri=urn:x&client_id=x', 'authorization_request'],
    ['https://id.example/.well-known/openid-configuration', 'discovery'],
    ['https://idp.example/sso?SAMLRequest=x', 'saml_request'],
    ['https://id.example/logout?id_token_hint=x', 'logout_request'],
    ['https://api.example/?access_token=x', 'resource_request'],
  ])('GET %s is %s', (url, kind) => {
    expect(pick(0, 'GET', url)).toBe(kind)
  })

  it.each([
    ['https://github.com/login/oauth/access_token', 'client_id=a&client_secret=b&code=c', 'token_request'],
    ['https://id.example/token', 'grant_type=client_credentials', 'token_request'],
    ['https://id.example/oauth/introspect', 'token=x', 'introspection_request'],
    ['https://id.example/oauth/revoke', 'token=x', 'revocation_request'],
    ['https://app.example/acs', 'SAMLResponse=x', 'saml_response'],
    ['https://app.example/cb', 'code=a&state=b', 'authorization_response'],
    ['https://shop.example/coupon', 'code=SAVE10', undefined],
  ])('POST %s with %s is %s', (url, body, kind) => {
    expect(pick(0, 'POST', url, {}, { form: body })).toBe(kind)
  })
})
