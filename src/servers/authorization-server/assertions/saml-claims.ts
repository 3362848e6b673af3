import { BEARER, SAML } from '../../../protocol/saml/namespaces.js'
import { childrenOf, elementsOf, type XmlElement } from '../../../protocol/saml/xml.js'
import { ASSERTION_CLOCK_SKEW, type Refuse, type VerifiedAssertion } from './assertion.js'
import type { SamlExpectations } from './saml-expectations.js'

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

/** Returns the text of `Issuer`. */
export function samlIssuer(assertion: XmlElement, refuse: Refuse): string {
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
export function readSaml(assertion: XmlElement, expected: Expected, refuse: Refuse): VerifiedAssertion {
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
