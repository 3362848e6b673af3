import { SignedXml } from 'xml-crypto'
import { rsaCertificate, rsaPem } from '../../../support/rsa-keys.js'

/** An identity provider for tests, with its own key. */
export interface IdentityProvider {
  readonly issuer: string
  readonly certificatePem: string
  readonly privateKeyPem: string
}

/** An identity provider with the known RSA key of this number. */
export function identityProvider(issuer: string, key: 1 | 2 = 1): IdentityProvider {
  return { issuer, certificatePem: rsaCertificate(key), privateKeyPem: rsaPem(key) }
}

/** The content of an assertion. `null` leaves a part out. */
export interface SamlWords {
  readonly id?: string
  readonly version?: string
  readonly issueInstant?: string
  readonly issuer?: string | null
  readonly nameId?: string | null
  readonly notBefore?: string | null
  readonly notOnOrAfter?: string | null
  readonly audiences?: readonly string[] | null
  /** Attributes of SubjectConfirmationData. */
  readonly confirmation?: string | null
  readonly method?: string
  /** More XML, inside Conditions. */
  readonly condition?: string
  /** More XML, at the end of the assertion. */
  readonly extra?: string
}

const SAML = 'urn:oasis:names:tc:SAML:2.0:assertion'

const part = (value: string | null, write: (value: string) => string) => (value === null ? '' : write(value))

/** The XML of an unsigned assertion. */
export function samlXml(words: SamlWords = {}): string {
  const {
    id = '_a1',
    version = '2.0',
    issueInstant = '2026-01-01T00:00:00Z',
    issuer = 'https://idp.example',
    nameId = '<saml:NameID>alice</saml:NameID>',
    notBefore = '2026-01-01T00:00:00Z',
    notOnOrAfter = '2026-01-01T00:10:00Z',
    audiences = ['https://as.example'],
    confirmation = 'Recipient="https://as.example/token" NotOnOrAfter="2026-01-01T00:05:00Z"',
    method = 'urn:oasis:names:tc:SAML:2.0:cm:bearer',
    condition = '',
    extra = '',
  } = words
  const restriction =
    audiences === null
      ? ''
      : `<saml:AudienceRestriction>${audiences.map(each => `<saml:Audience>${each}</saml:Audience>`).join('')}</saml:AudienceRestriction>`
  return [
    `<saml:Assertion xmlns:saml="${SAML}" ID="${id}" Version="${version}" IssueInstant="${issueInstant}">`,
    part(issuer, value => `<saml:Issuer>${value}</saml:Issuer>`),
    '<saml:Subject>',
    part(nameId, value => value),
    `<saml:SubjectConfirmation Method="${method}">`,
    part(confirmation, value => `<saml:SubjectConfirmationData ${value}/>`),
    '</saml:SubjectConfirmation></saml:Subject><saml:Conditions',
    part(notBefore, value => ` NotBefore="${value}"`),
    part(notOnOrAfter, value => ` NotOnOrAfter="${value}"`),
    `>${restriction}${condition}</saml:Conditions>${extra}</saml:Assertion>`,
  ].join('')
}

const EXCLUSIVE = 'http://www.w3.org/2001/10/xml-exc-c14n#'

/** The parts of the signature. The default is the accepted shape. */
export interface SignatureWords {
  readonly algorithm?: string
  readonly digest?: string
  readonly transforms?: readonly string[]
  readonly canonicalization?: string
  /** XPath of the signed element. */
  readonly reference?: string
  readonly emptyUri?: boolean
}

/** Signs XML with an enveloped signature before its Subject. */
export function signXml(xml: string, provider: IdentityProvider, words: SignatureWords = {}): string {
  const signer = new SignedXml({
    privateKey: provider.privateKeyPem,
    publicCert: provider.certificatePem,
    idAttribute: 'ID',
    signatureAlgorithm: words.algorithm ?? 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
    canonicalizationAlgorithm: words.canonicalization ?? EXCLUSIVE,
  })
  signer.addReference({
    xpath: words.reference ?? '/*',
    digestAlgorithm: words.digest ?? 'http://www.w3.org/2001/04/xmlenc#sha256',
    transforms: words.transforms ?? ['http://www.w3.org/2000/09/xmldsig#enveloped-signature', EXCLUSIVE],
    isEmptyUri: words.emptyUri ?? false,
  })
  signer.computeSignature(xml, {
    prefix: 'ds',
    location: { reference: "//*[local-name(.)='Subject']", action: 'before' },
  })
  return signer.getSignedXml()
}

/** Signs a response behind its issuer, where the schema has the signature. */
export function signResponse(xml: string, provider: IdentityProvider): string {
  const signer = new SignedXml({
    privateKey: provider.privateKeyPem,
    idAttribute: 'ID',
    signatureAlgorithm: 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
    canonicalizationAlgorithm: EXCLUSIVE,
  })
  const transforms = ['http://www.w3.org/2000/09/xmldsig#enveloped-signature', EXCLUSIVE]
  const digestAlgorithm = 'http://www.w3.org/2001/04/xmlenc#sha256'
  signer.addReference({ xpath: '/*', transforms, digestAlgorithm })
  const reference = "/*/*[local-name(.)='Issuer']"
  signer.computeSignature(xml, { prefix: 'ds', location: { reference, action: 'after' } })
  return signer.getSignedXml()
}

/** The value of the parameter `assertion`. */
export function encoded(xml: string): string {
  return Buffer.from(xml, 'utf8').toString('base64url')
}
