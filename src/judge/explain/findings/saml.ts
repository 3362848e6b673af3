import type { Severity } from '../../../protocol/rules/finding.js'
import { momentOf } from '../../../protocol/saml/judge.js'
import type { SamlRemark } from '../../../protocol/saml/lint.js'
import type { SamlAssertion, SamlMessage } from '../../../protocol/saml/message.js'
import type { Conversation } from '../conversation.js'
import { type Finding, finding, type Judge } from '../finding.js'
import type { FindingName } from '../finding-catalogue.js'
import { type Message, placeOf, type ReadSaml, samlOf } from '../message.js'

/** Clocks may differ by this much, in milliseconds. */
const SKEW = 60_000

type Unread = { readonly problem: string } | { readonly artifact: string }

/** The weight of the remarks on a message. Those that are not here depend on the moment, and are judged by the recording's. */
const WEIGHTS: Readonly<Record<string, readonly [Severity, next: string]>> = {
  unsigned: ['fault', 'sign the response or its assertion at the identity provider'],
  unsigned_logout: ['weakness', 'sign logout messages, and refuse unsigned ones'],
  nobody: ['fault', 'name the person (NameID)'],
  unsigned_assertion: ['fault', 'refuse responses with assertions that nobody signed'],
  several_assertions: ['weakness', 'accept one assertion alone'],
  comment_in_value: ['weakness', 'read all text of the value, or refuse comments'],
  sha1: ['weakness', 'sign with RSA-SHA256'],
  version: ['fault', 'send SAML 2.0'],
  not_utc: ['fault', 'write times in UTC, with a Z'],
  no_bearer: ['fault', 'confirm the subject by the bearer method'],
  no_end: ['fault', 'give the bearer a NotOnOrAfter'],
  no_recipient: ['fault', 'name the assertion consumer service as Recipient'],
  bearer_not_before: ['weakness', 'leave NotBefore out'],
  no_audience: ['fault', 'name the service provider as Audience'],
  no_authn: ['weakness', 'state the login (AuthnStatement)'],
  unsolicited: ['remark', 'begin logins at the service provider'],
}

function remarked(message: Message, { name, rule, text }: SamlRemark): Finding[] {
  const weight = WEIGHTS[name]
  if (weight === undefined) return []
  const [severity, next] = weight
  return [finding(severity, `saml-${name.replaceAll('_', '-')}` as FindingName, rule, message, text, next)]
}

/** Judges what a login response is for: this address, this service provider, this request. */
function* ofReader(message: Message, read: SamlMessage, asked: SamlMessage | undefined): Generator<Finding> {
  const here = placeOf(message.recorded.exchange.request.url)
  const { destination, assertions, inResponseTo } = read
  if (destination !== undefined && placeOf(destination) !== here) {
    yield finding(
      'fault',
      'saml-destination',
      'SAML 2.0 Core §3.2.2',
      message,
      `the response is for ${placeOf(destination)}, and came to ${here}`,
      'register this address as assertion consumer service at the identity provider',
    )
  }
  for (const { confirmations, audiences } of assertions) {
    const bearers = confirmations.filter(({ bearer, recipient }) => bearer && recipient !== undefined)
    const wrong = bearers.map(({ recipient = '' }) => placeOf(recipient)).filter(each => each !== here)
    const isMissent = destination !== undefined && placeOf(destination) !== here
    if (!isMissent && bearers.length > 0 && wrong.length === bearers.length) {
      yield finding(
        'fault',
        'saml-recipient',
        'SAML 2.0 Profiles §4.1.4.3',
        message,
        `the assertion is for a bearer at ${wrong[0]}, and came to ${here}`,
        'register this address as assertion consumer service at the identity provider',
      )
    }
    const reader = asked?.issuer
    if (reader !== undefined && audiences.length > 0 && !audiences.every(each => each.includes(reader))) {
      yield finding(
        'fault',
        'saml-audience',
        'SAML 2.0 Core §2.5.1.4',
        message,
        `the assertion is for ${audiences.flat().join(', ')}, and ${reader} asked`,
        'use one name of the service provider on both sides',
      )
    }
  }
  const named = new Set([inResponseTo, ...assertions.flatMap(answersOf)])
  named.delete(undefined)
  if (asked?.id !== undefined && named.size > 0 && [...named].some(each => each !== asked.id)) {
    yield finding(
      'fault',
      'saml-other-request',
      'SAML 2.0 Profiles §4.1.4.3',
      message,
      'the response answers another request than the one that was sent',
      'refuse it: somebody else may have begun that login',
    )
  }
}

const answersOf = ({ confirmations }: SamlAssertion): readonly (string | undefined)[] =>
  confirmations.filter(({ bearer }) => bearer).map(({ inResponseTo }) => inResponseTo)

