import { describe, expect, it } from 'vitest'
import { createReplayGuard } from '../../../../src/protocol/tokens/replay-guard.js'
import {
  type SamlExpectations,
  verifySamlAssertion,
} from '../../../../src/servers/authorization-server/assertions/saml.js'
import { reason, refusal } from '../../../support/refusal.js'
import { encoded, identityProvider, type SamlWords, samlXml, signXml } from './saml-maker.js'

const now = Date.parse('2026-01-01T00:01:00Z')
const provider = identityProvider('https://idp.example')
const RECIPIENT = 'https://as.example/token'
const MORE = 'http://www.w3.org/2001/04/xmldsig-more#'
const at = (milliseconds: number) => new Date(now + milliseconds).toISOString()
const until = (end: string) => `Recipient="${RECIPIENT}" NotOnOrAfter="${end}"`

const verify = (xml: string, more: Partial<SamlExpectations> = {}) =>
  verifySamlAssertion(encoded(xml), {
    issuers: [provider],
    audiences: ['https://as.example'],
    recipient: RECIPIENT,
    now,
    replay: createReplayGuard({ now: () => now }),
    clientId: 'app',
    ...more,
  })
const verified = (words: SamlWords, more?: Partial<SamlExpectations>) =>
  verify(signXml(samlXml(words), provider), more)

describe('the times of a SAML assertion', () => {
  const DAY = 86_400_000
  it.each<[string, SamlWords, boolean]>([
    ['conditions that begin in 30 s', { notBefore: at(30_000) }, true],
    ['an issue in 30 s', { issueInstant: at(30_000) }, true],
    ['conditions that end in a millisecond', { notOnOrAfter: at(1) }, true],
    ['a confirmation that ends in a millisecond', { confirmation: until(at(1)) }, true],
    ['an end in a day', { notOnOrAfter: at(DAY), confirmation: null }, true],
    ['nine digits of a second', { notBefore: '2026-01-01T00:00:00.123456789Z' }, true],
    ['ten digits of a second', { notBefore: '2026-01-01T00:00:00.1234567890Z' }, false],
    ['a month that is none', { notBefore: '2025-13-01T00:00:00Z' }, false],
    ['a time with text before it', { notBefore: 'x2026-01-01T00:00:00Z' }, false],
    ['a time with text after it', { notBefore: '2026-01-01T00:00:00Zx' }, false],
    ['no begin', { notBefore: null }, true],
  ])('%s: accepted is %s', async (_name, words, accepted) => {
    const read = verified(words)
    if (accepted) expect((await read).subject).toBe('alice')
    else expect((await refusal(read)).code).toBe('invalid_grant')
  })

  it('end with the conditions or with the confirmation, whichever comes first', async () => {
    const [first, second] = [at(60_000), at(120_000)]
    const expiry = async (words: SamlWords) => (await verified(words)).expiresAt
    expect(await expiry({ notOnOrAfter: first, confirmation: until(second) })).toBe(Date.parse(first))
    expect(await expiry({ notOnOrAfter: second, confirmation: until(first) })).toBe(Date.parse(first))
    expect(await expiry({ notOnOrAfter: null, confirmation: until(second) })).toBe(Date.parse(second))
    // Without SubjectConfirmationData, the conditions alone have an end (RFC 7522 §3, item 5).
    expect(await expiry({ notOnOrAfter: second, confirmation: null })).toBe(Date.parse(second))
  })

  it('are limited to what the caller accepts', async () => {
    expect(await reason(verified({}, { maxLifetime: 60_000 }))).toContain('unreasonably far')
    expect((await verified({}, { maxLifetime: 240_000 })).subject).toBe('alice')
    const late = await refusal(verified({ notOnOrAfter: at(-5_000) }))
    expect(late.evidence).toBe('5 s ago')
  })
})

