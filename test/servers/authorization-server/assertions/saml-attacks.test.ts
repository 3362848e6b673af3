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

describe('signature wrapping', () => {
  it('leaves the unwrapped assertion valid', async () => {
    expect(await verify(good)).toMatchObject({ subject: 'alice', id: '_a1' })
  })

  it.each(
    Object.entries<[() => string, string]>({
      'XSW1: the signed original inside the signature of an evil root': [
        () =>
          beforeSubject(
            evil,
            signature.replace('</ds:Signature>', () => `${unsigned}</ds:Signature>`),
          ),
        'Signature holds',
      ],
      'XSW2: the signature beside the original inside an evil root': [
        () => atEnd(beforeSubject(evil, signature), unsigned),
        'not about the root',
      ],
      'XSW3: evil before the signed original': [() => response(evil + good), 'root element: Response'],
      'XSW4: the signed original inside evil': [() => atEnd(evil, good), 'no signature of its own'],
      'XSW5: evil with the signature, the original behind it': [
        () => atEnd(beforeSubject(evil.replace('"_evil"', '"_a1"'), signature), unsigned),
        'two elements have the same ID',
      ],
      'XSW6: the original in the signature, evil has its ID': [
        () =>
          beforeSubject(
            evil.replace('"_evil"', '"_a1"'),
            signature.replace('</ds:Signature>', () => `${unsigned}</ds:Signature>`),
          ),
        'two elements have the same ID',
      ],
      'XSW7: evil in Extensions before the original': [
        () => response(`<p:Extensions>${evil}</p:Extensions>${good}`),
        'root element: Response',
      ],
      'XSW8: the original in an Object of the signature': [
        () =>
          beforeSubject(
            evil,
            signature.replace('</ds:Signature>', () => `<ds:Object>${unsigned}</ds:Object></ds:Signature>`),
          ),
        'Signature holds',
      ],
      'evil inside the signed one, in Advice': [
        () => atEnd(good, `<saml:Advice>${evil}</saml:Advice>`),
        'digest',
      ],
      'evil in KeyInfo, which no signature covers': [
        () => good.replace('<ds:X509Data>', () => `${evil}<ds:X509Data>`).replaceAll('_a1', '_a1'),
        'nothing',
      ],
      'two signatures': [() => beforeSubject(good, signature), 'more than one signature'],
      'the original under another kind of ID': [
        () =>
          atEnd(beforeSubject(evil, signature), unsigned.replace('ID=', 'Id=')).replace('"_evil"', '"_a1"'),
        'two elements have the same ID',
      ],
      'the ID in a namespace of its own': [
        () => good.replace(' ID="_a1"', ' x:ID="_a1" ID="_b" xmlns:x="urn:x"'),
        'two attributes ID',
      ],
      'two root elements': [() => good + evil, 'not XML that is accepted'],
    }),
  )('%s', async (_what, [make, expected]) => {
    const xml = make()
    if (expected === 'nothing') {
      // Harmless: only the signed bytes are read, and KeyInfo is not among them.
      expect(await verify(xml)).toMatchObject({ subject: 'alice', id: '_a1' })
    } else expect(await reason(verify(xml))).toContain(expected)
  })
})

