import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { OAuthError } from '../../../../src/protocol/oauth/oauth-error.js'
import { createReplayGuard } from '../../../../src/protocol/tokens/replay-guard.js'
import {
  certificateKey,
  type SamlExpectations,
  verifySamlAssertion,
} from '../../../../src/servers/authorization-server/assertions/saml.js'
import { reason, refusal } from '../../../support/refusal.js'
import { encoded, identityProvider, type SamlWords, samlXml, signXml } from './saml-maker.js'

const fixture = (name: string) => readFileSync(join(import.meta.dirname, 'saml-fixtures', name), 'utf8')
const start = Date.parse('2026-01-01T00:01:00Z')

const provider = identityProvider('https://idp.example')

/** Verifies the parameter `assertion`. Every call has its own replay guard, unless it is given. */
function verifyParameter(
  assertion: string,
  {
    certificate = provider.certificatePem,
    ...change
  }: Partial<SamlExpectations> & { certificate?: string } = {},
) {
  return verifySamlAssertion(assertion, {
    issuers: [{ issuer: 'https://idp.example', certificatePem: certificate }],
    audiences: ['https://as.example', 'https://as.example/token'],
    recipient: 'https://as.example/token',
    now: start,
    replay: createReplayGuard({ now: () => start }),
    clientId: 'app',
    ...change,
  })
}
const verify = (xml: string, change?: Parameters<typeof verifyParameter>[1]) =>
  verifyParameter(encoded(xml), change)
const signed = (words: SamlWords = {}) => signXml(samlXml(words), provider)

describe('SAML assertions of other makers', () => {
  it.each([
    ['signxml-rsa-sha256.xml', 'rsa.crt', 'alice', '_signxml-rsa'],
    ['signxml-rsa-sha512-no-prefix.xml', 'rsa.crt', 'alice', '_signxml-512'],
    ['signxml-ecdsa-sha256.xml', 'ec.crt', 'alice', '_signxml-ec'],
    ['xmlsec1-rsa-sha256.xml', 'rsa.crt', 'alice', '_xmlsec-rsa'],
    ['xmlsec1-rsa-sha384-unicode.xml', 'rsa.crt', 'Zoë <zoë@example.com>', '_xmlsec-384'],
    ['xmlsec1-comment.xml', 'rsa.crt', 'alice.example', '_xmlsec-comment'],
  ])('%s is accepted', async (name, certificate, subject, id) => {
    expect(await verify(fixture(name), { certificate: fixture(certificate) })).toEqual({
      issuer: 'https://idp.example',
      subject,
      id,
      expiresAt: Date.parse('2026-01-01T00:05:00Z'),
    })
  })

  it('is accepted with the line ends of another system, which XML treats as equal', async () => {
    const xml = fixture('xmlsec1-rsa-sha256.xml').replaceAll('\n', '\r\n')
    expect(await verify(xml, { certificate: fixture('rsa.crt') })).toMatchObject({ subject: 'alice' })
  })

  it('refuses SHA-1', async () => {
    const attempt = verify(fixture('xmlsec1-rsa-sha1.xml'), { certificate: fixture('rsa.crt') })
    expect(await reason(attempt)).toContain('SignatureMethod http://www.w3.org/2000/09/xmldsig#rsa-sha1')
  })

  it('refuses a signature of another key, and a key of another type', async () => {
    const xml = fixture('signxml-rsa-sha256.xml')
    expect(await reason(verify(xml))).toContain('invalid signature')
    expect(await reason(verify(xml, { certificate: fixture('ec.crt') }))).toContain(
      'registered key is not for',
    )
  })
})

