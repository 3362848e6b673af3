import { describe, expect, it } from 'vitest'
import { createReplayGuard } from '../../../../src/protocol/tokens/replay-guard.js'
import { verifySamlAssertion } from '../../../../src/servers/authorization-server/assertions/saml.js'
import { reason } from '../../../support/refusal.js'
import { encoded, identityProvider, type SignatureWords, samlXml, signXml } from './saml-maker.js'

const now = Date.parse('2026-01-01T00:01:00Z')
const DSIG = 'http://www.w3.org/2000/09/xmldsig#'

const provider = identityProvider('https://idp.example')
const attacker = identityProvider('https://idp.example', 2)
/** A valid assertion for alice, and its parts. */
const good = signXml(samlXml(), provider)
const [signature] = /<ds:Signature .*<\/ds:Signature>/s.exec(good) ?? ['']
const unsigned = good.replace(signature, '')
/** The assertion that an attacker wants the server to read: the same for mallory, with another ID. */
const evil = unsigned.replaceAll('alice', 'mallory').replace('"_a1"', '"_evil"')

const verify = (xml: string) =>
  verifySamlAssertion(encoded(xml), {
    issuers: [provider],
    audiences: ['https://as.example'],
    recipient: 'https://as.example/token',
    now,
    replay: createReplayGuard({ now: () => now }),
    clientId: 'app',
  })

/** Puts XML at the end of an assertion, or in the place of a signature. */
const atEnd = (xml: string, more: string) =>
  xml.replace(/<\/saml:Assertion>$/, () => `${more}</saml:Assertion>`)
const beforeSubject = (xml: string, more: string) =>
  xml.replace('<saml:Subject>', () => `${more}<saml:Subject>`)
const response = (content: string) =>
  `<p:Response xmlns:p="urn:oasis:names:tc:SAML:2.0:protocol" ID="_r">${content}</p:Response>`

const signWith = (words: SignatureWords) => signXml(samlXml(), provider, words)
/** The signature with more XML before its end tag. */
const signatureWith = (more: string) => signature.replace('</ds:Signature>', () => `${more}</ds:Signature>`)
const evilA1 = evil.replace('"_evil"', '"_a1"')
const advice = `<saml:Advice>${evil}</saml:Advice>`
/** The good assertion with its first element of a kind twice. */
const twice = (name: string) =>
  good.replace(new RegExp(`<ds:${name}[ >].*</ds:${name}>`, 's'), element => element + element)
const withMethod = (algorithm: string) =>
  good.replace(/(<ds:SignatureMethod Algorithm=")[^"]+/, `$1${algorithm}`)

describe('signature wrapping', () => {
  it('leaves the unwrapped assertion valid', async () => {
    expect(await verify(good)).toMatchObject({ subject: 'alice', id: '_a1' })
  })

  it.each([
    [
      'XSW1: the signed original inside the signature of an evil root',
      beforeSubject(evil, signatureWith(unsigned)),
      'Signature holds',
    ],
    [
      'XSW2: the signature beside the original inside an evil root',
      atEnd(beforeSubject(evil, signature), unsigned),
      'not about the root',
    ],
    ['XSW3: evil before the signed original', response(evil + good), 'root element: Response'],
    ['XSW4: the signed original inside evil', atEnd(evil, good), 'no signature of its own'],
    [
      'XSW5: evil with the signature, the original behind it',
      atEnd(beforeSubject(evilA1, signature), unsigned),
      'two elements have the same ID',
    ],
    [
      'XSW6: the original in the signature, evil has its ID',
      beforeSubject(evilA1, signatureWith(unsigned)),
      'two elements have the same ID',
    ],
    [
      'XSW7: evil in Extensions before the original',
      response(`<p:Extensions>${evil}</p:Extensions>${good}`),
      'root element: Response',
    ],
    [
      'XSW8: the original in an Object of the signature',
      beforeSubject(evil, signatureWith(`<ds:Object>${unsigned}</ds:Object>`)),
      'Signature holds',
    ],
    ['evil inside the signed one, in Advice', atEnd(good, advice), 'digest'],
    ['two signatures', beforeSubject(good, signature), 'more than one signature'],
    [
      'the original under another kind of ID',
      atEnd(beforeSubject(evilA1, signature), unsigned.replace('ID=', 'Id=')),
      'two elements have the same ID',
    ],
    [
      'the ID in a namespace of its own',
      good.replace(' ID="_a1"', ' x:ID="_a1" ID="_b" xmlns:x="urn:x"'),
      'two attributes ID',
    ],
  ])('%s', async (_what, xml, expected) => {
    expect(await reason(verify(xml))).toContain(expected)
  })

  it('is harmless in KeyInfo, because only the signed bytes are read', async () => {
    const xml = good.replace('<ds:X509Data>', () => `${evil}<ds:X509Data>`)
    expect(await verify(xml)).toMatchObject({ subject: 'alice', id: '_a1' })
  })
})

