import { createPrivateKey, sign, X509Certificate } from 'node:crypto'
import { deflateRawSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeSaml, SamlFormatError } from '../../../src/protocol/saml/encoding.js'
import { examineSaml } from '../../../src/protocol/saml/examine.js'
import {
  identityProvider,
  type SamlWords,
  samlXml,
  signResponse,
  signXml,
} from '../../servers/authorization-server/assertions/saml-maker.js'
import { forAll } from '../../support/for-all.js'

const idp = identityProvider('https://idp.example')
const other = identityProvider('https://idp.example', 2)
const keyOf = (provider: typeof idp) => new X509Certificate(provider.certificatePem).publicKey
const now = Date.parse('2026-01-01T00:01:00Z')
const acs = 'https://app.example/acs'
const audience = 'https://app.example/saml'
const login =
  '<saml:AuthnStatement AuthnInstant="2026-01-01T00:00:00Z" SessionIndex="s1"><saml:AuthnContext><saml:AuthnContextClassRef>urn:oasis:names:tc:SAML:2.0:ac:classes:Password</saml:AuthnContextClassRef></saml:AuthnContext></saml:AuthnStatement>'
const words: SamlWords = {
  audiences: [audience],
  confirmation: `Recipient="${acs}" InResponseTo="_q1" NotOnOrAfter="2026-01-01T00:05:00Z"`,
  extra: login,
}

/** A response with these assertions. */
const response = (content: string, { status = 'Success', answers = ' InResponseTo="_q1"' } = {}) =>
  `<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="_r1" Version="2.0" IssueInstant="2026-01-01T00:00:00Z" Destination="${acs}"${answers}><saml:Issuer>https://idp.example</saml:Issuer><samlp:Status><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:${status}"/></samlp:Status>${content}</samlp:Response>`

const signed = (more: SamlWords = {}) => signXml(samlXml({ ...words, ...more }), idp)

const reader = { now, audience, recipient: acs, inResponseTo: '_q1', issuer: 'https://idp.example' }
const failed = async (xml: string, keys = [keyOf(idp)], at = reader) =>
  (await examineSaml(xml, at, keys)).checks.filter(({ ok }) => !ok).map(({ name }) => name)
const remarks = async (xml: string) =>
  (await examineSaml(xml, { now }, undefined)).lint.map(({ name }) => name)

describe('a response with a signed assertion', () => {
  it('is accepted by the reader that it is for', async () => {
    const { verdict, checks, lint, message } = await examineSaml(response(signed()), reader, [
      keyOf(other),
      keyOf(idp),
    ])
    expect(checks.filter(({ ok }) => !ok)).toEqual([])
    expect(verdict).toBe('accepted')
    expect(lint).toEqual([])
    expect(message.assertions).toMatchObject([{ nameId: 'alice', audiences: [[audience]] }])
  })

  it.each([
    ['the response alone', samlXml(words)],
    ['both', signed()],
  ])('is accepted where the signature is that of %s', async (_name, assertion) => {
    const whole = signResponse(response(assertion), idp)
    expect(await examineSaml(whole, reader, [keyOf(idp)])).toMatchObject({ verdict: 'accepted', lint: [] })
    expect(await failed(whole.replace('alice', 'admin'))).toContain('signature')
  })

  it.each(
    Object.entries({
      'another key': [
        response(signed()),
        [keyOf(other)],
        reader,
        ['signature_of_assertion', 'signed_assertions'],
      ],
      'a changed name': [
        response(signed()).replace('alice', 'admin'),
        undefined,
        reader,
        ['signature_of_assertion', 'signed_assertions'],
      ],
      'no signature': [response(samlXml(words)), undefined, reader, ['signature']],
      'a forged assertion beside the signed one': [
        response(
          `${samlXml({ ...words, id: '_evil', nameId: '<saml:NameID>admin</saml:NameID>' })}${signed()}`,
        ),
        undefined,
        reader,
        ['signed_assertions'],
      ],
      'another audience': [
        response(signed()),
        undefined,
        { ...reader, audience: 'https://other.example' },
        ['audience'],
      ],
      'another address': [
        response(signed()),
        undefined,
        { ...reader, recipient: 'https://other.example' },
        ['destination', 'recipient'],
      ],
      'another request': [
        response(signed()),
        undefined,
        { ...reader, inResponseTo: '_q2' },
        ['response_in_response_to', 'in_response_to'],
      ],
      'another issuer': [
        response(signed()),
        undefined,
        { ...reader, issuer: 'https://evil.example' },
        ['issuer'],
      ],
      'a late reader': [
        response(signed()),
        undefined,
        { ...reader, now: now + 3_600_000 },
        ['not_on_or_after', 'confirmation'],
      ],
      'an early reader': [response(signed()), undefined, { ...reader, now: now - 3_600_000 }, ['not_before']],
      'a failed login': [response(signed(), { status: 'Responder' }), undefined, reader, ['status']],
    } as const),
  )('is refused for %s', async (_name, [xml, keys, at, names]) => {
    const { verdict } = await examineSaml(xml, at, keys ?? [keyOf(idp)])
    expect(await failed(xml, keys && [...keys], at)).toEqual(names)
    expect(verdict).toBe('refused')
  })

  it('needs no key for a verdict about its reader', async () => {
    const wrong = { now, audience: 'https://other.example' }
    expect(await examineSaml(response(signed()), wrong, undefined)).toMatchObject({ verdict: 'refused' })
    expect(await examineSaml(response(signed()), { now }, undefined)).toMatchObject({
      verdict: 'not_verified',
    })
  })
})

