import { BEARER, PROTOCOL, SAML, SOAP } from './namespaces.js'
import { childrenOf, elementsOf, type XmlElement } from './xml.js'

/** A subject confirmation: how its bearer proves to be the subject (SAML 2.0 Core §2.4.1.1). */
export interface SamlConfirmation {
  readonly bearer: boolean
  readonly recipient?: string
  readonly inResponseTo?: string
  readonly notBefore?: string
  readonly notOnOrAfter?: string
}

/** A login, as the identity provider states it (SAML 2.0 Core §2.7.2). */
export interface SamlAuthn {
  readonly instant?: string
  readonly sessionIndex?: string
  readonly context?: string
}

/** An attribute of the subject (SAML 2.0 Core §2.7.3). */
export interface SamlAttribute {
  readonly name: string
  readonly friendlyName?: string
  readonly values: readonly string[]
}

/** An assertion in plain data (SAML 2.0 Core §2.3.3). */
export interface SamlAssertion {
  readonly element: XmlElement
  readonly id?: string
  readonly version?: string
  readonly issueInstant?: string
  readonly issuer?: string
  readonly nameId?: string
  readonly nameIdFormat?: string
  readonly confirmations: readonly SamlConfirmation[]
  readonly notBefore?: string
  readonly notOnOrAfter?: string
  /** The audiences of each restriction: one of each has to fit (SAML 2.0 Core §2.5.1.4). */
  readonly audiences: ReadonlyArray<readonly string[]>
  readonly oneTimeUse: boolean
  readonly authn: readonly SamlAuthn[]
  readonly attributes: readonly SamlAttribute[]
}

/** The wishes of a login request (SAML 2.0 Core §3.4.1). */
export interface SamlRequest {
  readonly assertionConsumerService?: string
  readonly protocolBinding?: string
  readonly nameIdFormat?: string
  readonly contexts: readonly string[]
  readonly forceAuthn?: string
  readonly isPassive?: string
}

/** The content of a logout request (SAML 2.0 Core §3.7.1). */
export interface SamlLogout {
  readonly nameId?: string
  readonly sessions: readonly string[]
  readonly notOnOrAfter?: string
  readonly reason?: string
}

/** A SAML message in plain data: a response, a request, or an assertion alone. */
export interface SamlMessage {
  readonly root: XmlElement
  /** The name of the root element, such as `Response`. */
  readonly kind: string
  readonly id?: string
  readonly version?: string
  readonly issueInstant?: string
  readonly destination?: string
  readonly inResponseTo?: string
  readonly issuer?: string
  /** The codes of the status, the outer one first, by their last part. */
  readonly status?: readonly string[]
  readonly statusMessage?: string
  readonly request?: SamlRequest
  readonly logout?: SamlLogout
  /** The reference to a message that its receiver fetches (SAML 2.0 Core §3.5.1). */
  readonly artifact?: string
  readonly assertions: readonly SamlAssertion[]
  /** The names of encrypted elements, with their algorithms. */
  readonly encrypted: readonly string[]
}

const CONTEXT = 'AuthnContextClassRef'

