import { type KeyObject, X509Certificate } from 'node:crypto'
import { shown } from '../../../protocol/oauth/check.js'
import { joinRules } from '../../../protocol/rules/rule.js'
import { SAML } from '../../../protocol/saml/namespaces.js'
import { parseXml, type XmlElement, XmlError } from '../../../protocol/saml/xml.js'
import { signedRoot, XmlSignatureError } from '../../../protocol/saml/xml-signature.js'
import {
  checkExpiry,
  checkReplay,
  MAX_ASSERTION_LENGTH,
  type Refuse,
  refuseWith,
  type VerifiedAssertion,
} from './assertion.js'
import { readSaml, samlIssuer } from './saml-claims.js'
import type { SamlExpectations } from './saml-expectations.js'

/** `grant_type` of a SAML 2.0 assertion (RFC 7522 §2.1). */
export const SAML2_BEARER_GRANT_TYPE = 'urn:ietf:params:oauth:grant-type:saml2-bearer'

/**
 * Returns the key of a registered certificate.
 * @throws Error for a text that is not a certificate, and for a key other than EC or RSA of at least 2048 bits
 */
export function certificateKey(pem: string): KeyObject {
  const key = new X509Certificate(pem).publicKey
  const bits = key.asymmetricKeyDetails?.modulusLength ?? 0
  if (key.asymmetricKeyType === 'ec' || (key.asymmetricKeyType === 'rsa' && bits >= 2048)) return key
  throw new Error('the key of the certificate is neither RSA of at least 2048 bits nor EC')
}

/** Verifies the signature of an assertion, and returns the element to read. @throws XmlError, XmlSignatureError */
export type SignedSaml = (xml: string, key: KeyObject) => Promise<XmlElement>

/**
 * Verifies a SAML 2.0 bearer assertion (RFC 7522 §3): signed with the registered certificate of its issuer, for this
 * server and its token endpoint, within its times, and not used before. After the signature check, only the signed
 * bytes are read.
 * @param assertion base64url of the XML, as in the parameter `assertion`
 * @param signedElement returns the element that the signature is about
 * @throws OAuthError `invalid_grant`
 */
export async function verifySamlAssertion(
  assertion: string,
  expected: SamlExpectations,
  signedElement: SignedSaml = signedRoot,
): Promise<VerifiedAssertion> {
  const refuse = refuseWith('invalid_grant', 'RFC 7522 §3')
  const xml = decode(assertion, refuse)
  const root = await readable(() => parseXml(xml), refuse)
  checkKind(root, refuse)
  const claimed = samlIssuer(root, refuse)
  const issuer = expected.issuers.find(each => each.issuer === claimed)
  if (issuer === undefined) throw refuse('Issuer is not a registered assertion issuer', `Issuer: ${claimed}`)
  const key = certificateKey(issuer.certificatePem)
  const signed = await readable(() => signedElement(xml, key), refuse)
  const { expiresAt, ...names } = readSaml(signed, expected, refuse)
  if (names.issuer !== issuer.issuer) throw refuse('the signed Issuer is another', `Issuer: ${names.issuer}`)
  checkExpiry(expiresAt, expected, refuse)
  const verified = { ...names, expiresAt }
  checkReplay(verified, expected, refuse)
  return verified
}

const decoder = new TextDecoder('utf-8', { fatal: true })

function decode(assertion: string, refuse: Refuse): string {
  const rule = 'RFC 7522 §2.1'
  // Base64url is a third longer than the XML, of which 64 KiB are allowed.
  if (assertion.length > Math.ceil((MAX_ASSERTION_LENGTH * 4) / 3) + 2) {
    throw refuse('the assertion is longer than 64 KiB', undefined, rule)
  }
  if (!/^[A-Za-z0-9_-]+={0,2}$/.test(assertion))
    throw refuse('the assertion is not base64url', undefined, rule)
  try {
    return decoder.decode(Buffer.from(assertion, 'base64url'))
  } catch {
    throw refuse('the assertion is not XML in UTF-8', undefined, rule)
  }
}

/** Converts errors of the XML parser and of the signature check to OAuth errors. */
async function readable(read: () => Promise<XmlElement>, refuse: Refuse): Promise<XmlElement> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof XmlError) throw refuse('the assertion is not XML that is accepted', error.message)
    if (error instanceof XmlSignatureError) {
      throw refuse(
        'the signature of the assertion does not hold',
        error.message,
        joinRules('RFC 7522 §3', 'XMLDSig §3.2'),
      )
    }
    throw error
  }
}

function checkKind(root: XmlElement, refuse: Refuse): void {
  if (root.namespace === SAML && root.name === 'Assertion') return
  if (root.namespace === SAML && root.name === 'EncryptedAssertion') {
    throw refuse('encrypted assertions are not accepted', 'EncryptedAssertion')
  }
  throw refuse('the XML is not one SAML 2.0 Assertion', `root element: ${shown(root.name)}`, 'RFC 7522 §2.1')
}
