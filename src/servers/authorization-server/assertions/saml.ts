import { type KeyObject, X509Certificate } from 'node:crypto'
import { shown } from '../../../protocol/oauth/check.js'
import { joinRules } from '../../../protocol/rules/rule.js'
import { BEARER, SAML } from '../../../protocol/saml/namespaces.js'
import { childrenOf, elementsOf, parseXml, type XmlElement, XmlError } from '../../../protocol/saml/xml.js'
import { signedRoot, XmlSignatureError } from '../../../protocol/saml/xml-signature.js'
import {
  ASSERTION_CLOCK_SKEW,
  type AssertionExpectations,
  checkExpiry,
  checkReplay,
  MAX_ASSERTION_LENGTH,
  type Refuse,
  refuseWith,
  type VerifiedAssertion,
} from './assertion.js'

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

const ENTITY = 'urn:oasis:names:tc:SAML:2.0:nameid-format:entity'

/** The supported conditions. An unknown condition makes an assertion invalid (SAML 2.0 Core §2.5.1.1). */
const conditionsKnown = ['AudienceRestriction', 'OneTimeUse', 'ProxyRestriction']

type Expected = Pick<SamlExpectations, 'audiences' | 'recipient' | 'now'>

/** Returns the child with this name. @throws the error of `refuse` unless there is exactly one */
function one(parent: XmlElement, name: string, refuse: Refuse): XmlElement {
  const [child, ...more] = childrenOf(parent, SAML, name)
  if (child === undefined) throw refuse(`${parent.name} has no ${name}`)
  if (more.length > 0) throw refuse(`${parent.name} has more than one ${name}`)
  return child
}

/** Returns the text of an element. @throws the error of `refuse` when the element is empty or has children */
function content(element: XmlElement, refuse: Refuse): string {
  const text = element.text.trim()
  if (text === '' || element.children.length > 0) throw refuse(`${element.name} is empty or not plain text`)
  return text
}

/** Returns a time attribute in milliseconds since the epoch. The text is UTC and ends with Z (SAML 2.0 Core §1.3.3). */
function time(element: XmlElement, name: string, refuse: Refuse): number | undefined {
  const value = element.attributes.get(name)
  if (value === undefined) return undefined
  const at = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?Z$/.test(value) ? Date.parse(value) : Number.NaN
  if (Number.isNaN(at))
    throw refuse(`${name} is not a time in UTC`, `${name}: ${value}`, 'SAML 2.0 Core §1.3.3')
  return at
}

function checkNotBefore(element: XmlElement, name: string, now: number, refuse: Refuse): void {
  const at = time(element, name, refuse)
  if (at !== undefined && at > now + ASSERTION_CLOCK_SKEW) {
    throw refuse('the assertion is not yet valid', `${name}: ${element.attributes.get(name)}`)
  }
}

function samlIssuer(assertion: XmlElement, refuse: Refuse): string {
  const issuer = one(assertion, 'Issuer', refuse)
  const format = issuer.attributes.get('Format') ?? ENTITY
  if (format !== ENTITY) throw refuse('Issuer is not an entity identifier', `Format: ${format}`)
  return content(issuer, refuse)
}

/**
 * Reads an assertion whose signature was verified, and checks all of it (RFC 7522 §3) except expiry and replay. The
 * caller checks those two with the returned `expiresAt` and `id`.
 * @throws the error of `refuse`
 */