describe('the content of a SAML assertion (RFC 7522 §3)', () => {
  it('is accepted when complete', async () => {
    expect(await verify(signed())).toMatchObject({ subject: 'alice', id: '_a1' })
  })

  const bearer = 'Recipient="https://as.example/token"'
  const END = 'NotOnOrAfter="2026-01-01T00:05:00Z"'
  const [NOW, SOON, DAY] = ['2026-01-01T00:01:00Z', '2026-01-01T00:01:30.001Z', '2026-01-02T00:01:00.001Z']
  const OVER = 'confirmation of the subject has expired (NotOnOrAfter: 2026-01-01T00:01:00.000Z)'
  const OTHERS = '<saml:AudienceRestriction><saml:Audience>x</saml:Audience></saml:AudienceRestriction>'
  it.each<[string, SamlWords, string]>([
    ['another Issuer', { issuer: 'https://evil.example' }, 'Issuer is not a registered'],
    ['no Issuer', { issuer: null }, 'Assertion has no Issuer'],
    ['another Version', { version: '1.1' }, 'Version 2.0'],
    ['no NameID', { nameId: null }, 'Subject has no NameID'],
    ['an empty NameID', { nameId: '<saml:NameID> </saml:NameID>' }, 'NameID is empty'],
    ['two NameIDs', { nameId: '<saml:NameID>a</saml:NameID>'.repeat(2) }, 'more than one NameID'],
    ['an element in NameID', { nameId: '<saml:NameID>a<b/>c</saml:NameID>' }, 'not plain text'],
    ['an encrypted subject', { nameId: '<saml:EncryptedID/>' }, 'encrypted elements are not accepted'],
    ['another audience', { audiences: ['https://other.example', 'x'] }, 'Audience: https://other.example x'],
    ['no audience', { audiences: [] }, 'Audience does not name'],
    ['no AudienceRestriction', { audiences: null }, 'no AudienceRestriction'],
    ['a second AudienceRestriction for others', { condition: OTHERS }, 'Audience does not name'],
    ['an unknown condition', { condition: '<saml:Condition/>' }, 'a condition is not known'],
    ['conditions that end now', { notOnOrAfter: NOW }, 'has expired'],
    ['an end in a day and 1 ms', { notOnOrAfter: DAY, confirmation: null }, 'unreasonably far'],
    ['conditions that begin in 30.001 s', { notBefore: SOON }, `not yet valid (NotBefore: ${SOON})`],
    ['an issue in 30.001 s', { issueInstant: SOON }, 'not yet valid'],
    ['a year of six digits', { notBefore: '+002026-01-01T00:00:00Z' }, 'not a time in UTC'],
    ['a local time', { notOnOrAfter: '2026-01-01T00:10:00+01:00' }, 'not a time in UTC'],
    [
      'another Recipient',
      { confirmation: `Recipient="https://as.example/x" ${END}` },
      'is not the token endpoint',
    ],
    ['no Recipient', { confirmation: END }, 'Recipient: missing'],
    ['a confirmation that ends now', { confirmation: `${bearer} NotOnOrAfter="${NOW}"` }, OVER],
    ['a confirmation without end', { confirmation: bearer }, 'has no NotOnOrAfter'],
    [
      'a confirmation that begins',
      { confirmation: `${bearer} ${END} NotBefore="${NOW}"` },
      'may not have NotBefore',
    ],
    ['no end at all', { confirmation: null, notOnOrAfter: null }, 'neither Conditions nor'],
    [
      'another method',
      { method: 'urn:oasis:names:tc:SAML:2.0:cm:x' },
      'no SubjectConfirmation of the bearer',
    ],
  ])('is refused with %s', async (_what, words, expected) => {
    const error = await refusal(verify(signed(words)))
    expect(error.code).toBe('invalid_grant')
    expect(error.rule).toMatch(/^(RFC 7522|SAML 2.0)/)
    expect(`${error.description} (${error.evidence})`).toContain(expected)
  })

  it('may name the URL of the token endpoint as audience', async () => {
    const audiences = ['x', 'https://as.example/token']
    expect(await verify(signed({ audiences }))).toMatchObject({ id: '_a1' })
  })

  it('is accepted once, and stays unused after a refusal', async () => {
    const replay = createReplayGuard({ now: () => start })
    const xml = signed()
    await refusal(verify(xml, { replay, audiences: ['x'] }))
    expect(replay.size).toBe(0)
    const results = await Promise.allSettled(Array.from({ length: 10 }, () => verify(xml, { replay })))
    expect(results.filter(each => each.status === 'fulfilled')).toHaveLength(1)
    expect(await reason(verify(xml, { replay }))).toContain('the assertion was used before')
  })
})