describe('the content of a SAML assertion', () => {
  const confirmation = (method: string, attributes: string) =>
    `<saml:SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:${method}"><saml:SubjectConfirmationData ${attributes}/></saml:SubjectConfirmation>`
  const alice = '<saml:NameID>alice</saml:NameID>'

  it.each(
    Object.entries<SamlWords>({
      'the conditions OneTimeUse and ProxyRestriction': {
        condition: '<saml:OneTimeUse/><saml:ProxyRestriction/>',
      },
      'another confirmation before the good one': {
        nameId: alice + confirmation('bearer', 'Recipient="x"') + confirmation('sender-vouches', ''),
      },
      'white space around the name': { nameId: '<saml:NameID>\n alice </saml:NameID>' },
      'a second AudienceRestriction that names this server too': {
        condition:
          '<saml:AudienceRestriction><saml:Audience>https://as.example</saml:Audience></saml:AudienceRestriction>',
      },
    }),
  )('may have %s', async (_name, words) => {
    expect((await verified(words)).subject).toBe('alice')
  })

  it.each<[string, SamlWords, string]>([
    ['a condition of another namespace', { condition: '<OneTimeUse xmlns="urn:x"/>' }, 'not known here'],
    ['an audience that is empty', { audiences: [''] }, 'Audience is empty'],
    ['an encrypted attribute', { extra: '<saml:EncryptedAttribute/>' }, 'encrypted elements'],
    [
      'an assertion inside',
      { extra: '<saml:Advice><saml:Assertion/></saml:Advice>' },
      'more than one Assertion',
    ],
  ])('may not have %s', async (_name, words, why) => {
    expect(await reason(verified(words))).toContain(why)
  })

  it('may not have two data in one confirmation', async () => {
    const xml = samlXml().replace(/<saml:SubjectConfirmationData [^>]*\/>/, data => data + data)
    expect(await reason(verify(signXml(xml, provider)))).toContain('two SubjectConfirmationData')
  })

  it.each([
    ['urn:oasis:names:tc:SAML:2.0:nameid-format:entity', true],
    ['urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress', false],
  ])('has an Issuer of the format %s: accepted is %s', async (format, accepted) => {
    const xml = samlXml().replace('<saml:Issuer>', `<saml:Issuer Format="${format}">`)
    const read = verify(signXml(xml, provider))
    if (accepted) expect((await read).issuer).toBe('https://idp.example')
    else expect(await reason(read)).toContain('not an entity identifier')
  })

  it('may have other elements that are named like those of SAML', async () => {
    const extra =
      '<Assertion xmlns="urn:x"/><EncryptedID xmlns="urn:x"/><Signature xmlns="urn:x"/><saml:NotEncrypted/>'
    expect((await verified({ extra })).subject).toBe('alice')
  })

  it('is refused while the replay guard is full', async () => {
    const replay = createReplayGuard({ now: () => now, limit: 1 })
    await verified({ id: '_one' }, { replay })
    expect(await reason(verified({ id: '_two' }, { replay }))).toContain('too many assertions')
  })
})

describe('the signature of a SAML assertion', () => {
  it.each([
    ['rsa-sha256', 'http://www.w3.org/2001/04/xmlenc#sha256'],
    ['rsa-sha512', 'http://www.w3.org/2001/04/xmlenc#sha512'],
  ])('may be %s', async (algorithm, digest) => {
    const xml = signXml(samlXml(), provider, { algorithm: `${MORE}${algorithm}`, digest })
    expect((await verify(xml)).subject).toBe('alice')
  })

  it.each([
    ['_', true],
    ['a.b-C_9', true],
    [`_${'a'.repeat(255)}`, true],
    [`_${'a'.repeat(256)}`, false],
    ['9a', false],
    ['a b', false],
  ])('is about the ID %j: accepted is %s', async (id, accepted) => {
    const xml = signXml(samlXml({ id }), provider)
    if (accepted) expect((await verify(xml)).id).toBe(id)
    else expect(await reason(verify(xml))).toContain('has no ID')
  })
})
