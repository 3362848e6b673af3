import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import {
  butHeader,
  butReadAgain,
  butSecret,
  formOfBody,
  formOfChallenge,
  insteadOfToken,
  otherChallenge,
  otherDate,
  otherIssuer,
  otherLifetime,
  otherMethod,
  otherSecrets,
  otherSignatures,
  rawOfDer,
  readTokenAgain,
} from '../../src/protocol/second-reading.js'
import {
  insteadOfCertificate,
  insteadOfKey,
  insteadOfKeySet,
} from '../../src/protocol/second-reading-keys.js'
import { decodeJwt } from '../../src/protocol/tokens/decode.js'
import { privateKeyProblem, readGivenKeys } from '../../src/protocol/tokens/given-keys.js'
import { verifyJwt } from '../../src/protocol/tokens/verify.js'

const TOKEN = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhIn0.c2lnbmF0dXJl'
const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
const jwk = JSON.stringify(privateKey.export({ format: 'jwk' }))
const base64 = (text: string) => Buffer.from(text).toString('base64')
const lines = pem.trim().split('\n')

describe('a text that is no token', () => {
  it.each([
    ['base64', base64(TOKEN), /in base64/],
    ['base64 in lines', base64(TOKEN).replace(/.{20}/g, '$&\n'), /in base64|into lines/],
    ['hexadecimal', Buffer.from(TOKEN).toString('hex'), /hexadecimal/],
    ['a token answer', JSON.stringify({ access_token: 'opaque', id_token: TOKEN }), /its id_token/],
    ['JSON text', JSON.stringify(TOKEN), /in quotes/],
    ['quotes of a page', `“${TOKEN}”`, /in quotes/],
    ['bytes of Python', `b'${TOKEN}'`, /in quotes/],
    ['parts of base64 with padding', TOKEN.replace(/(?=\.)/g, '='), /base64url without/],
    ['Bearer', `Bearer ${TOKEN}`, /scheme/],
    ['a whole header', `Authorization: Bearer ${TOKEN}`, /scheme/],
    ['a line end', `${TOKEN}\r\n`, /line end around/],
    ['a line end as two characters', `${TOKEN}\\n`, /written as \\n/],
    ['broken into lines', TOKEN.replace(/.{20}/g, '$&\n'), /into lines/],
    ['percent-encoding', TOKEN.replaceAll('.', '%2E'), /percent-encoded/],
    ['percent-encoded quotes', encodeURIComponent(`"${TOKEN}"`), /percent-encoded, and it stands in quotes/],
    ['an address', `https://app.example/cb#access_token=${TOKEN}&state=x`, /its access_token/],
    ['a form', `${TOKEN}&state=x`, /another parameter/],
  ])('%s', (_name, text, remark) => {
    expect(readTokenAgain(text)).toEqual({ content: TOKEN, remark: expect.stringMatching(remark) })
    expect(insteadOfToken(text)).toMatch(remark)
  })

  it('is named by the error of a JWT', () => {
    expect(() => decodeJwt(base64(TOKEN))).toThrow(/has 1; it is in base64/)
  })

  it.each(['opaque-token', '', 'e30=', '{"a":1}', 'x'.repeat(2_000_000)])('%.20s stays what it is', text => {
    expect(readTokenAgain(text)).toBeUndefined()
  })

  it.each([
    ['undefined', /holds nothing/],
    ['[object Object]', /holds nothing/],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a placeholder that nobody replaced
    ['${ACCESS_TOKEN}', /placeholder/],
    ['{{token}}', /placeholder/],
    [TOKEN.slice(0, 30), /cut off/],
    [TOKEN.split('.').slice(0, 2).join('.'), /cut off/],
    [`${TOKEN}==`, /padding/],
    ['<html>', /a page/],
    [pem, /PEM/],
  ])('%.20s', (text, what) => {
    expect(insteadOfToken(text)).toMatch(what)
    expect(butHeader([`Bearer ${text}`])).toMatch(what)
  })

  it('reads hostile texts in linear time', () => {
    const hostile = ['"'.repeat(60_000), ' '.repeat(60_000), '%20'.repeat(20_000), 'a=b&'.repeat(16_000)]
    for (const text of [...hostile, '\u200b'.repeat(60_000), `{"a":`.repeat(10_000)]) {
      expect(insteadOfToken(`x${text}x`)).toBeUndefined()
      expect(formOfBody(`${text} `)).not.toBe('JSON')
    }
  })
})