describe('the form of the parameter', () => {
  const root = (name: string, namespace: string) => encoded(`<${name} xmlns="${namespace}"/>`)
  it.each(
    Object.entries({
      nothing: ['', 'not base64url'],
      'plain XML': [samlXml(), 'not base64url'],
      'base64 with plus and slash': ['ab+/', 'not base64url'],
      'base64url after another character': [`!${encoded(signed())}`, 'not base64url'],
      'bytes that are not UTF-8': [Buffer.from([0xff, 0xfe, 0x3c]).toString('base64url'), 'not XML in UTF-8'],
      'as long as 64 KiB of XML': ['A'.repeat(87_384), 'a character XML may not have'],
      'a character longer': ['A'.repeat(87_385), 'longer than 64 KiB'],
      'no XML': [encoded('alice'), 'not XML that is accepted'],
      'a Response': [root('Response', 'urn:oasis:names:tc:SAML:2.0:protocol'), 'root element: Response'],
      'an encrypted assertion': [
        root('EncryptedAssertion', 'urn:oasis:names:tc:SAML:2.0:assertion'),
        'encrypted assertions are not accepted (EncryptedAssertion)',
      ],
      'encrypted in another namespace': [root('EncryptedAssertion', 'urn:x'), 'element: EncryptedAssertion'],
      'another element of SAML 2.0': [
        root('Issuer', 'urn:oasis:names:tc:SAML:2.0:assertion'),
        'element: Issuer',
      ],
      'SAML 1.1': [root('Assertion', 'urn:oasis:names:tc:SAML:1.0:assertion'), 'not one SAML 2.0 Assertion'],
    } as const),
  )('is refused when it is %s', async (_what, [assertion, expected]) => {
    expect(await reason(verifyParameter(assertion))).toContain(expected)
  })

  it('may have padding, which some clients send', async () => {
    const bytes = Buffer.from(`${signed()}\n`.padEnd(4000, '\n'))
    const padded = bytes.toString('base64').replaceAll('+', '-').replaceAll('/', '_')
    expect(padded).toMatch(/=$/)
    expect((await verifyParameter(padded)).subject).toBe('alice')
  })

  it('throws nothing but OAuthError, whatever the text', async () => {
    const good = signed()
    const hostile = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string({
        unit: fc.constantFrom('<', '>', '/', '!', '[', ']', '-', '?', '&', ';', '"', '=', ' ', 'a:', 'xmlns'),
      }),
      // A valid assertion with a part replaced.
      fc
        .tuple(fc.nat(good.length), fc.nat(40), fc.string({ unit: 'binary', maxLength: 20 }))
        .map(([at, length, put]) => good.slice(0, at) + put + good.slice(at + length)),
    )
    await fc.assert(
      fc.asyncProperty(hostile, async xml => {
        if (xml === good) return
        const result = await verify(xml).catch((error: unknown) => error)
        // Outside the signed bytes, such as in KeyInfo or in white space of base64, a change may be harmless.
        if (result instanceof Error) expect(result).toBeInstanceOf(OAuthError)
        else expect(result).toMatchObject({ issuer: 'https://idp.example', subject: 'alice', id: '_a1' })
      }),
      { numRuns: 100 },
    )
  })
})

it('registered certificates are of RSA or EC keys', () => {
  expect(certificateKey(fixture('rsa.crt')).asymmetricKeyType).toBe('rsa')
  expect(certificateKey(fixture('ec.crt')).asymmetricKeyType).toBe('ec')
  expect(() => certificateKey('no certificate')).toThrow()
  for (const other of ['rsa-1024.crt', 'rsa-pss.crt', 'ed25519.crt']) {
    expect(() => certificateKey(fixture(other))).toThrow('neither RSA of at least 2048 bits nor EC')
  }
})
