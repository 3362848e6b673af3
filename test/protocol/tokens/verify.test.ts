import {
  createHmac,
  createPrivateKey,
  createPublicKey,
  createSecretKey,
  generateKeyPairSync,
  sign,
} from 'node:crypto'
import type { JWK } from 'jose'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import {
  loadSharedSecret,
  loadSigningKey,
  publicPem,
  type SigningKey,
  signJwt,
  type VerificationKeys,
} from '../../../src/protocol/tokens/keys.js'
import {
  checkClaims,
  type Expectations,
  tokenHash,
  type Verdict,
  verifyJwt,
} from '../../../src/protocol/tokens/verify.js'
import { ecKey, edKey, makeJwt, type TestKey } from './jwt-maker.js'
import {
  exampleClaims,
  exampleJwt,
  exampleRsaJwt,
  exampleRsaKey,
  exampleRsaPair,
  exampleSecret,
  rsaPair,
} from './rfc.js'

const beforeExpiry = { now: (exampleClaims.exp - 10) * 1000 }
const now = Date.UTC(2026, 0, 2, 12)
const seconds = now / 1000
const claims = {
  iss: 'https://localhost:8443',
  sub: 'alice',
  aud: 'demo',
  iat: seconds,
  nbf: seconds - 30,
  exp: seconds + 3600,
}
const expected: Expectations = { issuer: claims.iss, audience: 'demo', now }

let key: SigningKey
let published: VerificationKeys
beforeAll(async () => {
  const pem = createPrivateKey({ key: rsaPair, format: 'jwk' })
    .export({ type: 'pkcs8', format: 'pem' })
    .toString()
  key = await loadSigningKey(pem)
  published = { kind: 'jwks', jwks: { keys: [key.publicJwk] } }
})

const failed = ({ checks }: Verdict) => checks.filter(each => !each.ok).map(each => each.name)
const detail = ({ checks }: Verdict, name: string) => checks.find(each => each.name === name)?.detail
const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
/** A compact JWS whose signature is `make(signing input)`. */
const forge = (header: object, make: (input: string) => string, body: object = claims) => {
  const input = `${part(header)}.${part(body)}`
  return `${input}.${make(input)}`
}
const rs256 = (input: string) =>
  sign('sha256', Buffer.from(input), createPrivateKey({ key: rsaPair, format: 'jwk' })).toString('base64url')

describe('verifyJwt: the RFCs', () => {
  it('verifies RFC 7515 A.1 with its secret', async () => {
    const secret = createSecretKey(Buffer.from(exampleSecret, 'base64url'))
    const keys = { kind: 'key', key: secret, alg: 'HS256' } as const
    expect((await verifyJwt(exampleJwt, keys, { issuer: 'joe', ...beforeExpiry })).ok).toBe(true)
    expect(failed(await verifyJwt(exampleJwt, keys, { ...beforeExpiry, now }))).toEqual(['exp'])
  })

  it('verifies RFC 7515 A.2 with its published key', async () => {
    const keys = { kind: 'jwks', jwks: { keys: [exampleRsaKey] } } as const
    expect((await verifyJwt(exampleRsaJwt, keys, beforeExpiry)).ok).toBe(true)
  })

  it('hashes an access token as OpenID Connect Core A.3 and a code as A.4 print it', () => {
    expect(tokenHash('jHkWEdUXMU1BwAsC4vtUsZwnNvTIxEl0z9K3vx5KF0Y', 'RS256')).toBe('77QmUPtjPfzWtF2AnpK9RQ')
    expect(tokenHash('Qcb0Orv1zh30vL1MPRsbm-diHiMwcLyZvn1arpZv-Jxf_11jnpEX3Tgfvk', 'RS256')).toBe(
      'LDktKdoQak3Pk0cnXxCltA',
    )
  })

  it.each([
    ['RS256', 16],
    ['PS384', 24],
    ['ES512', 32],
    ['EdDSA', 32],
    ['HS256-like', 32],
  ])('hashes an access token for %s to %d bytes', (alg, length) => {
    expect(Buffer.from(tokenHash('token', alg), 'base64url')).toHaveLength(length)
  })
})