function readSaml(assertion: XmlElement, expected: Expected, refuse: Refuse): VerifiedAssertion {
  if (assertion.attributes.get('Version') !== '2.0') throw refuse('the assertion is not of Version 2.0')
  for (const { name, namespace } of [...elementsOf(assertion)].slice(1)) {
    if (namespace !== SAML) continue
    if (name === 'Assertion') throw refuse('there is more than one Assertion', undefined, 'RFC 7522 §2.1')
    if (/^Encrypted/.test(name)) throw refuse('encrypted elements are not accepted', name)
  }
  checkNotBefore(assertion, 'IssueInstant', expected.now, refuse)
  const issuer = samlIssuer(assertion, refuse)
  const subject = one(assertion, 'Subject', refuse)
  const conditions = one(assertion, 'Conditions', refuse)
  const conditionsEnd = checkConditions(conditions, expected, refuse)
  const confirmedUntil = checkConfirmation(subject, conditionsEnd, expected, refuse)
  return {
    issuer,
    subject: content(one(subject, 'NameID', refuse), refuse),
    id: assertion.attributes.get('ID') ?? '',
    expiresAt: Math.min(conditionsEnd ?? confirmedUntil, confirmedUntil),
  }
}

/** Checks the conditions. Returns their `NotOnOrAfter`; undefined without one. */
function checkConditions(conditions: XmlElement, expected: Expected, refuse: Refuse): number | undefined {
  checkNotBefore(conditions, 'NotBefore', expected.now, refuse)
  const unknown = conditions.children.find(
    each => each.namespace !== SAML || !conditionsKnown.includes(each.name),
  )
  if (unknown !== undefined)
    throw refuse('a condition is not known here', unknown.name, 'SAML 2.0 Core §2.5.1.1')
  const restrictions = childrenOf(conditions, SAML, 'AudienceRestriction')
  if (restrictions.length === 0) throw refuse('Conditions has no AudienceRestriction')
  for (const restriction of restrictions) {
    const audiences = childrenOf(restriction, SAML, 'Audience').map(each => content(each, refuse))
    if (!audiences.some(each => expected.audiences.includes(each))) {
      throw refuse('Audience does not name this authorization server', `Audience: ${audiences.join(' ')}`)
    }
  }
  return time(conditions, 'NotOnOrAfter', refuse)
}

/** Returns the end of the first valid bearer confirmation, or of the conditions. @throws the error of `refuse` */
function checkConfirmation(
  subject: XmlElement,
  conditionsEnd: number | undefined,
  expected: Expected,
  refuse: Refuse,
): number {
  let problem = refuse('Subject has no SubjectConfirmation of the bearer method')
  for (const confirmation of childrenOf(subject, SAML, 'SubjectConfirmation')) {
    if (confirmation.attributes.get('Method') !== BEARER) continue
    const [data, ...more] = childrenOf(confirmation, SAML, 'SubjectConfirmationData')
    if (data === undefined) {
      // The data may be absent when the conditions have an end (RFC 7522 §3, item 5).
      if (conditionsEnd !== undefined) return conditionsEnd
      problem = refuse('neither Conditions nor SubjectConfirmationData has NotOnOrAfter')
      continue
    }
    const end = time(data, 'NotOnOrAfter', refuse)
    const recipient = data.attributes.get('Recipient')
    if (more.length > 0) problem = refuse('SubjectConfirmation has two SubjectConfirmationData')
    else if (recipient !== expected.recipient) {
      problem = refuse('Recipient is not the token endpoint', `Recipient: ${recipient ?? 'missing'}`)
    } else if (end === undefined) problem = refuse('SubjectConfirmationData has no NotOnOrAfter')
    else if (data.attributes.has('NotBefore')) {
      problem = refuse(
        'a bearer SubjectConfirmationData may not have NotBefore',
        undefined,
        'SAML 2.0 Profiles §4.1.4.2',
      )
    } else if (end <= expected.now) {
      problem = refuse(
        'the confirmation of the subject has expired',
        `NotOnOrAfter: ${new Date(end).toISOString()}`,
      )
    } else return end
  }
  throw problem
}

export interface SamlAssertionIssuer {
  readonly issuer: string
  /**
   * The issuer's X.509 certificate. Its key is trusted because it is registered; its dates and its own signature are
   * not checked (SAML 2.0 Metadata Interoperability §2.6).
   */
  readonly certificatePem: string
}

export interface SamlExpectations extends AssertionExpectations {
  readonly issuers: readonly SamlAssertionIssuer[]
  readonly recipient: string
}