describe('a key in another form', () => {
  it.each([
    ['\\n as two characters', pem.replaceAll('\n', '\\n'), /two characters/],
    ['in quotes, as in a .env file', JSON.stringify(pem), /two characters|in quotes/],
    ['a service account', JSON.stringify({ type: 'service_account', private_key: pem }), /service account/],
    ['base64 of a PEM', base64(pem), /base64 of a PEM/],
    ['base64 of a JWK', base64(jwk), /base64 of a JWK/],
    ['percent-encoded', encodeURIComponent(pem), /percent-encoded/],
    ['without first and last line', pem.replace(/-----.*-----\n/g, ''), /inside of a PEM/],
    ['blanks for line ends', lines.join(' '), /blanks, or gone/],
    ['no line ends', lines.join(''), /blanks, or gone/],
    ['indented, as in YAML', lines.map(each => `    ${each}`).join('\n'), /indented/],
    ['without its last line', lines.slice(0, -1).join('\n'), /cut off/],
    ['a list of JWKs', `[${jwk}]`, /list of JWKs/],
    ['inside of a member', JSON.stringify({ key: JSON.parse(jwk) }), /its key/],
  ])('%s', (_name, text, remark) => {
    const given = readGivenKeys(text)
    expect(given.remark).toMatch(remark)
    expect(given.keys[0].key.equals(privateKey)).toBe(true)
    expect(privateKeyProblem(text)).toMatch(/jwk convert|set of keys/)
  })

  const pkcs1 = rsa.privateKey.export({ type: 'pkcs1', format: 'pem' }).toString()
  const spki = rsa.publicKey.export({ type: 'spki', format: 'pem' }).toString()
  it.each([
    ['PKCS #1 under PRIVATE KEY', pkcs1.replaceAll('RSA PRIVATE', 'PRIVATE'), /holds a RSA PRIVATE KEY/],
    ['SPKI under RSA PUBLIC KEY', spki.replaceAll('PUBLIC', 'RSA PUBLIC'), /holds a PUBLIC KEY/],
  ])('%s', (_name, text, remark) => expect(readGivenKeys(text).remark).toMatch(remark))

  it.each([
    ['ssh-ed25519 AAAAC3NzaC1 me', /OpenSSH/],
    ['-----BEGIN OPENSSH PRIVATE KEY-----\nb3Bl\n-----END OPENSSH PRIVATE KEY-----', /OpenSSH/],
    ['-----BEGIN CERTIFICATE REQUEST-----\nMIIB\n-----END CERTIFICATE REQUEST-----', /request/],
    ['{"issuer":"https://a.example","jwks_uri":"https://a.example/jwks"}', /jwks_uri names/],
    ['{"installed":{"client_secret":"x"}}', /credentials of a client/],
    [TOKEN, /a token/],
  ])('no key: %.30s', (text, what) => {
    expect(insteadOfKey(text)).toMatch(what)
    expect(() => readGivenKeys(text)).toThrow(what)
  })

  it('several blocks are not guessed among', () => {
    expect(() => readGivenKeys(`${pem}${pkcs1}`)).toThrow(/holds 2 keys/)
  })

  it('a map of certificates is a set, and no certificate', () => {
    const map = '{"k1":"-----BEGIN CERTIFICATE-----\\nMIIB\\n-----END CERTIFICATE-----"}'
    expect(() => readGivenKeys(map)).toThrow(/no key that can be read/)
    expect(insteadOfKeySet(map)).toMatch(/map of certificates.*oauth2\/v3\/certs/)
    expect([insteadOfKeySet(jwk), insteadOfKeySet(`[${jwk}]`), insteadOfKeySet(pem)]).toEqual([
      expect.stringMatching(/one JWK/),
      expect.stringMatching(/a list/),
      expect.stringMatching(/it is PEM/),
    ])
    expect([insteadOfCertificate(map), insteadOfCertificate(pem)]).toEqual([
      expect.stringMatching(/map of certificates/),
      expect.stringMatching(/private key/),
    ])
  })

  it('a key in its own form has no remark', () => {
    expect([readGivenKeys(pem).remark, readGivenKeys(jwk).remark]).toEqual([undefined, undefined])
  })
})