describe('verifyJwt: signatures', () => {
  it('accepts what signJwt signs, RS256 and HS256', async () => {
    const token = await signJwt(claims, key)
    const verdict = await verifyJwt(token, published, expected)
    expect(verdict.ok).toBe(true)
    expect(verdict.checks.map(each => each.name)).toEqual(['signature', 'iss', 'aud', 'exp', 'nbf', 'iat'])
    expect(verdict.token.header).toEqual({ typ: 'JWT', alg: 'RS256', kid: key.kid })

    const secret = loadSharedSecret('0123456789abcdef0123456789abcdef')
    const mac = await signJwt(claims, secret, 'at+jwt')
    const shared = { kind: 'key', key: secret.secret, alg: 'HS256' } as const
    expect((await verifyJwt(mac, shared, expected)).ok).toBe(true)
  })

  it.each(
    Object.entries({
      'no signature (alg none)': () => forge({ alg: 'none' }, () => ''),
      'no signature (alg None)': () => forge({ alg: 'None', kid: key.kid }, () => ''),
      'an empty RS256 signature': () => forge({ alg: 'RS256', kid: key.kid }, () => ''),
      'no alg at all': () => forge({ kid: key.kid }, rs256),
      'alg that is an object': () => forge({ alg: { toString: 1 } }, rs256),
      'kid that is an object': () => forge({ alg: 'RS256', kid: { toString: 1 } }, rs256),
      'another kid': () => forge({ alg: 'RS256', kid: 'other' }, rs256),
      'another algorithm than the key is for': () => forge({ alg: 'PS256', kid: key.kid }, rs256),
      'an unknown critical extension': () => forge({ alg: 'RS256', kid: key.kid, crit: ['x'], x: 1 }, rs256),
      'an unencoded payload (RFC 7797 §7)': () =>
        forge({ alg: 'RS256', kid: key.kid, crit: ['b64'], b64: false }, rs256),
      'HMAC with the public key as secret': () =>
        forge({ alg: 'HS256', kid: key.kid }, input =>
          createHmac('sha256', publicPem(key)).update(input).digest('base64url'),
        ),
      'a key of its own in the header': () => {
        const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
        return forge({ alg: 'RS256', jwk: publicKey.export({ format: 'jwk' }) }, input =>
          sign('sha256', Buffer.from(input), privateKey).toString('base64url'),
        )
      },
      'claims changed after signing': () => {
        const [header, , signature] = forge({ alg: 'RS256', kid: key.kid }, rs256).split('.')
        return `${header}.${part({ ...claims, sub: 'admin' })}.${signature}`
      },
    }),
  )('refuses %s, and only the signature', async (_what, make) => {
    const verdict = await verifyJwt(make(), published, expected)
    expect(failed(verdict)).toEqual(['signature'])
    expect(detail(verdict, 'signature')).not.toBe('')
  })

  it('never takes a symmetric key from a published set', async () => {
    const secret = '0123456789abcdef0123456789abcdef'
    const token = await signJwt(claims, loadSharedSecret(secret))
    const jwks = { keys: [{ kty: 'oct', k: Buffer.from(secret).toString('base64url'), alg: 'HS256' }] }
    expect(failed(await verifyJwt(token, { kind: 'jwks', jwks }, expected))).toEqual(['signature'])
  })

  it('refuses a signature that is written in another way', async () => {
    const [header, payload, signature = ''] = (await signJwt(claims, key)).split('.')
    const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
    const next = letters[letters.indexOf(signature.at(-1)!) + 1]
    for (const other of [`${signature.slice(0, -1)}${next}`, `${signature}=`, `${signature} `]) {
      expect(Buffer.from(other, 'base64url')).toEqual(Buffer.from(signature, 'base64url'))
      const verdict = await verifyJwt(`${header}.${payload}.${other}`, published, expected)
      expect(detail(verdict, 'signature')).toMatch(/^the signature is not base64url without padding(;|$)/)
    }
  })

  it('takes published keys of EC and Edwards curves', async () => {
    for (const signer of [ecKey(), edKey()]) {
      const jwks = { keys: [null, { kty: 'AKP' }, signer.publicJwk] as JWK[] }
      const verdict = await verifyJwt(makeJwt(signer, {}, claims), { kind: 'jwks', jwks }, expected)
      expect(verdict.ok).toBe(true)
      expect(detail(verdict, 'signature')).toBe(`${signer.alg}, verified with the key`)
    }
  })

  it('tries several keys in order', async () => {
    const [first, second, stranger] = [ecKey(), edKey(), ecKey()]
    const keyOf = ({ publicKey, alg }: TestKey) => ({ key: publicKey, alg })
    const keys = { kind: 'keys', keys: [keyOf(first), keyOf(second)] } as const
    for (const signer of [first, second]) {
      expect((await verifyJwt(makeJwt(signer, {}, claims), keys, expected)).ok).toBe(true)
    }
    const verdict = await verifyJwt(makeJwt(stranger, {}, claims), keys, expected)
    expect(detail(verdict, 'signature')).toBe('alg ES256 is not accepted')
    const lone = { kind: 'keys', keys: [keyOf(first)] } as const
    const refused = await verifyJwt(makeJwt(stranger, {}, claims), lone, expected)
    expect(detail(refused, 'signature')).toBe('not signed with the key')
  })

  it('names the key that a token asks for', async () => {
    const accepted = await verifyJwt(await signJwt(claims, key), published, expected)
    expect(detail(accepted, 'signature')).toBe(`RS256, verified with key ${key.kid}`)
    const unknown = await verifyJwt(forge({ alg: 'RS256', kid: 'x' }, rs256), published, expected)
    expect(detail(unknown, 'signature')).toBe(
      `no published key fits key x (alg RS256): the set has ${key.kid}; it is signed with the published key ${key.kid}`,
    )
    const mac = await verifyJwt(forge({ alg: 'HS256', kid: 'x' }, rs256), published, expected)
    expect(detail(mac, 'signature')).toBe('alg HS256 is not accepted')
    const extended = forge({ alg: 'RS256', kid: key.kid, crit: ['x'], x: 1 }, rs256)
    const refused = await verifyJwt(extended, published, expected)
    expect(refused.checks[0]).toMatchObject({ name: 'signature', ok: false, rule: 'RFC 7515 §4.1.11' })
    expect(detail(refused, 'signature')).toBe('crit asks for extensions that are not known here: "x"')
    const noList = forge({ alg: 'RS256', kid: key.kid, crit: 'x' }, rs256)
    expect(detail(await verifyJwt(noList, published, expected), 'signature')).toBe(
      'crit is no list of extensions',
    )
    const wrong = await verifyJwt(
      forge({ alg: 'RS256', kid: key.kid }, () => 'AAAA'),
      published,
      expected,
    )
    expect(detail(wrong, 'signature')).toBe(
      `not signed with key ${key.kid}; it was cut off: the signature has 3 of 256 bytes`,
    )
  })

  it('takes the public key for nothing but its algorithm', async () => {
    const keys = { kind: 'key', key: createPublicKey(publicPem(key)), alg: 'RS256' } as const
    expect((await verifyJwt(await signJwt(claims, key), keys, expected)).ok).toBe(true)
    const mac = forge({ alg: 'HS256' }, input =>
      createHmac('sha256', publicPem(key)).update(input).digest('base64url'),
    )
    const verdict = await verifyJwt(mac, keys, expected)
    expect(detail(verdict, 'signature')).toBe('alg HS256 is not accepted')
  })

  it.each<[string, object[], string]>([
    ['is for encryption', [{ use: 'enc' }], 'the key has use enc'],
    ['is for another algorithm', [{ alg: 'PS256' }], 'the key has alg PS256'],
    ['is for other operations', [{ key_ops: ['encrypt'] }], 'the key has no verify among its key_ops'],
    ['is of another type', [ecKey('x').publicJwk], 'the key has kty EC'],
    ['is one of two that do not fit', [{ use: 'enc' }, { alg: 'PS256' }], 'none of the 2 keys is for it'],
    ['is not there', [], 'the set has no key for signatures'],
    ['has another name', [{ kid: 'a' }, { kid: undefined }], 'the set has a, a key without a name'],
    ['is one of many', Array.from('abcdef', kid => ({ kid })), 'the set has a, b, c, d, e and others'],
  ])('says why no key fits: the key %s', async (_what, changes, reason) => {
    const keys = changes.map(each => ({ ...exampleRsaKey, kid: 'x', ...each }))
    const verdict = await verifyJwt(
      forge({ alg: 'RS256', kid: 'x' }, rs256),
      { kind: 'jwks', jwks: { keys } },
      expected,
    )
    expect(detail(verdict, 'signature')).toBe(`no published key fits key x (alg RS256): ${reason}`)
  })

  it.each<[string, JWK, string]>([
    [
      'holds its private half',
      exampleRsaPair,
      'the set holds a private key; only its public half belongs there',
    ],
    ['cannot be imported', { ...ecKey('x').publicJwk, x: 'AA' }, 'key x has wrong or missing members'],
  ])('refuses a published key that %s', async (_what, jwk, reason) => {
    const jwks = { keys: [{ ...jwk, kid: 'x' }] }
    const alg = jwk.kty === 'EC' ? 'ES256' : 'RS256'
    const verdict = await verifyJwt(forge({ alg, kid: 'x' }, rs256), { kind: 'jwks', jwks }, expected)
    expect(detail(verdict, 'signature')).toBe(reason)
  })

  it('remembers a right signature for the set that verified it, and judges the claims again', async () => {
    const token = await signJwt(claims, key)
    const first = await verifyJwt(token, published, expected)
    expect(await verifyJwt(token, published, expected)).toEqual(first)
    const late = { ...expected, now: now + 7_200_000 }
    expect(failed(await verifyJwt(token, published, late))).toEqual(['exp'])
    const other = { ...exampleRsaKey, kid: key.kid, use: 'sig', alg: 'RS256' }
    const replaced = { kind: 'jwks', jwks: { keys: [other] } } as const
    for (let time = 0; time < 2; time++) {
      expect(failed(await verifyJwt(token, replaced, expected))).toEqual(['signature'])
      expect(failed(await verifyJwt(`${token.slice(0, -2)}AA`, published, expected))).toEqual(['signature'])
    }
  })

  it('remembers a limited number of tokens', async () => {
    const own = edKey('own')
    const set = { kind: 'jwks', jwks: { keys: [own.publicJwk] } } as const
    const token = (jti: number) => makeJwt(own, { kid: 'own' }, { ...claims, jti: String(jti) })
    const computed = vi.spyOn(crypto.subtle, 'verify')
    const verify = async (jti: number) => expect((await verifyJwt(token(jti), set, expected)).ok).toBe(true)
    for (const jti of [0, 0, 1, 0]) await verify(jti)
    expect(computed).toHaveBeenCalledTimes(2)
    for (let jti = 1; jti <= 512; jti++) await verify(jti)
    await verify(0)
    expect(computed.mock.calls.length).toBe(514)
    computed.mockRestore()
  })

  it('finds its key by kid among others (rotation), and says when it cannot choose', async () => {
    const other = { ...exampleRsaKey, kid: 'other', use: 'sig', alg: 'RS256' }
    const rotated = { kind: 'jwks', jwks: { keys: [other, key.publicJwk] } } as const
    expect((await verifyJwt(await signJwt(claims, key), rotated, expected)).ok).toBe(true)
    const verdict = await verifyJwt(forge({ alg: 'RS256' }, rs256), rotated, expected)
    expect(detail(verdict, 'signature')).toContain('several published keys fit')
  })

  it.each([
    ['none', []],
    ['one for encryption', [{ ...exampleRsaKey, use: 'enc' }]],
    [
      'a short one',
      [generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey.export({ format: 'jwk' })],
    ],
    ['a broken one', [{ kty: 'RSA', n: '!', e: 'AQAB' }]],
    ['no object', [null]],
  ])('says no with these published keys: %s', async (_what, keys) => {
    const jwks = { keys } as unknown as { keys: [] }
    const verdict = await verifyJwt(forge({ alg: 'RS256' }, rs256), { kind: 'jwks', jwks }, expected)
    expect(failed(verdict)).toEqual(['signature'])
    expect(detail(verdict, 'signature')).not.toMatch(/Cannot read|undefined/)
  })
})

