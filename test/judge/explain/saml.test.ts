import { randomBytes } from 'node:crypto'
import { deflateRawSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { explainSource } from '../../../src/judge/explain/read/explain-source.js'
import { redactedHar } from '../../../src/judge/explain/redact/redact-source.js'
import { redactSaml } from '../../../src/judge/explain/redact/saml.js'
import { decodeSaml } from '../../../src/protocol/saml/encoding.js'
import {
  identityProvider,
  type SamlWords,
  samlXml,
  signXml,
} from '../../servers/authorization-server/assertions/saml-maker.js'
import { forAll } from '../../support/for-all.js'
import { entry, type HarEntry, har, stream } from './recording.js'

const acs = 'https://app.example/acs'
const sso = 'https://idp.example/sso'
const audience = 'https://app.example/saml'
const idp = identityProvider('https://idp.example')
const START = Date.parse('2026-03-01T10:00:00.000Z')
const at = (seconds: number) => new Date(START + seconds * 1000).toISOString()

/** The parts of a login that the tests change. */
interface Login {
  readonly words?: SamlWords
  readonly destination?: string
  readonly inResponseTo?: string | null
  readonly status?: string
  readonly assertions?: readonly string[]
  readonly sent?: string
  readonly back?: string | null
  readonly again?: true
}

function words(more: SamlWords = {}): SamlWords {
  return {
    issueInstant: at(0),
    notBefore: at(-60),
    notOnOrAfter: at(300),
    audiences: [audience],
    confirmation: `Recipient="${acs}" InResponseTo="_q1" NotOnOrAfter="${at(300)}"`,
    extra: `<saml:AuthnStatement AuthnInstant="${at(0)}" SessionIndex="s-4711"><saml:AuthnContext><saml:AuthnContextClassRef>urn:oasis:names:tc:SAML:2.0:ac:classes:Password</saml:AuthnContextClassRef></saml:AuthnContext></saml:AuthnStatement>`,
    ...more,
  }
}

const signed = (more?: SamlWords) => signXml(samlXml(words(more)), idp)

function login({
  words: more,
  destination = acs,
  inResponseTo = '_q1',
  status = 'Success',
  assertions = [signed(more)],
  sent = 'relay-1234567890',
  back = sent,
  again,
}: Login = {}): HarEntry[] {
  const request = `<samlp:AuthnRequest xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="_q1" Version="2.0" IssueInstant="${at(0)}" Destination="${sso}" AssertionConsumerServiceURL="${acs}"><saml:Issuer>${audience}</saml:Issuer></samlp:AuthnRequest>`
  const answers = inResponseTo === null ? '' : ` InResponseTo="${inResponseTo}"`
  const response = `<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="_r1" Version="2.0" IssueInstant="${at(2)}" Destination="${destination}"${answers}><saml:Issuer>https://idp.example</saml:Issuer><samlp:Status><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:${status}"/></samlp:Status>${assertions.join('')}</samlp:Response>`
  const packed = encodeURIComponent(deflateRawSync(request).toString('base64'))
  const form = {
    SAMLResponse: Buffer.from(response).toString('base64'),
    ...(back !== null && { RelayState: back }),
  }
  const posted = (seconds: number) => entry(seconds, 'POST', acs, { location: '/home' }, { form })
  return [
    entry(1, 'GET', `${sso}?SAMLRequest=${packed}&RelayState=${sent}`, { html: '<form>' }),
    posted(3),
    ...(again ? [posted(4)] : []),
  ]
}

const explained = (entries: readonly HarEntry[]) => explainSource(stream(har(entries)), 'test.har')

async function findings(entries: readonly HarEntry[]): Promise<string[]> {
  const { flows } = await explained(entries)
  return flows.flatMap(each => each.findings.map(({ severity, name }) => `${severity} ${name}`))
}

const forged = samlXml(words({ id: '_evil', nameId: '<saml:NameID>admin</saml:NameID>' }))
const sha1 = {
  algorithm: 'http://www.w3.org/2000/09/xmldsig#rsa-sha1',
  digest: 'http://www.w3.org/2000/09/xmldsig#sha1',
}

/** Mistakes, each with the one finding that names it. */
const mistakes: Readonly<Record<string, readonly [finding: string, HarEntry[]]>> = {
  'nobody signed': ['fault saml-unsigned', login({ assertions: [samlXml(words())] })],
  'another address': ['fault saml-destination', login({ destination: 'https://app.example/old' })],
  'another recipient': [
    'fault saml-recipient',
    login({
      words: {
        confirmation: `Recipient="https://app.example/old" InResponseTo="_q1" NotOnOrAfter="${at(300)}"`,
      },
    }),
  ],
  'another service provider': [
    'fault saml-audience',
    login({ words: { audiences: ['https://other.example'] } }),
  ],
  'another request': ['fault saml-other-request', login({ inResponseTo: '_q2' })],
  'too late': ['fault saml-expired', login({ words: { notOnOrAfter: at(-100) } })],
  'too early': ['fault saml-not-yet-valid', login({ words: { notBefore: at(200) } })],
  'a refused login': ['fault saml-status', login({ status: 'Responder', assertions: [] })],
  'another RelayState': ['fault saml-relay-state', login({ back: 'other' })],
  'no RelayState': ['fault saml-relay-state', login({ back: null })],
  'a second use': ['fault saml-replayed', login({ again: true })],
  'SHA-1': ['weakness saml-sha1', login({ assertions: [signXml(samlXml(words()), idp, sha1)] })],
  'a comment': [
    'weakness saml-comment-in-value',
    login({ words: { nameId: '<saml:NameID>admin<!-- x -->.evil.example</saml:NameID>' } }),
  ],
  'no end': [
    'fault saml-no-end',
    login({ words: { confirmation: `Recipient="${acs}" InResponseTo="_q1"` } }),
  ],
  'no audience': ['fault saml-no-audience', login({ words: { audiences: null } })],
}

describe('a SAML login', () => {
  it('that is right has no finding, its parties and its outcome', async () => {
    const { flows } = await explained(login())
    expect(flows).toHaveLength(1)
    expect(flows[0]?.findings).toEqual([])
    expect(flows[0]?.conversation).toMatchObject({
      kind: 'saml',
      clientId: audience,
      issuer: 'https://idp.example',
      outcome: 'granted',
    })
  })

  it.each(Object.entries(mistakes))('%s is named by one finding', async (_name, [finding, entries]) => {
    expect(await findings(entries)).toEqual([finding])
  })

  it.each([['right', ['', login()] as const] as const, ...Object.entries(mistakes)])(
    '%s stays as it was when it is redacted',
    async (_name, [, entries]) => {
      let copy = ''
      for await (const piece of redactedHar(() => stream(har(entries)), randomBytes(32), '1.0.0'))
        copy += piece
      expect(copy).not.toContain('relay-1234567890')
      const posted = /SAMLResponse=([^&"]+)/.exec(copy)?.[1] ?? ''
      expect(decodeSaml(posted).xml).not.toMatch(/alice|admin|s-4711/)
      const { flows } = await explainSource(stream(copy), 'copy.har')
      const kept = flows.flatMap(each => each.findings.map(({ severity, name }) => `${severity} ${name}`))
      expect(kept).toEqual(await findings(entries))
    },
  )

  it('with a forged assertion has a fault', async () => {
    expect(await findings(login({ assertions: [forged, signed()] }))).toEqual([
      'fault saml-unsigned-assertion',
      'weakness saml-several-assertions',
    ])
  })

  it('by an artifact is right, and its artifact is replaced', async () => {
    const [request] = login()
    const back = entry(3, 'GET', `${acs}?SAMLart=AAQAAartifact0123456789&RelayState=relay-1234567890`, {
      location: '/home',
    })
    const { flows } = await explained([request!, back])
    expect(flows.map(({ conversation, findings }) => [conversation.outcome, findings])).toEqual([
      ['granted', []],
    ])
    let copy = ''
    for await (const piece of redactedHar(() => stream(har([request!, back])), randomBytes(32), '1.0.0'))
      copy += piece
    expect(copy).not.toContain('artifact0123456789')
    expect((await explainSource(stream(copy), 'copy.har')).flows.flatMap(each => each.findings)).toEqual([])
  })

  it('that nobody asked for, or whose message is broken, says so', async () => {
    const [, response] = login({ inResponseTo: null })
    expect(await findings([response!])).toEqual(['remark saml-unsolicited'])
    const broken = entry(3, 'POST', acs, {}, { form: { SAMLResponse: 'x!' } })
    expect(await findings([broken])).toEqual(['fault saml-unreadable'])
  })
})

describe('a SAML logout', () => {
  const slo = 'https://idp.example/slo'
  const end = 'https://app.example/slo'
  const namespaces =
    'xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" Version="2.0"'
  const person = '<saml:NameID>alice@example.com</saml:NameID><samlp:SessionIndex>s-4711</samlp:SessionIndex>'
  const request = (attributes = '', name = person, destination = slo) =>
    `<samlp:LogoutRequest ${namespaces} ID="_l1" IssueInstant="${at(0)}" Destination="${destination}"${attributes}><saml:Issuer>${audience}</saml:Issuer>${name}</samlp:LogoutRequest>`
  const response = (status = 'Success') =>
    `<samlp:LogoutResponse ${namespaces} ID="_l2" InResponseTo="_l1" IssueInstant="${at(1)}" Destination="${end}"><saml:Issuer>https://idp.example</saml:Issuer><samlp:Status><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:${status}"/></samlp:Status></samlp:LogoutResponse>`
  const signature = `&SigAlg=${encodeURIComponent('http://www.w3.org/2001/04/xmldsig-more#rsa-sha256')}&Signature=c2lnbmF0dXJl`
  const logout = (asked: string, answered = response(), beside = signature): HarEntry[] => {
    const url = (address: string, name: string, xml: string) =>
      `${address}?${name}=${encodeURIComponent(deflateRawSync(xml).toString('base64'))}&RelayState=bye${beside}`
    return [
      entry(1, 'GET', url(slo, 'SAMLRequest', asked), { location: url(end, 'SAMLResponse', answered) }),
      entry(2, 'GET', url(end, 'SAMLResponse', answered), { location: '/' }),
    ]
  }

  it.each<[string, HarEntry[], string[]]>([
    ['that is right', logout(request(` NotOnOrAfter="${at(300)}"`)), []],
    [
      'that nobody signed',
      logout(request(), response(), ''),
      ['weakness saml-unsigned-logout', 'weakness saml-unsigned-logout'],
    ],
    ['of nobody', logout(request('', '')), ['fault saml-nobody']],
    ['of an encrypted person', logout(request('', '<saml:EncryptedID/>')), []],
    [
      'at another address',
      logout(request('', person, 'https://idp.example/old')),
      ['fault saml-destination'],
    ],
    ['that came too late', logout(request(` NotOnOrAfter="${at(-100)}"`)), ['fault saml-expired']],
    ['that was refused', logout(request(), response('Responder')), ['fault saml-status']],
  ])('%s has the findings of it, redacted or not', async (_name, entries, expected) => {
    const { flows } = await explained(entries)
    expect(flows.map(({ conversation }) => conversation.kind)).toEqual(['logout'])
    expect(await findings(entries)).toEqual(expected)
    let copy = ''
    for await (const piece of redactedHar(() => stream(har(entries)), randomBytes(32), '1.0.0')) copy += piece
    const packed = decodeURIComponent(/SAMLRequest=([^&"]+)/.exec(copy)?.[1] ?? '')
    expect(decodeSaml(packed).xml).not.toMatch(/alice|s-4711/)
    const kept = (await explainSource(stream(copy), 'copy.har')).flows.flatMap(each => each.findings)
    expect(kept.map(({ severity, name }) => `${severity} ${name}`)).toEqual(expected)
  })
})

describe('a redacted SAML message', () => {
  const replacing = {
    value: (text: string) => text.replace(/[a-z0-9]/gi, 'x'),
    address: (url: string) => url,
    kept: (text: string) => text,
    prose: (text: string) => text,
  }
  const person =
    '<saml:AttributeStatement><saml:Attribute Name="mail" FriendlyName="mail"><saml:AttributeValue>a&amp;b@example.com</saml:AttributeValue></saml:Attribute></saml:AttributeStatement>'

  it('keeps parties, times and its form, and no person', () => {
    const xml = samlXml(words({ extra: `${words().extra}${person}` })).replace(
      '<saml:Subject>',
      '<!-- alice --><saml:Subject>',
    )
    for (const binding of ['post', 'redirect'] as const) {
      const sent = binding === 'post' ? Buffer.from(xml) : deflateRawSync(xml)
      const redacted = decodeSaml(redactSaml(sent.toString('base64'), replacing) ?? '')
      expect(redacted.binding).toBe(binding)
      expect(redacted.xml).not.toMatch(/alice|example\.com|s-4711/)
      expect(redacted.xml).toContain('>x&amp;x@xxxxxxx.xxx<')
      expect(redacted.xml).toContain('<!-- -->')
      expect(redacted.xml).toContain(`<saml:Audience>${audience}</saml:Audience>`)
      expect(redacted.xml).toContain(`NotOnOrAfter="${at(300)}"`)
    }
    expect(redactSaml('hello', replacing)).toBeUndefined()
  })

  it('holds no value, wherever it stood', async () => {
    const secret = fc.stringMatching(/^[a-z]{4}[0-9]{8}$/)
    await forAll(secret, secret, secret, (name, value, session) => {
      const xml = samlXml({
        nameId: `<saml:NameID SPProvidedID="${value}">${name}<!-- ${name} --><![CDATA[${value}]]></saml:NameID>`,
        extra: `<saml:AuthnStatement SessionIndex='${session}'><saml:SubjectLocality Address="${session}"/></saml:AuthnStatement><saml:AttributeStatement><saml:Attribute Name="n"><saml:AttributeValue><x:deep xmlns:x="urn:x" a="${value}">${value}</x:deep></saml:AttributeValue></saml:Attribute></saml:AttributeStatement>`,
      })
      const { xml: redacted } = decodeSaml(redactSaml(Buffer.from(xml).toString('base64'), replacing) ?? '')
      for (const each of [name, value, session]) expect(redacted).not.toContain(each)
    })
  })
})
