import { describe, expect, it } from 'vitest'
import { generateDpopKey, makeDpopProof } from '../../../src/protocol/tokens/dpop.js'
import { baseUrl, server, start, tokenOf } from './support.js'

const dpopKey = await generateDpopKey()
const bound = await tokenOf({ cnf: { jkt: dpopKey.jkt } })
let count = 0
const proofOf = (changed: Partial<Parameters<typeof makeDpopProof>[1]> = {}, by = dpopKey) =>
  makeDpopProof(
    by,
    { method: 'GET', url: `${baseUrl}/resource`, accessToken: bound, ...changed },
    { now: () => start, random: length => new Uint8Array(length).fill(++count) },
  )

/** Sends a token under a scheme with the given proofs. */
const sent = (to: ReturnType<typeof server>, token: string, proofs: readonly string[], scheme = 'DPoP') =>
  to.send('/resource', {
    headers: [['authorization', `${scheme} ${token}`], ...proofs.map(proof => ['dpop', proof] as const)],
  })

describe('a token bound to a key', async () => {
  it('is accepted with a proof of that key', async () => {
    const to = server()
    const answer = await sent(to, bound, [await proofOf()])
    expect(answer.status).toBe(200)
    expect(answer.json.decided).toMatchObject({ scheme: 'DPoP' })
    expect(to.events.at(-1)).toMatchObject({ type: 'resource.accepted', scheme: 'DPoP' })
    const checks = to.events.at(-1)?.checks as object[]
    expect(checks.at(-2)).toEqual({ name: 'cnf', ok: true, rule: 'RFC 9449 §7.1', detail: dpopKey.jkt })
  })

  it('is not accepted as Bearer, even with a proof; the challenge asks for DPoP', async () => {
    const answer = await sent(server(), bound, [await proofOf()], 'Bearer')
    expect(answer.status).toBe(401)
    expect(answer.json).toMatchObject({ error: 'invalid_token' })
    expect(answer.json.error_description).toContain('Authorization: DPoP')
    const asked = expect.stringMatching(/^DPoP .*error="invalid_token".*algs="RS256 .*"$/)
    expect(answer.challenges).toEqual([asked])
  })

  const BAD = 'invalid_dpop_proof'
  const elsewhere = { url: 'https://evil.example/resource' }
  it.each([
    ['no proof', [], BAD, 'missing'],
    ['two proofs', [await proofOf(), await proofOf()], BAD, 'repeated'],
    ['a proof that is no JWT', ['x'], BAD, 'no JWT'],
    ['a proof for another method', [await proofOf({ method: 'POST' })], BAD, 'htm'],
    ['a proof for another server', [await proofOf(elsewhere)], BAD, 'htu'],
    ['a proof for another token', [await proofOf({ accessToken: 'x' })], BAD, 'ath'],
    ['a proof of another key', [await proofOf({}, await generateDpopKey())], 'invalid_token', 'another key'],
  ] as const)('is refused with %s', async (_what, proofs, error, problem) => {
    const answer = await sent(server(), bound, proofs)
    expect(answer.status).toBe(401)
    expect(answer.json.error).toBe(error)
    expect(answer.json.error_description).toContain(problem)
    expect(answer.challenges).toEqual([expect.stringMatching(new RegExp(`^DPoP .*error="${error}"`))])
  })

  it('names the wrong value of a proof in the event alone', async () => {
    const to = server()
    const answer = await sent(to, bound, [await proofOf({ method: 'POST' })])
    expect(to.events.at(-1)).toMatchObject({ error: BAD, scheme: 'DPoP', evidence: 'htm: POST' })
    expect(answer.text).not.toContain('htm: POST')
  })

  it('is refused as malformed with two tokens or none', async () => {
    for (const token of ['', 'a b']) {
      const answer = await sent(server(), token, [await proofOf()])
      expect(answer).toMatchObject({ status: 400, json: { error: 'invalid_request' } })
      expect(answer.json.error_description).toContain('DPoP must be followed by one token')
      expect(answer.json.error_uri).toBe('https://www.rfc-editor.org/rfc/rfc9449#section-7.1')
      expect(answer.challenges).toEqual([expect.stringMatching(/^DPoP .*error="invalid_request"/)])
    }
  })

  it('is refused with a proof that was used before or is too old', async () => {
    const to = server()
    const proof = await proofOf()
    expect((await sent(to, bound, [proof])).status).toBe(200)
    expect((await sent(to, bound, [proof])).json.error_description).toContain('used before')
    const later = await proofOf()
    to.clock.now += 10 * 60_000
    expect((await sent(to, bound, [later])).json.error_description).toContain('too old')
  })

  it('leaves the proof unused when the token is refused', async () => {
    const to = server()
    const [header, payload, signature = ''] = bound.split('.')
    const altered = `${header}.${payload}.${signature.slice(0, -4)}AAAA`
    const proof = await proofOf({ accessToken: altered })
    expect((await sent(to, altered, [proof])).json.error_description).toContain('signature')
    expect((await sent(to, altered, [proof])).json.error_description).toContain('signature')
  })
})