describe('verifyJwt: claims', () => {
  const verdictOf = async (changed: object, more: Partial<Expectations> = {}) =>
    verifyJwt(await signJwt({ ...claims, ...changed }, key), published, { ...expected, ...more })

  it.each([
    [{ iss: 'https://localhost:8443/' }, {}, ['iss']],
    [{ iss: undefined }, {}, ['iss']],
    [{ aud: 'other' }, {}, ['aud']],
    [{ aud: ['other', 'demo'] }, {}, []],
    [{ aud: undefined }, {}, ['aud']],
    [{ aud: [] }, {}, ['aud']],
    [{ exp: seconds }, {}, ['exp']],
    [{ exp: seconds + 1 }, {}, []],
    [{ exp: seconds }, { tolerance: 1 }, []],
    [{ exp: undefined }, {}, ['exp']],
    [{ nbf: seconds + 1 }, {}, ['nbf']],
    [{ nbf: seconds + 1 }, { tolerance: 1 }, []],
    [{ nbf: seconds + 2 }, { tolerance: 1 }, ['nbf']],
    [{ nbf: seconds }, {}, []],
    [{ nbf: null }, {}, ['nbf']],
    [{ exp: seconds - 1 }, { tolerance: 1 }, ['exp']],
    [{ exp: Number.MAX_VALUE }, {}, []],
    [{ iat: seconds + 1 }, { tolerance: 1 }, []],
    [{ iat: seconds + 2 }, { tolerance: 1 }, ['iat']],
    [{ iat: 'now' }, {}, ['iat']],
    [{}, { now: now + 3_599_999 }, []],
    [{}, { now: now + 3_600_000 }, ['exp']],
    [{ sub: 7 }, { idToken: true }, ['sub']],
    [{ aud: ['demo'] }, { idToken: true }, []],
    [{ nbf: undefined, iat: undefined }, {}, []],
    [{ iat: seconds + 1 }, {}, ['iat']],
    [{ nbf: Number.NaN }, {}, ['nbf']],
    [{ nonce: 'n' }, {}, []],
    [{ sub: 'alice' }, { subject: 'alice', idToken: true }, []],
    // the reference's milliseconds
    [{ nbf: now - 30, iat: now, exp: now + 3600 }, {}, ['nbf', 'iat']],
    [{ sub: 'bob' }, { subject: 'alice' }, ['sub']],
    [{ nonce: 'n' }, { nonce: 'n' }, []],
    [{ nonce: 'm' }, { nonce: 'n' }, ['nonce']],
    [{}, { nonce: 'n' }, ['nonce']],
    [{ nonce: 7 }, { nonce: '7' }, ['nonce']],
    // azp is a rule for id_tokens: an access token may name another client there
    [{ azp: 'other' }, {}, []],
    [{ azp: 'other' }, { idToken: true }, ['azp']],
    [{ azp: 'demo' }, { idToken: true }, []],
    [{ aud: ['demo', 'other'] }, { idToken: true }, ['azp']],
    [{ aud: ['demo', 'other'], azp: 'demo' }, { idToken: true }, []],
    [{ iat: undefined }, { idToken: true }, ['iat']],
    [{ sub: undefined }, { idToken: true }, ['sub']],
    [{ sub: '' }, { idToken: true }, ['sub']],
  ])('%j, expecting %j, fails %j', async (changed, more, names) => {
    const verdict = await verdictOf(changed, more)
    expect(failed(verdict)).toEqual(names)
    expect(verdict.ok).toBe(names.length === 0)
  })

  it.each([
    [{}, 'exp', '3600 s left'],
    [{ exp: seconds }, 'exp', 'expired 0 s ago'],
    [{ exp: seconds - 9 }, 'exp', 'expired 9 s ago'],
    [{ exp: seconds - 9.5 }, 'exp', 'expired 9 s ago'],
    [{ exp: seconds + 9.5 }, 'exp', '9 s left'],
    [{ exp: 'soon' }, 'exp', 'missing or not a number'],
    [{ exp: now }, 'exp', 'it looks like milliseconds; read as seconds it is thousands of years away'],
    [{ nbf: 'soon' }, 'nbf', 'missing or not a number'],
    [{ iat: 'soon' }, 'iat', 'missing or not a number'],
    [{ iat: seconds - 1.5 }, 'iat', 'issued 1 s ago'],
    [{ nbf: seconds }, 'nbf', 'valid since now'],
    [{ nbf: seconds - 30 }, 'nbf', 'valid since 30 s ago'],
    [{ nbf: seconds + 5 }, 'nbf', 'not yet valid'],
    [{ nbf: 1e11 }, 'nbf', 'not yet valid; it looks like milliseconds'],
    [{ nbf: 1e11 - 1 }, 'nbf', 'not yet valid'],
    [{ iat: seconds - 1 }, 'iat', 'issued 1 s ago'],
    [{ iat: now }, 'iat', 'issued in the future; it looks like milliseconds'],
    [{ aud: ['other', 'demo'] }, 'aud', 'other demo'],
    [{ aud: undefined }, 'aud', 'missing'],
    [{ iss: undefined }, 'iss', 'missing'],
  ])('%j shows as %s: %s', async (changed, name, text) => {
    expect(detail(await verdictOf(changed), name)).toBe(text)
  })

  it.each(['exp', 'nbf', 'iat'])('refuses %s without end', async name => {
    const body = JSON.stringify({ ...claims, [name]: 7 }).replace(`"${name}":7`, `"${name}":-1e999`)
    const input = `${part({ alg: 'RS256', kid: key.kid })}.${Buffer.from(body).toString('base64url')}`
    const verdict = await verifyJwt(`${input}.${rs256(input)}`, published, expected)
    expect(failed(verdict)).toEqual([name])
    expect(detail(verdict, name)).toBe('missing or not a number')
  })

  it.each([
    ['n', 'the value that was sent'],
    ['m', 'another value'],
    [undefined, 'missing, and the request sent one'],
  ])('gives the reason of the nonce %s without showing it', async (nonce, text) => {
    expect(detail(await verdictOf({ nonce }, { nonce: 'n' }), 'nonce')).toBe(text)
  })

  it('accepts dates to come within the tolerance, as of now', async () => {
    const verdict = await verdictOf({ iat: seconds + 1, nbf: seconds + 1 }, { tolerance: 1 })
    expect([detail(verdict, 'iat'), detail(verdict, 'nbf')]).toEqual(['issued now', 'valid since now'])
  })

  it('compares only what is expected', () => {
    const names = (wanted: Omit<Expectations, 'now'>) =>
      checkClaims({ ...claims, azp: 'other', nonce: 'n' }, { ...wanted, now }).map(each => each.name)
    expect(names({})).toEqual(['exp', 'nbf', 'iat'])
    expect(names({ idToken: true })).toEqual(['sub', 'exp', 'nbf', 'iat'])
    expect(checkClaims({ exp: seconds + 1 }, { now }).map(each => each.name)).toEqual(['exp'])
  })

  it('names the rule of each check', async () => {
    const verdict = await verdictOf(
      { nonce: 'n', azp: 'demo', at_hash: 'x' },
      { idToken: true, nonce: 'n', subject: 'alice', accessToken: 'x' },
    )
    expect(verdict.checks.map(({ name, rule }) => `${name}: ${rule}`)).toEqual([
      'signature: RFC 7515 §5.2',
      'iss: RFC 7519 §4.1.1',
      'sub: OpenID Connect Core §5.3.2',
      'aud: RFC 7519 §4.1.3',
      'azp: OpenID Connect Core §3.1.3.7',
      'exp: RFC 7519 §4.1.4',
      'nbf: RFC 7519 §4.1.5',
      'iat: RFC 7519 §4.1.6',
      'nonce: OpenID Connect Core §3.1.3.7',
      'at_hash: OpenID Connect Core §3.1.3.8',
    ])
  })

  it('binds an id_token to its access token by at_hash', async () => {
    const accessToken = 'jHkWEdUXMU1BwAsC4vtUsZwnNvTIxEl0z9K3vx5KF0Y'
    expect(failed(await verdictOf({ at_hash: '77QmUPtjPfzWtF2AnpK9RQ' }, { accessToken }))).toEqual([])
    expect(failed(await verdictOf({ at_hash: '77QmUPtjPfzWtF2AnpK9RR' }, { accessToken }))).toEqual([
      'at_hash',
    ])
    expect(failed(await verdictOf({}, { accessToken }))).toEqual([])
    expect(failed(await verdictOf({ at_hash: 'x' }))).toEqual([])
  })

  it.each([
    { iss: { toString: 1 } },
    { sub: { toString: 1 } },
    { aud: [{ toString: 1 }] },
    { azp: { valueOf: 1, toString: 1 }, aud: ['demo', 'x'] },
    { exp: { toString: 1 } },
  ])('gives a verdict on claims that are objects: %j', async changed => {
    const forged = forge({ alg: 'RS256', kid: key.kid }, rs256, { ...claims, ...changed })
    const verdict = await verifyJwt(forged, published, { ...expected, subject: 'alice', idToken: true })
    expect(verdict.ok).toBe(false)
  })
})