describe('another secret', () => {
  const bytes = Buffer.from('000102030405060708090a0b0c0d0e0f', 'hex')
  it.each([
    ['AAECAwQFBgcICQoLDA0ODw==', bytes, /in base64/],
    ['000102030405060708090a0b0c0d0e0f', bytes, /hexadecimal/],
    ['"quoted secret"', Buffer.from('quoted secret'), /quotes around it/],
    ['a%2Bb', Buffer.from('a+b'), /percent-decoded/],
    ['secret', Buffer.from('secret\n'), /line end/],
    ['secret', createHash('sha256').update('secret').digest(), /digest/],
  ])('%s', (text, other, remark) => {
    const found = otherSecrets(Buffer.from(text)).filter(({ content }) => content.equals(other))
    expect(found.map(each => each.remark)).toEqual([expect.stringMatching(remark)])
  })

  it.each([
    ['s3cr+t/0123456789\n', /line end around/],
    ['"s3cr+t/0123456789"', /in quotes/],
    [encodeURIComponent('s3cr+t/0123456789'), /percent-encoded/],
    ['s3cr t/0123456789', /became blanks/],
    [base64('s3cr+t/0123456789'), /in base64/],
    ['another', /^$/],
  ])('sent as %j', (sent, remark) => {
    expect(butSecret(sent, each => each === 's3cr+t/0123456789')).toMatch(remark)
  })

  it('sent decoded', () => {
    expect(butSecret('0123456789', each => each === base64('0123456789'))).toMatch(/decoded from base64/)
  })
})

it.each([
  ['https://id.example/', /slash/],
  ['http://id.example', /http and https/],
  ['https://ID.example', /upper and lower/],
  ['https://id.example:8443', /another port/],
  ['https://id.example/realms/a', /another tenant, realm or path/],
  ['https://id-dev.example', /another environment: dev/],
  ['https://other.example', /^$/],
  [undefined, /^$/],
])('the issuer %s', (named, difference) => {
  expect(otherIssuer(named, 'https://id.example') ?? '').toMatch(difference)
})

it.each([
  ['https://sts.windows.net/t/', 'https://login.microsoftonline.com/t/v2.0', /v1\.0 and the other of v2\.0/],
  ['https://localhost:8443', 'https://127.0.0.1:8443', /two names of one computer/],
])('the issuer %s for %s', (named, wanted, difference) => {
  expect(otherIssuer(named, wanted)).toMatch(difference)
})

it.each([
  [1_795_835_718, undefined],
  [1_795_835_718_000, /milliseconds/],
  [1_795_835_718_000_000, /microseconds/],
  [1_795_835_718_000_000_000, /nanoseconds/],
  ['1795835718', /in quotes/],
  ['2026-11-28T03:00:00Z', /a date in text/],
])('the date %s', (value, unit) => {
  if (unit === undefined) expect(otherDate(value)).toBeUndefined()
  else expect(otherDate(value)).toMatch(unit)
})

it.each([
  [3600, ''],
  [2_592_000, ''],
  [3_600_000, /milliseconds/],
  [1_795_835_718, /a date, and/],
  [1_795_835_718_000, /a date in milliseconds/],
])('the lifetime %d', (seconds, unit) => expect(otherLifetime(seconds) ?? '').toMatch(unit))

it.each([
  ['{"grant_type":"x"}', 'JSON'],
  ["{'grant_type': 'x'}", 'the text of an object with single quotes'],
  ['grant_type=x&code=y%20z', 'a form'],
  ['--b\r\nContent-Disposition: form-data; name="a"\r\n\r\nx', 'multipart/form-data'],
  ['<!doctype html><p>', 'a page (HTML)'],
  ['<a><b/></a>', 'XML'],
  ['hello', undefined],
])('the body %.20s', (body, form) => expect(formOfBody(body)).toBe(form))

