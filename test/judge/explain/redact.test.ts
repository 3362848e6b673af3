import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { explainSource } from '../../../src/judge/explain/read/explain-source.js'
import { createPseudonyms } from '../../../src/judge/explain/redact/pseudonyms.js'
import { forAll } from '../../support/for-all.js'
import { mistakes } from './mistakes.js'
import { entry, type HarEntry, har, loginEntries, loginParts, redacted, stream } from './recording.js'

async function findings(text: string): Promise<unknown[]> {
  const { flows } = await explainSource(stream(text), 'x')
  return flows.flatMap(each =>
    each.findings.map(({ name, severity, rule, entry }) => ({ name, severity, rule, entry })),
  )
}

describe('a redacted recording', () => {
  it.each(Object.entries(mistakes))('shows the same mistake: %s', async (_name, [, entries]) => {
    const text = har(entries)
    const copy = await redacted(text)
    expect(await findings(text)).toEqual(await findings(copy))
    expect(await findings(copy)).toHaveLength(1)
  })

  it('shows no mistake in a right login, and keeps what names protocol, times and servers', async () => {
    const text = har(loginEntries())
    const copy = await redacted(text)
    expect(await findings(copy)).toEqual([])
    const { log } = JSON.parse(copy) as { log: { entries: HarEntry[] } }
    expect(log.entries.map(({ startedDateTime }) => startedDateTime)).toEqual(
      loginEntries().map(each => each.startedDateTime),
    )
    const token = log.entries.find(({ request }) => request.url === 'https://id.example/token')!
    const sent = new URLSearchParams(token.request.postData?.text)
    expect(Object.fromEntries(sent)).toMatchObject({
      grant_type: 'authorization_code',
      client_id: 'web',
      redirect_uri: 'https://app.example/cb',
    })
    const tokens = JSON.parse(token.response.content.text!) as Record<string, string>
    expect(tokens).toMatchObject({ token_type: 'Bearer', expires_in: 3600 })
    const claims = JSON.parse(Buffer.from(tokens.id_token!.split('.')[1]!, 'base64url').toString()) as object
    const { iss, aud, exp, iat } = loginParts().claims
    expect(claims).toMatchObject({ iss, aud, exp, iat, sub: expect.stringMatching(/^[a-z]{5}$/) })
  })

  it.each([
    { error: { code: 'invalid_grant' } },
    { error: 'invalid_grant', errors: [{ code: 'invalid_grant' }] },
    { error: 'invalid_grant', code: 'INVALID_GRANT' },
  ])('keeps the code of an error that stands under the name of another code: %j', async json => {
    const refused = entry(20, 'POST', 'https://id.example/token', { status: 400, json })
    const text = har([...loginEntries().slice(0, 1), refused])
    const copy = await redacted(text)
    expect(JSON.parse(copy).log.entries.at(-1).response.content.text).toBe(JSON.stringify(json))
    expect(await findings(copy)).toEqual(await findings(text))
  })

  it('keeps equal values equal, by another key in each run', async () => {
    const text = har(loginEntries())
    const [one, two] = [await redacted(text), await redacted(text)]
    expect(one).not.toBe(two)
    const { code } = loginParts()
    const seen = new Set([...one.matchAll(/[?&]code=([^&"]+)/g)].map(each => each[1]))
    expect(seen.size).toBe(1)
    expect(seen).not.toContain(code)
  })

  it('is an archive for anything that an archive may hold', async () => {
    const odd = fc.array(
      fc.oneof(
        fc.jsonValue(),
        fc.record({
          request: fc.record({
            method: fc.string(),
            url: fc.string(),
            headers: fc.jsonValue(),
            postData: fc.jsonValue(),
          }),
          response: fc.jsonValue(),
        }),
      ),
      { minLength: 1 },
    )
    await forAll(odd, async entries => {
      const { log } = JSON.parse(await redacted(har(entries))) as { log: { entries: unknown[] } }
      expect(log.entries).toHaveLength(entries.length)
    })
  })

  it('is whole where the recording was cut', async () => {
    const text = har(loginEntries())
    const { log } = JSON.parse(await redacted(text.slice(0, text.length * 0.6))) as {
      log: { entries: unknown[] }
    }
    expect(log.entries.length).toBeGreaterThan(3)
  })
})

describe('pseudonyms', () => {
  it('have the shape of their value, and differ where values differ', async () => {
    await forAll(fc.uniqueArray(fc.stringMatching(/^[a-zA-Z0-9_.~-]{2,40}$/), { minLength: 2 }), values => {
      const pseudonym = createPseudonyms(Buffer.from('key'))
      const made = values.map(pseudonym)
      expect(new Set(made).size).toBe(values.length)
      expect(values.map(pseudonym)).toEqual(made)
    })
    expect(createPseudonyms(Buffer.from('key'))('Ab3-_.xY')).toMatch(/^[A-Z][a-z]\d-_\.[a-z][A-Z]$/)
  })

  it('of encoded values are the encoded pseudonyms', () => {
    const pseudonym = createPseudonyms(Buffer.from('key'))
    expect(pseudonym(encodeURIComponent('a/b+c d'))).toBe(encodeURIComponent(pseudonym('a/b+c d')))
  })
})
