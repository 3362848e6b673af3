import type { ExplainedMember } from '../tokens/explain.js'
import { momentOf } from './judge.js'
import { lastPart, type SamlAssertion, type SamlMessage } from './message.js'

/** Members under a title. */
export interface ExplainedPart {
  readonly title: string
  readonly members: readonly ExplainedMember[]
}

function member(name: string, value: string | undefined, meaning: string): ExplainedMember[] {
  return value === undefined ? [] : [{ name, value, meaning }]
}

function moment(name: string, value: string | undefined, meaning: string): ExplainedMember[] {
  if (value === undefined) return []
  const at = momentOf(value)
  return [{ name, value, meaning, ...(at !== undefined && { time: new Date(at).toISOString() }) }]
}

const inner = (members: readonly ExplainedMember[]): ExplainedMember[] =>
  members.map(each => ({ ...each, inner: true as const }))

function ofMessage(message: SamlMessage): ExplainedPart {
  const { kind, id, issuer, issueInstant, destination, inResponseTo, status, request, logout } = message
  const { contexts = [] } = request ?? {}
  const { sessions = [] } = logout ?? {}
  return {
    title: kind,
    members: [
      ...member('ID', id, 'name of the message'),
      ...member('Issuer', issuer, 'who sends it'),
      ...moment('IssueInstant', issueInstant, 'sent'),
      ...member('Destination', destination, 'address it is for'),
      ...member('InResponseTo', inResponseTo, 'request that it answers'),
      ...member('Status', status?.join(', '), 'outcome of the request'),
      ...member('StatusMessage', message.statusMessage, 'what went wrong'),
      ...member('AssertionConsumerServiceURL', request?.assertionConsumerService, 'where the answer goes'),
      ...member('ProtocolBinding', request && lastPart(request.protocolBinding ?? 'not said'), 'how it goes'),
      ...member('NameIDPolicy', request?.nameIdFormat, 'kind of name that is asked for'),
      ...member('ForceAuthn', request?.forceAuthn, 'true: a new login'),
      ...member('IsPassive', request?.isPassive, 'true: without asking the person'),
      ...member('NameID', logout?.nameId, 'who is logged out'),
      ...sessions.flatMap(each => member('SessionIndex', each, 'session that ends')),
      ...moment('NotOnOrAfter', logout?.notOnOrAfter, 'good until'),
      ...member('Reason', logout?.reason, 'why'),
      ...member('Artifact', message.artifact, 'stands for a message that is fetched with it'),
      ...contexts.flatMap(each => member('AuthnContextClassRef', each, 'kind of login that is asked for')),
    ],
  }
}

function ofAssertion(assertion: SamlAssertion, title: string): ExplainedPart {
  const { confirmations, audiences, authn, attributes } = assertion
  return {
    title,
    members: [
      ...member('ID', assertion.id, 'name of the assertion'),
      ...member('Issuer', assertion.issuer, 'identity provider'),
      ...moment('IssueInstant', assertion.issueInstant, 'made'),
      ...member('NameID', assertion.nameId, 'who the subject is'),
      ...inner(member('Format', assertion.nameIdFormat, 'kind of name')),
      ...confirmations.flatMap(each => [
        ...member('SubjectConfirmation', each.bearer ? 'bearer' : 'another method', 'who may use it'),
        ...inner([
          ...member('Recipient', each.recipient, 'address where it may be used'),
          ...member('InResponseTo', each.inResponseTo, 'request that it answers'),
          ...moment('NotBefore', each.notBefore, 'from'),
          ...moment('NotOnOrAfter', each.notOnOrAfter, 'until'),
        ]),
      ]),
      ...moment('NotBefore', assertion.notBefore, 'good from'),
      ...moment('NotOnOrAfter', assertion.notOnOrAfter, 'good until'),
      ...audiences.flatMap(each => member('Audience', each.join(', '), 'for whom it is')),
      ...authn.flatMap(each => [
        ...moment('AuthnInstant', each.instant, 'logged in'),
        ...member('SessionIndex', each.sessionIndex, 'session at the identity provider'),
        ...member('AuthnContextClassRef', each.context, 'kind of login'),
      ]),
      ...attributes.flatMap(each =>
        member(each.friendlyName ?? each.name, each.values.join(', '), 'attribute'),
      ),
    ],
  }
}

/** A message for people: its members and those of its assertions, with their meanings. */
export function explainSaml(message: SamlMessage): ExplainedPart[] {
  const { root, assertions } = message
  const title = (index: number) => (assertions.length > 1 ? `Assertion ${index + 1}` : 'Assertion')
  return [
    ...(assertions.some(({ element }) => element === root) ? [] : [ofMessage(message)]),
    ...assertions.map((each, index) => ofAssertion(each, title(index))),
  ]
}