describe('remarks', () => {
  const sha1 = {
    algorithm: 'http://www.w3.org/2000/09/xmldsig#rsa-sha1',
    digest: 'http://www.w3.org/2000/09/xmldsig#sha1',
  }
  it.each([
    ['unsigned', response(samlXml(words))],
    ['unsigned_assertion', response(`${samlXml({ ...words, id: '_a2' })}${signed()}`)],
    ['several_assertions', response(`${signed()}${signed({ id: '_a2' })}`)],
    [
      'comment_in_value',
      response(signed({ nameId: '<saml:NameID>admin<!-- -->.evil.example</saml:NameID>' })),
    ],
    ['sha1', response(signXml(samlXml(words), idp, sha1))],
    ['no_bearer', response(signed({ method: 'urn:oasis:names:tc:SAML:2.0:cm:sender-vouches' }))],
    ['no_end', response(signed({ confirmation: `Recipient="${acs}"` }))],
    ['no_recipient', response(signed({ confirmation: 'NotOnOrAfter="2026-01-01T00:05:00Z"' }))],
    [
      'bearer_not_before',
      response(signed({ confirmation: `NotBefore="2026-01-01T00:00:00Z" ${words.confirmation}` })),
    ],
    ['no_audience', response(signed({ audiences: null }))],
    ['no_authn', response(signed({ extra: '' }))],
    ['one_time_use', response(signed({ condition: '<saml:OneTimeUse/>' }))],
    ['version', response(signed({ version: '1.1' }))],
    ['not_utc', response(signed({ notOnOrAfter: '2026-01-01T00:10:00+01:00' }))],
    ['expired', response(signed({ notOnOrAfter: '2026-01-01T00:00:30Z' }))],
    ['not_yet_valid', response(signed({ notBefore: '2026-01-01T00:02:00Z' }))],
    ['unsolicited', response(signed(), { answers: '' })],
    ['encrypted', response('<saml:EncryptedAssertion/>')],
  ])('%s', async (name, xml) => {
    expect(await remarks(xml)).toContain(name)
    if (name !== 'unsigned') expect(await remarks(response(signed()))).toEqual([])
  })
})

describe('the forms of a message', () => {
  const xml = response(signed())
  const base64 = Buffer.from(xml).toString('base64')
  const packed = deflateRawSync(xml).toString('base64')
  it.each([
    ['XML', `\ufeff${xml}\n`, 'xml'],
    ['base64 of a form', base64, 'post'],
    ['base64 in lines', base64.replace(/.{76}/g, '$&\r\n'), 'post'],
    ['base64url', Buffer.from(xml).toString('base64url'), 'post'],
    ['the body of a form', `SAMLResponse=${encodeURIComponent(base64)}&RelayState=a%2Fb`, 'post'],
    [
      'a URL',
      `https://app.example/acs?x=1&SAMLResponse=${encodeURIComponent(packed)}&RelayState=a%2Fb#f`,
      'redirect',
    ],
    ['its value', encodeURIComponent(packed), 'redirect'],
  ])('%s', (name, text, binding) => {
    expect(decodeSaml(text)).toEqual({
      xml,
      binding,
      ...(/body|URL/.test(name) && name !== 'base64url' && { relayState: 'a/b' }),
    })
  })

  it.each([
    ['a page', '<!DOCTYPE html><form>', 'HTML page'],
    ['words', 'not a message!', 'neither XML nor base64'],
    ['base64 of words', Buffer.from('hello').toString('base64'), 'holds no XML'],
    ['a lone percent sign', '%zz', 'percent sign'],
    ['a bomb', deflateRawSync(Buffer.alloc(50_000_000, 0x3c)).toString('base64'), 'holds no XML'],
  ])('%s is none', (_name, text, problem) => expect(() => decodeSaml(text)).toThrow(problem))

  it('throws no other error, whatever the text', async () => {
    const hostile = fc.oneof(
      fc.string(),
      fc.base64String(),
      fc.string().map(each => `<a>${each}</a>`),
      fc.constantFrom(xml, packed).chain(each => fc.nat(each.length).map(at => each.slice(0, at))),
    )
    await forAll(hostile, async text => {
      const read = examineSaml(text, { now }, undefined)
      await read.catch(error => expect(error).toBeInstanceOf(SamlFormatError))
    })
  })

  it.each([
    ['a document type', `<!DOCTYPE a [<!ENTITY b "c">]>${xml}`, 'document type'],
    ['another document', '<a/>', 'not one of SAML 2.0'],
  ])('refuses %s', async (_name, text, problem) => {
    await expect(examineSaml(text, { now }, undefined)).rejects.toThrow(problem)
  })
})