describe('a code_challenge', () => {
  const verifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'
  const digest = (text: string | Buffer, form: 'hex' | 'base64' | 'base64url' = 'base64url') =>
    createHash('sha256').update(text).digest(form)
  it.each([
    [digest(verifier, 'hex'), /hexadecimal digest/, /hexadecimal/],
    [digest(verifier, 'hex').toUpperCase(), /hexadecimal digest/, /hexadecimal/],
    [`${digest(verifier)}=`, /padding/, /padding/],
    [base64(digest(verifier, 'hex')), /hexadecimal digest/, /hexadecimal/],
    [verifier, /verifier itself/, /may be the code_verifier/],
    [digest(Buffer.from(verifier, 'base64url')), /bytes that the verifier writes/, undefined],
    [digest(Buffer.from(verifier, 'utf16le')), /UTF-16/, undefined],
    [digest(`${verifier}\n`), /line end/, undefined],
    [digest(digest(verifier)), /digest of its digest/, undefined],
    [createHash('sha1').update(verifier).digest('base64url'), /SHA-1/, /SHA-1/],
  ])('%s', (challenge, made, form) => {
    expect(otherChallenge(verifier, challenge)).toMatch(made)
    if (form) expect(formOfChallenge(challenge)).toMatch(form)
  })

  it('is the verifier of the token request', () => {
    expect(otherChallenge(digest(verifier), verifier)).toMatch(/other way round/)
    expect(otherChallenge(verifier, 'x'.repeat(43))).toBeUndefined()
  })

  it.each([
    ['s256', 'S256'],
    ['SHA-256', 'S256'],
    ['PLAIN', 'plain'],
    ['md5', undefined],
  ])('the method %s', (method, meant) => expect(otherMethod(method)).toBe(meant))
})

it('a code is found in what surrounds it', () => {
  const fits = (text: string) => text === 'c0de'
  expect(butReadAgain('code', 'https://a.example/cb?code=c0de&state=s', fits)).toMatch(/this is its code/)
  const line = JSON.stringify({ type: 'outcome', tokens: { access_token: 'c0de' } })
  expect(butReadAgain('token', line, fits)).toMatch(/this is its access_token/)
  expect(butReadAgain('code', 'undefined', fits)).toMatch(/holds nothing/)
  expect(butReadAgain('code', 'other', fits)).toBe('')
})

describe('a signature in another form', () => {
  const input = `${Buffer.from('{"alg":"ES256","kid":"one"}').toString('base64url')}.${Buffer.from('{}').toString('base64url')}`
  const der = sign('sha256', Buffer.from(input), privateKey)
  const raw = rawOfDer(der, 32)!
  const key = { ...publicKey.export({ format: 'jwk' }), kid: 'one' }
  const detail = async (signature: string, keys: readonly object[] = [key]) => {
    const { checks } = await verifyJwt(
      `${input}.${signature}`,
      { kind: 'jwks', jwks: { keys: keys as [] } },
      { now: 0, mayLackExp: true },
    )
    return checks[0]
  }

  it.each([
    ['DER', der.toString('base64url'), /r and s side by side/],
    ['hexadecimal', raw.toString('hex'), /hexadecimal/],
    ['base64url of hexadecimal', Buffer.from(raw.toString('hex')).toString('base64url'), /hexadecimal/],
    ['standard base64', `${raw.toString('base64')}`, /standard base64/],
    ['a line end', `${raw.toString('base64url')}\n`, /line end/],
    ['cut off', raw.subarray(0, 60).toString('base64url'), /60 of 64 bytes/],
  ])('%s', async (_name, signature, remark) => {
    expect(await detail(signature)).toMatchObject({ ok: false, detail: expect.stringMatching(remark) })
  })

  it('of a key with another name', async () => {
    const other = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ format: 'jwk' })
    const keys = [
      { ...other, kid: 'one' },
      { ...key, kid: 'two' },
    ]
    expect(await detail(raw.toString('base64url'), keys)).toMatchObject({
      ok: false,
      detail: expect.stringMatching(/signed with the published key two/),
    })
  })

  it('is none of them', () => {
    expect(rawOfDer(Buffer.from('no signature'), 32)).toBeUndefined()
    expect(otherSignatures(raw.toString('base64url'), 'ES256')).toEqual([])
  })
})