describe('signatures that are not good enough', () => {
  const mallory = good.replace('>alice<', '>mallory<')
  const subjectAlone = signXml(samlXml().replace('<saml:Subject>', '<saml:Subject ID="_s">'), provider, {
    reference: "//*[local-name(.)='Subject']",
    transforms: [`${DSIG}enveloped-signature`, 'http://www.w3.org/2001/10/xml-exc-c14n#'],
  })

  it.each([
    ['none', unsigned, 'no signature of its own'],
    ['a changed name', mallory, 'digest'],
    ['the key of a stranger, in KeyInfo', signXml(samlXml(), attacker), 'invalid signature'],
    ['a second SignedInfo', twice('SignedInfo'), 'Signature holds'],
    ['a second Reference', twice('Reference'), 'SignedInfo holds'],
    [
      'a DigestValue of another namespace',
      good
        .replace(/<(\/?)ds:DigestValue/g, '<$1DigestValue')
        .replace('<DigestValue', '<DigestValue xmlns="urn:x"'),
      'foreign DigestValue',
    ],
    [
      'another element in place of DigestValue',
      good.replaceAll('ds:DigestValue', 'ds:Digest'),
      'Reference holds Transforms, DigestMethod, Digest, not',
    ],
    [
      'nothing in SignedInfo',
      good.replace(/<ds:SignedInfo>.*<\/ds:SignedInfo>/s, '<ds:SignedInfo/>'),
      'SignedInfo holds nothing',
    ],
    ['no ID', good.replace(' ID="_a1"', ''), 'has no ID'],
    [
      'a DigestValue with a comment before the true one',
      mallory.replace('<ds:DigestValue>', '<ds:DigestValue><!--x-->'),
      'digest',
    ],
    ['a digest of SHA-1', signWith({ digest: `${DSIG}sha1` }), 'DigestMethod'],
    ['RSA with SHA-1', signWith({ algorithm: `${DSIG}rsa-sha1` }), 'SignatureMethod'],
    ['HMAC by name', withMethod(`${DSIG}hmac-sha1`), 'SignatureMethod'],
    ['an algorithm named __proto__', withMethod('__proto__'), 'SignatureMethod __proto__'],
    [
      'inclusive canonicalization of SignedInfo',
      signWith({ canonicalization: 'http://www.w3.org/TR/2001/REC-xml-c14n-20010315' }),
      'CanonicalizationMethod',
    ],
    [
      'comments kept by a transform',
      signWith({
        transforms: [`${DSIG}enveloped-signature`, 'http://www.w3.org/2001/10/xml-exc-c14n#WithComments'],
      }),
      'Transform',
    ],
    ['no canonicalization', signWith({ transforms: [`${DSIG}enveloped-signature`] }), 'Transforms holds'],
    [
      'an XPath transform beside the others',
      good.replace(
        '<ds:Transforms>',
        '<ds:Transforms><ds:Transform Algorithm="http://www.w3.org/TR/1999/REC-xpath-19991116"><ds:XPath>false()</ds:XPath></ds:Transform>',
      ),
      'Transforms holds',
    ],
    ['a reference to the whole document', signWith({ emptyUri: true }), 'not about the root'],
    ['a reference to a part', subjectAlone, 'not about the root'],
    ['an XPath in the ID', good.replaceAll('_a1', "_a1' or '1'='1"), 'has no ID'],
    [
      'an empty SignatureValue',
      good.replace(/<ds:SignatureValue>.*<\/ds:SignatureValue>/s, '<ds:SignatureValue/>'),
      'signature',
    ],
  ])('%s', async (_what, xml, expected) => {
    expect(await reason(verify(xml))).toContain(expected)
  })
})

describe('inside the name', () => {
  it('a comment does not cut the name', async () => {
    const xml = signXml(samlXml({ nameId: '<saml:NameID>alice.evil.example</saml:NameID>' }), provider)
    const commented = xml.replace('alice.evil', 'alice<!-- x -->.evil')
    expect(await verify(commented)).toMatchObject({ subject: 'alice.evil.example' })
  })

  it('CDATA does not cut the name', async () => {
    const xml = signXml(
      samlXml({ nameId: '<saml:NameID>alice<![CDATA[.evil]]>.example</saml:NameID>' }),
      provider,
    )
    expect(await verify(xml)).toMatchObject({ subject: 'alice.evil.example' })
  })

  it('a processing instruction is refused', async () => {
    expect(await reason(verify(good.replace('>alice<', '>ali<?x ce?>ce<')))).toContain(
      'processing instruction',
    )
  })
})

// test/protocol/saml/xml.test.ts has the other documents that the parser refuses.
const laughs = Array.from({ length: 10 }, (_, n) => `<!ENTITY l${n + 1} "${`&l${n};`.repeat(10)}">`)
it.each([
  [
    'an external entity',
    `<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]>${good.replace('>alice<', '>&x;<')}`,
    'document type',
  ],
  [
    'a billion laughs',
    `<!DOCTYPE a [<!ENTITY l0 "ha">${laughs.join('')}]>${good.replace('>alice<', '>&l10;<')}`,
    'document type',
  ],
  ['an end that is missing', good.slice(0, -5), 'not XML that is accepted'],
  ['elements nested deep', atEnd(good, '<x>'.repeat(500) + '</x>'.repeat(500)), 'nested too deep'],
  [
    'attributes in great number',
    atEnd(good, `<x ${Array.from({ length: 5000 }, (_, n) => `a${n}=""`).join(' ')}/>`),
    'too many attributes',
  ],
])('documents made to hurt the parser: %s', async (_what, xml, expected) => {
  expect(await reason(verify(xml))).toContain(expected)
})