describe('a request in a URL', () => {
  const request = `<samlp:AuthnRequest xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" ID="_q1" Version="2.0" IssueInstant="2026-01-01T00:00:00Z" AssertionConsumerServiceURL="${acs}" ForceAuthn="true"/>`
  const algorithm = 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256'
  const query = `SAMLRequest=${encodeURIComponent(deflateRawSync(request).toString('base64'))}&RelayState=r%20s&SigAlg=${encodeURIComponent(algorithm)}`
  const value = sign('sha256', Buffer.from(query), createPrivateKey(idp.privateKeyPem)).toString('base64')
  const url = (parts: string) => `https://idp.example/sso?${parts}&Signature=${encodeURIComponent(value)}`

  it('is signed beside it (SAML 2.0 Bindings §3.4.4.1), in any order of the parameters', async () => {
    for (const parts of [query, query.split('&').reverse().join('&')]) {
      const { verdict, message } = await examineSaml(url(parts), { now }, [keyOf(other), keyOf(idp)])
      expect(verdict).toBe('accepted')
      expect(message).toMatchObject({
        kind: 'AuthnRequest',
        request: { assertionConsumerService: acs, forceAuthn: 'true' },
      })
    }
  })

  it.each([
    ['another RelayState', url(query.replace('r%20s', 'x')), [keyOf(idp)]],
    ['another key', url(query), [keyOf(other)]],
    ['SHA-1', url(query.replace('rsa-sha256', 'rsa-sha1')), [keyOf(idp)]],
    ['no signature', url(query).replace(/&Signature=.*/, ''), [keyOf(idp)]],
  ])('is refused with %s', async (_name, text, keys) => {
    expect(await examineSaml(text, { now }, keys)).toMatchObject({ verdict: 'refused' })
  })
})

describe('a message of the back channel', () => {
  const PROTOCOL =
    'xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion"'
  const soap = (xml: string) =>
    `<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Header/><s:Body>${xml}</s:Body></s:Envelope>`
  const resolved = (xml: string) =>
    `<samlp:ArtifactResponse ${PROTOCOL} ID="_x1" Version="2.0" IssueInstant="2026-01-01T00:00:00Z" InResponseTo="_x0"><samlp:Status><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:Success"/></samlp:Status>${xml}</samlp:ArtifactResponse>`

  it('is read in its envelope, with the response that the artifact stands for', async () => {
    const { verdict, message } = await examineSaml(soap(resolved(response(signed()))), reader, [keyOf(idp)])
    expect(verdict).toBe('accepted')
    expect(message).toMatchObject({
      kind: 'ArtifactResponse',
      id: '_x1',
      inResponseTo: '_q1',
      destination: acs,
    })
    const refused = await examineSaml(
      soap(resolved(response('', { status: 'Requester' }))),
      { now },
      undefined,
    )
    expect(refused.message.status).toEqual(['Requester'])
    const forged = soap(resolved(response(signed()))).replace('alice', 'admin')
    expect(await examineSaml(forged, reader, [keyOf(idp)])).toMatchObject({ verdict: 'refused' })
  })

  it('asks with an artifact', async () => {
    const xml = soap(
      `<samlp:ArtifactResolve ${PROTOCOL} ID="_x0" Version="2.0"><samlp:Artifact>AAQ=</samlp:Artifact></samlp:ArtifactResolve>`,
    )
    expect((await examineSaml(xml, { now }, undefined)).message).toMatchObject({
      kind: 'ArtifactResolve',
      artifact: 'AAQ=',
    })
  })

  it.each(['', 'text', '<a/>'])('with %j in its envelope is none', async body => {
    await expect(examineSaml(soap(body), { now }, undefined)).rejects.toThrow('not one of SAML 2.0')
  })
})