/** The part of an identifier that people read: `Success` of `urn:oasis:names:tc:SAML:2.0:status:Success`. */
export const lastPart = (identifier: string): string => identifier.split(/[:#/]/).at(-1) ?? identifier

const textOf = (element: XmlElement | undefined): string | undefined => element?.text.trim()

const firstOf = (parent: XmlElement | undefined, namespace: string, name: string): XmlElement | undefined =>
  parent && childrenOf(parent, namespace, name)[0]

/** An object of the attributes that are there, by our names. */
function members<Name extends string>(
  element: XmlElement | undefined,
  names: Readonly<Record<Name, string>>,
): Partial<Record<Name, string>> {
  const found = Object.entries<string>(names).flatMap(([own, theirs]) => {
    const value = element?.attributes.get(theirs)
    return value === undefined ? [] : [[own, value] as const]
  })
  return Object.fromEntries(found) as Partial<Record<Name, string>>
}

const texts = <Name extends string>(given: Readonly<Record<Name, string | undefined>>) =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as Partial<
    Record<Name, string>
  >

const SHARED = { id: 'ID', version: 'Version', issueInstant: 'IssueInstant' } as const
const TIMES = { notBefore: 'NotBefore', notOnOrAfter: 'NotOnOrAfter' } as const

function readConfirmation(confirmation: XmlElement): SamlConfirmation {
  const data = firstOf(confirmation, SAML, 'SubjectConfirmationData')
  return {
    bearer: confirmation.attributes.get('Method') === BEARER,
    ...members(data, { recipient: 'Recipient', inResponseTo: 'InResponseTo', ...TIMES }),
  }
}

function readAuthn(statement: XmlElement): SamlAuthn {
  const context = firstOf(statement, SAML, 'AuthnContext')
  return {
    ...members(statement, { instant: 'AuthnInstant', sessionIndex: 'SessionIndex' }),
    ...texts({ context: textOf(firstOf(context, SAML, CONTEXT)) }),
  }
}

function readAttribute(attribute: XmlElement): SamlAttribute {
  return {
    name: attribute.attributes.get('Name') ?? '',
    ...members(attribute, { friendlyName: 'FriendlyName' }),
    values: childrenOf(attribute, SAML, 'AttributeValue').map(({ text, children }) =>
      children.length > 0 ? `<${children[0]!.name}>` : text.trim(),
    ),
  }
}

function readAssertion(element: XmlElement): SamlAssertion {
  const subject = firstOf(element, SAML, 'Subject')
  const conditions = firstOf(element, SAML, 'Conditions')
  const nameId = firstOf(subject, SAML, 'NameID')
  const within = (parent: XmlElement | undefined, name: string) =>
    parent === undefined ? [] : childrenOf(parent, SAML, name)
  return {
    element,
    ...members(element, SHARED),
    ...texts({ issuer: textOf(firstOf(element, SAML, 'Issuer')), nameId: textOf(nameId) }),
    ...members(nameId, { nameIdFormat: 'Format' }),
    confirmations: within(subject, 'SubjectConfirmation').map(readConfirmation),
    ...members(conditions, TIMES),
    audiences: within(conditions, 'AudienceRestriction').map(each =>
      childrenOf(each, SAML, 'Audience').map(({ text }) => text.trim()),
    ),
    oneTimeUse: within(conditions, 'OneTimeUse').length > 0,
    authn: within(element, 'AuthnStatement').map(readAuthn),
    attributes: within(element, 'AttributeStatement').flatMap(statement =>
      childrenOf(statement, SAML, 'Attribute').map(readAttribute),
    ),
  }
}

function readRequest(root: XmlElement): SamlRequest {
  const contexts = firstOf(root, PROTOCOL, 'RequestedAuthnContext')
  return {
    ...members(root, {
      assertionConsumerService: 'AssertionConsumerServiceURL',
      protocolBinding: 'ProtocolBinding',
      forceAuthn: 'ForceAuthn',
      isPassive: 'IsPassive',
    }),
    ...members(firstOf(root, PROTOCOL, 'NameIDPolicy'), { nameIdFormat: 'Format' }),
    contexts:
      contexts === undefined ? [] : childrenOf(contexts, SAML, CONTEXT).map(({ text }) => text.trim()),
  }
}

function readLogout(root: XmlElement): SamlLogout {
  return {
    ...texts({ nameId: textOf(firstOf(root, SAML, 'NameID')) }),
    ...members(root, { notOnOrAfter: 'NotOnOrAfter', reason: 'Reason' }),
    sessions: childrenOf(root, PROTOCOL, 'SessionIndex').map(({ text }) => text.trim()),
  }
}

/** The codes of a status: each may hold a more exact one (SAML 2.0 Core §3.2.2.2). */
function* statusCodes(parent: XmlElement): Generator<string> {
  const code = firstOf(parent, PROTOCOL, 'StatusCode')
  if (code === undefined) return
  yield lastPart(code.attributes.get('Value') ?? '')
  yield* statusCodes(code)
}

/** True for a document that is a SAML 2.0 message or assertion. */
export function isSaml({ namespace }: XmlElement): boolean {
  return namespace === SAML || namespace === PROTOCOL
}

/** Returns the message in a SOAP envelope; any other document is its own message. */
export function messageIn(document: XmlElement): XmlElement {
  const body = document.name === 'Envelope' ? firstOf(document, SOAP, 'Body') : undefined
  return body?.children[0] ?? document
}

/** Reads a message as plain data, and judges nothing. Elements that are missing are left out. */
export function readMessage(root: XmlElement): SamlMessage {
  // The answer to an artifact holds the response that the artifact stands for.
  const answer = (root.name === 'ArtifactResponse' && firstOf(root, PROTOCOL, 'Response')) || root
  const status = firstOf(answer, PROTOCOL, 'Status')
  const all = [...elementsOf(root)]
  return {
    root,
    kind: root.name,
    ...members(root, SHARED),
    ...members(answer, { destination: 'Destination', inResponseTo: 'InResponseTo' }),
    ...texts({
      artifact: textOf(firstOf(root, PROTOCOL, 'Artifact')),
      issuer: textOf(firstOf(root, SAML, 'Issuer')),
      statusMessage: textOf(firstOf(status, PROTOCOL, 'StatusMessage')),
    }),
    ...(status !== undefined && { status: [...statusCodes(status)] }),
    ...(root.name === 'AuthnRequest' && { request: readRequest(root) }),
    ...(root.name === 'LogoutRequest' && { logout: readLogout(root) }),
    assertions: all
      .filter(({ namespace, name }) => namespace === SAML && name === 'Assertion')
      .map(readAssertion),
    encrypted: all
      .filter(({ namespace, name }) => namespace === SAML && name.startsWith('Encrypted'))
      .map(each => {
        const method = [...elementsOf(each)].find(({ name }) => name === 'EncryptionMethod')
        return `${each.name} (${lastPart(method?.attributes.get('Algorithm') ?? 'unknown algorithm')})`
      }),
  }
}