describe('other bindings', () => {
  it('an unbound token is refused under DPoP', async () => {
    const answer = await sent(server(), await tokenOf(), [await proofOf()])
    expect(answer.status).toBe(401)
    expect(answer.json.error_description).toContain('Authorization: Bearer')
  })

  it.each([{ 'x5t#S256': 'abc' }, {}, null, 'text', [], { jkt: 7 }])(
    'a token with cnf %j is refused, because this server cannot check that binding',
    async cnf => {
      const token = await tokenOf({ cnf })
      expect((await sent(server(), token, [], 'Bearer')).status).toBe(401)
      expect((await sent(server(), token, [await proofOf()])).status).toBe(401)
    },
  )
})

describe('a nonce that proofs need (RFC 9449 §9)', () => {
  const demanding = () => server({ settings: { dpopNonceRequired: true } })
  const nonceIn = ({ headers }: Awaited<ReturnType<typeof sent>>) =>
    headers.find(([name]) => name === 'dpop-nonce')?.[1]

  it('is asked for, and accepted in the next proof', async () => {
    const to = demanding()
    const asked = await sent(to, bound, [await proofOf()])
    expect([asked.status, asked.json.error]).toEqual([401, 'use_dpop_nonce'])
    expect(asked.challenges).toEqual([expect.stringMatching(/^DPoP .*error="use_dpop_nonce"/)])
    const nonce = nonceIn(asked)
    expect(nonce).toMatch(/^[\w-]{22}$/)
    const accepted = await sent(to, bound, [await proofOf({ nonce: nonce! })])
    expect([accepted.status, nonceIn(accepted)]).toEqual([200, nonce])
    expect((await sent(to, bound, [await proofOf({ nonce: 'another' })])).json.error).toBe('use_dpop_nonce')
  })

  it('is not asked for by other schemes, and not by default', async () => {
    const plain = await demanding().withToken(await tokenOf())
    expect([plain.status, nonceIn(plain) === undefined]).toEqual([200, false])
    expect(nonceIn(await sent(server(), bound, [await proofOf()]))).toBeUndefined()
  })
})

describe('a server that takes some algorithms alone', () => {
  const proofAlgorithms = { names: ['ES256'], rule: 'FAPI 2.0 Security Profile §5.4.1-1' } as const

  it('refuses proofs by others, and announces its own', async () => {
    const to = server({ settings: { proofAlgorithms: { ...proofAlgorithms, names: ['PS256'] } } })
    const answer = await sent(to, bound, [await proofOf()])
    expect(answer.status).toBe(401)
    expect(answer.json).toMatchObject({ error: 'invalid_dpop_proof' })
    expect(to.events.at(-1)).toMatchObject({ rule: proofAlgorithms.rule })
    expect(answer.challenges).toEqual([expect.stringMatching(/^DPoP .*algs="PS256"$/)])
    const { json } = await to.send('/.well-known/oauth-protected-resource')
    expect(json.dpop_signing_alg_values_supported).toEqual(['PS256'])
  })

  it('accepts proofs by them', async () => {
    expect((await sent(server({ settings: { proofAlgorithms } }), bound, [await proofOf()])).status).toBe(200)
  })
})