describe('signatures that are not good enough', () => {
  it.each(
    Object.entries<[() => string, string]>({
      none: [() => unsigned, 'no signature of its own'],
      'a changed name': [() => good.replace('>alice<', '>mallory<'), 'digest'],
      'a changed audience': [() => good.replace('<saml:Audience>', '<saml:Audience>x'), 'digest'],
      'the key of a stranger, in KeyInfo': [
        () => signXml(samlXml({ nameId: '<saml:NameID>mallory</saml:NameID>' }), attacker),
        'invalid signature',
      ],
      'a KeyInfo of a stranger under a good signature value': [
        () =>
          good
            .replace(
              /<ds:X509Certificate>.*<\/ds:X509Certificate>/s,
              `<ds:X509Certificate>${attacker.certificatePem.replace(/-----[^-]+-----|\s/g, '')}</ds:X509Certificate>`,
            )
            .replace('>alice<', '>mallory<'),
        'digest',
      ],
      'a second SignedInfo': [
        () =>
          good.replace(
            '</ds:SignedInfo>',
            () => `</ds:SignedInfo>${/<ds:SignedInfo>.*<\/ds:SignedInfo>/s.exec(good)![0]}`,
          ),
        'Signature holds',
      ],
      'a second Reference': [
        () =>
          good.replace(
            '</ds:Reference>',
            () => `</ds:Reference>${/<ds:Reference .*<\/ds:Reference>/s.exec(good)![0]}`,
          ),
        'SignedInfo holds',
      ],
      'a DigestValue of another namespace': [
        () =>
          good
            .replace(/<(\/?)ds:DigestValue/g, '<$1DigestValue')
            .replace('<DigestValue', '<DigestValue xmlns="urn:x"'),
        'foreign DigestValue',
      ],
      'another element in place of DigestValue': [
        () => good.replaceAll('ds:DigestValue', 'ds:Digest'),
        'Reference holds Transforms, DigestMethod, Digest, not',
      ],
      'nothing in SignedInfo': [
        () => good.replace(/<ds:SignedInfo>.*<\/ds:SignedInfo>/s, '<ds:SignedInfo/>'),
        'SignedInfo holds nothing',
      ],
      'no ID': [() => good.replace(' ID="_a1"', ''), 'has no ID'],
      'no Reference': [() => good.replace(/<ds:Reference .*<\/ds:Reference>/s, ''), 'SignedInfo holds'],
      'a DigestValue with a comment before the true one': [
        () => good.replace('>alice<', '>mallory<').replace('<ds:DigestValue>', '<ds:DigestValue><!--x-->'),
        'digest',
      ],
      'a digest of SHA-1': [() => signWith({ digest: `${DSIG}sha1` }), 'DigestMethod'],
      'RSA with SHA-1': [() => signWith({ algorithm: `${DSIG}rsa-sha1` }), 'SignatureMethod'],
      'HMAC by name': [
        () => good.replace(/(<ds:SignatureMethod Algorithm=")[^"]+/, `$1${DSIG}hmac-sha1`),
        'SignatureMethod',
      ],
      'HMAC-SHA-256 by name': [
        () =>
          good.replace(
            /(<ds:SignatureMethod Algorithm=")[^"]+/,
            '$1http://www.w3.org/2001/04/xmldsig-more#hmac-sha256',
          ),
        'SignatureMethod',
      ],
      'an algorithm named __proto__': [
        () => good.replace(/(<ds:SignatureMethod Algorithm=")[^"]+/, '$1__proto__'),
        'SignatureMethod __proto__',
      ],
      'inclusive canonicalization of SignedInfo': [
        () => signWith({ canonicalization: 'http://www.w3.org/TR/2001/REC-xml-c14n-20010315' }),
        'CanonicalizationMethod',
      ],
      'comments kept by a transform': [
        () =>
          signWith({
            transforms: [`${DSIG}enveloped-signature`, 'http://www.w3.org/2001/10/xml-exc-c14n#WithComments'],
          }),
        'Transform',
      ],
      'no canonicalization': [
        () => signWith({ transforms: [`${DSIG}enveloped-signature`] }),
        'Transforms holds',
      ],
      'an XPath transform': [
        () =>
          good.replace(
            '<ds:Transforms>',
            '<ds:Transforms><ds:Transform Algorithm="http://www.w3.org/TR/1999/REC-xpath-19991116"><ds:XPath>false()</ds:XPath></ds:Transform>',
          ),
        'Transforms holds',
      ],
      'an XSLT transform': [
        () =>
          good.replace(/(<ds:Transform Algorithm=")[^"]+/, '$1http://www.w3.org/TR/1999/REC-xslt-19991116'),
        'Transform http://www.w3.org/TR/1999/REC-xslt',
      ],
      'a reference to the whole document': [() => signWith({ emptyUri: true }), 'not about the root'],
      'a reference to a file': [
        () => good.replace('URI="#_a1"', 'URI="file:///etc/passwd"'),
        'not about the root',
      ],
      'a reference to a part': [
        () =>
          signXml(samlXml().replace('<saml:Subject>', '<saml:Subject ID="_s">'), provider, {
            reference: "//*[local-name(.)='Subject']",
            transforms: [`${DSIG}enveloped-signature`, 'http://www.w3.org/2001/10/xml-exc-c14n#'],
          }),
        'not about the root',
      ],
      'an XPath in the ID': [() => good.replaceAll('_a1', "_a1' or '1'='1"), 'has no ID'],
      'an empty SignatureValue': [
        () => good.replace(/<ds:SignatureValue>.*<\/ds:SignatureValue>/s, '<ds:SignatureValue/>'),
        'signature',
      ],
    }),
  )('%s', async (_what, [make, expected]) => {
    expect(await reason(verify(make()))).toContain(expected)
  })

  const signWith = (words: SignatureWords) => signXml(samlXml(), provider, words)
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

describe('documents made to hurt the parser', () => {
  const laughs = Array.from({ length: 10 }, (_, n) => `<!ENTITY l${n + 1} "${`&l${n};`.repeat(10)}">`).join(
    '',
  )
  it.each(
    Object.entries<[() => string, string]>({
      'an external entity': [
        () => `<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]>${good.replace('>alice<', '>&x;<')}`,
        'document type',
      ],
      'a billion laughs': [
        () => `<!DOCTYPE a [<!ENTITY l0 "ha">${laughs}]>${good.replace('>alice<', '>&l10;<')}`,
        'document type',
      ],
      'an external document type': [
        () => `<!DOCTYPE a SYSTEM "https://evil.example/a.dtd">${good}`,
        'document type',
      ],
      'a parameter entity': [
        () => `<!doctype a [<!ENTITY % x SYSTEM "https://evil.example/a.dtd">%x;]>${good}`,
        'document type',
      ],
      'an entity of nobody': [() => good.replace('>alice<', '>&alice;<'), 'not XML that is accepted'],
      'a style sheet': [
        () => `<?xml-stylesheet href="https://evil.example/a.xsl"?>${good}`,
        'beside its root element',
      ],
      'a prefix of nobody': [() => good.replace('>alice<', '><x:y/>alice<'), 'not XML that is accepted'],
      'an undeclared ds prefix': [() => good.replace(` xmlns:ds="${DSIG}"`, ''), 'not XML that is accepted'],
      'a text behind the root': [() => `${good}alice`, 'not XML that is accepted'],
      'an attribute twice': [
        () => good.replace(' Version=', ' Version="1.0" Version='),
        'not XML that is accepted',
      ],
      'an attribute without quotes': [
        () => good.replace('Version="2.0"', 'Version=2.0'),
        'not XML that is accepted',
      ],
      'an end that is missing': [() => good.slice(0, -5), 'not XML that is accepted'],
      'elements nested deep': [() => atEnd(good, '<x>'.repeat(500) + '</x>'.repeat(500)), 'nested too deep'],
      'elements in great number': [() => atEnd(good, '<x/>'.repeat(5000)), 'too many tags'],
      'namespaces in great number': [
        () => atEnd(good, Array.from({ length: 1000 }, (_, n) => `<x xmlns:n${n}="n"/>`).join('')),
        'too many namespace declarations',
      ],
      'attributes in great number': [
        () => atEnd(good, `<x ${Array.from({ length: 5000 }, (_, n) => `a${n}=""`).join(' ')}/>`),
        'too many attributes',
      ],
      'attributes in great number on one element': [
        () => atEnd(good, `<x ${Array.from({ length: 100 }, (_, n) => `a${n}=""`).join(' ')}/>`),
        'an element has too many attributes',
      ],
      'a null character': [() => good.replace('>alice<', '>alice\0<'), 'a character XML may not have'],
    }),
  )('%s', async (_what, [make, expected]) => {
    expect(await reason(verify(make()))).toContain(expected)
  })
})