/** Judges the times of assertions by the clock of the recording. */
function* ofTimes(message: Message, { assertions }: SamlMessage): Generator<Finding> {
  const { sent } = message.recorded
  if (Number.isNaN(sent)) return
  for (const { notBefore, notOnOrAfter, confirmations } of assertions) {
    const ends = confirmations.filter(({ bearer }) => bearer).map(each => momentOf(each.notOnOrAfter))
    const known = ends.filter(each => each !== undefined)
    const confirmedUntil =
      known.length === ends.length && known.length > 0 ? known.reduce((a, b) => Math.max(a, b)) : Infinity
    const until = Math.min(momentOf(notOnOrAfter) ?? Infinity, confirmedUntil)
    if (sent >= until + SKEW) {
      const late = Math.round((sent - until) / 1000)
      yield finding(
        'fault',
        'saml-expired',
        'SAML 2.0 Core §2.5.1.1',
        message,
        `the assertion had expired ${late} s before it came`,
        'compare the clocks of both sides',
      )
    }
    const from = momentOf(notBefore)
    if (from !== undefined && sent + SKEW < from) {
      yield finding(
        'fault',
        'saml-not-yet-valid',
        'SAML 2.0 Core §2.5.1.1',
        message,
        `the assertion is good only ${Math.round((from - sent) / 1000)} s later`,
        'compare the clocks of both sides',
      )
    }
  }
}

/** Judges a logout request: it is signed, names a person, is for this address and not too late. */
function* ofRequest(
  message: Message,
  { message: read, lint }: Exclude<ReadSaml, Unread>,
): Generator<Finding> {
  if (read.logout === undefined) return
  for (const each of lint) yield* remarked(message, each)
  const here = placeOf(message.recorded.exchange.request.url)
  if (read.destination !== undefined && placeOf(read.destination) !== here) {
    yield finding(
      'fault',
      'saml-destination',
      'SAML 2.0 Core §3.2.2',
      message,
      `the logout request is for ${placeOf(read.destination)}, and came to ${here}`,
      'use one address for single logout on both sides',
    )
  }
  const until = momentOf(read.logout.notOnOrAfter)
  const { sent } = message.recorded
  if (until !== undefined && sent >= until + SKEW) {
    yield finding(
      'fault',
      'saml-expired',
      'SAML 2.0 Core §3.7.1',
      message,
      `the logout request had expired ${Math.round((sent - until) / 1000)} s before it came`,
      'compare the clocks of both sides',
    )
  }
}

function* ofStatus(message: Message, { kind, status, statusMessage }: SamlMessage): Generator<Finding> {
  if (status === undefined || status[0] === 'Success') return
  const words = statusMessage === undefined ? '' : `: ${statusMessage}`
  yield finding(
    'fault',
    'saml-status',
    'SAML 2.0 Core §3.2.2.2',
    message,
    `the ${kind === 'LogoutResponse' ? 'logout' : 'login'} was refused: ${status.join(', ')}${words}`,
    'read the log of the side that answered: it knows why',
  )
}

/** Judges the RelayState, which comes back as it was sent, and assertions that come twice. */
function* ofReturn({ messages }: Conversation): Generator<Finding> {
  const request = messages.find(({ kind }) => kind === 'saml_request')
  const responses = messages.filter(({ kind }) => kind === 'saml_response')
  const [first] = responses
  const sent = request?.fields.get('RelayState')
  const back = first?.fields.get('RelayState')
  if (first && sent !== undefined && back !== sent) {
    yield finding(
      'fault',
      'saml-relay-state',
      'SAML 2.0 Bindings §3.5.3',
      first,
      back === undefined
        ? 'the response came back without RelayState'
        : 'another RelayState came back than was sent',
      'return the RelayState of the request to the letter',
    )
  }
  const seen = new Set<string>()
  for (const message of responses) {
    const ids = samlOf(message)?.assertions.flatMap(({ id }) => id ?? []) ?? []
    if (ids.some(id => seen.has(id))) {
      yield finding(
        'fault',
        'saml-replayed',
        'SAML 2.0 Profiles §4.1.4.5',
        message,
        'the same assertion came a second time',
        'keep the IDs of assertions until they expire, and refuse them then',
      )
    }
    for (const id of ids) seen.add(id)
  }
}

/** Judges SAML messages: what they lack, for whom they are, and whether they answer what was asked. Signatures need keys. */
export const judgeSaml: Judge = conversation => {
  const { messages } = conversation
  if (!messages.some(({ saml }) => saml !== undefined)) return []
  const request = messages.find(each => each.kind === 'saml_request')
  const asked = request && samlOf(request)
  const found = messages.flatMap(message => {
    const { saml } = message
    if (saml === undefined) return []
    if ('problem' in saml) {
      return [
        finding(
          'fault',
          'saml-unreadable',
          'SAML 2.0 Profiles §4.1.4.2',
          message,
          `the SAML message cannot be read: ${saml.problem}`,
        ),
      ]
    }
    if ('artifact' in saml) return []
    if (message.kind === 'saml_request') return [...ofRequest(message, saml)]
    const refused = [...ofStatus(message, saml.message)]
    // A response that reports an error has nothing else to be judged.
    if (refused.length > 0) return refused
    const lint = saml.lint.filter(({ name }, i, all) => all.findIndex(each => each.name === name) === i)
    return [
      ...lint.flatMap(each => remarked(message, each)),
      ...ofReader(message, saml.message, asked),
      ...ofTimes(message, saml.message),
    ]
  })
  return [...found, ...ofReturn(conversation)]
}
