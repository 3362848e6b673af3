import { createPrivateKey, type KeyLike, sign } from 'node:crypto'

/** The statements of a SAML 2.0 bearer assertion (RFC 7522 §3). */
export interface SamlStatements {
  readonly issuer: string
  readonly subject: string
  readonly audience: string
  /** The URL of the token endpoint. */
  readonly recipient: string
  /** A unique identifier, without the leading underscore. The XML gets the underscore because an XML name must not begin with a digit. */
  readonly id: string
  /** Milliseconds since the epoch. */
  readonly issuedAt: number
  readonly expiresAt: number
}

const SAML = 'urn:oasis:names:tc:SAML:2.0:assertion'
const DSIG = 'http://www.w3.org/2000/09/xmldsig#'
const EXCLUSIVE = 'http://www.w3.org/2001/10/xml-exc-c14n#'
const SHA256 = 'http://www.w3.org/2001/04/xmlenc#sha256'
const RSA_SHA256 = 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256'
const ECDSA_SHA256 = 'http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha256'

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, char => entities[char] ?? char)
}

/** Formats a time in UTC, with a Z (SAML 2.0 Core §1.3.3). */
function time(ms: number): string {
  return new Date(ms).toISOString()
}

function assertionXml(statements: SamlStatements): string {
  const { issuer, subject, audience, recipient } = statements
  const [from, until] = [time(statements.issuedAt), time(statements.expiresAt)]
  return [
    `<saml:Assertion xmlns:saml="${SAML}" ID="_${escaped(statements.id)}" Version="2.0" IssueInstant="${from}">`,
    `<saml:Issuer>${escaped(issuer)}</saml:Issuer>`,
    `<saml:Subject><saml:NameID>${escaped(subject)}</saml:NameID>`,
    '<saml:SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:bearer">',
    `<saml:SubjectConfirmationData Recipient="${escaped(recipient)}" NotOnOrAfter="${until}"/>`,
    '</saml:SubjectConfirmation></saml:Subject>',
    `<saml:Conditions NotBefore="${from}" NotOnOrAfter="${until}">`,
    `<saml:AudienceRestriction><saml:Audience>${escaped(audience)}</saml:Audience></saml:AudienceRestriction>`,
    '</saml:Conditions></saml:Assertion>',
  ].join('')
}

/** An ECDSA signer in the format of XML signatures: the numbers r and s one after the other (XML Signature §6.4.3). */
class EcdsaSha256 {
  getSignature(signedInfo: unknown, privateKey: KeyLike): string {
    const key = createPrivateKey(privateKey as string)
    return sign('sha256', Buffer.from(String(signedInfo)), { key, dsaEncoding: 'ieee-p1363' }).toString(
      'base64',
    )
  }
  verifySignature(): boolean {
    return false
  }
  getAlgorithmName(): string {
    return ECDSA_SHA256
  }
}

/**
 * Builds a SAML 2.0 bearer assertion and signs the whole assertion with an enveloped signature (RFC 7522 §3).
 * @param keyPem private key, RSA or EC
 * @param certificatePem certificate to put into KeyInfo; the verifier uses its own copy
 * @returns the value of the parameter `assertion`: base64url of the XML (RFC 7522 §2.1)
 * @throws Error when the key is neither RSA nor EC
 */
export async function makeSamlAssertion(
  statements: SamlStatements,
  { keyPem, certificatePem }: { readonly keyPem: string; readonly certificatePem?: string },
): Promise<string> {
  const { SignedXml } = await import('xml-crypto')
  const type = createPrivateKey(keyPem).asymmetricKeyType
  if (type !== 'rsa' && type !== 'ec') throw new Error(`a key of type ${type} cannot sign a SAML assertion`)
  const signer = new SignedXml({
    privateKey: keyPem,
    ...(certificatePem !== undefined && { publicCert: certificatePem }),
    idAttribute: 'ID',
    signatureAlgorithm: type === 'ec' ? ECDSA_SHA256 : RSA_SHA256,
    canonicalizationAlgorithm: EXCLUSIVE,
  })
  signer.SignatureAlgorithms[ECDSA_SHA256] = EcdsaSha256
  signer.addReference({
    xpath: '/*',
    digestAlgorithm: SHA256,
    transforms: [`${DSIG}enveloped-signature`, EXCLUSIVE],
  })
  signer.computeSignature(assertionXml(statements), {
    prefix: 'ds',
    location: { reference: "//*[local-name(.)='Subject']", action: 'before' },
  })
  return Buffer.from(signer.getSignedXml(), 'utf8').toString('base64url')
}
