import type { Check } from '../oauth/check.js'
import { check } from '../oauth/check.js'
import type { Citation } from '../rules/rule.js'
import type { SamlAssertion, SamlMessage } from './message.js'

/** The reader of a message: what it expects, and when it reads. */
export interface SamlReader {
  /** Milliseconds since the epoch. */
  readonly now: number
  /** The name of the service provider. */
  readonly audience?: string
  /** The address of its assertion consumer service. */
  readonly recipient?: string
  /** The ID of its request. */
  readonly inResponseTo?: string
  /** The name of the identity provider, by its metadata. */
  readonly issuer?: string
}

/** Clocks may differ by this much, in milliseconds. */
const SKEW = 60_000

const SUCCESS_RULE: Citation = 'SAML 2.0 Core §3.2.2.2'
const BEARER_RULE: Citation = 'SAML 2.0 Profiles §4.1.4.3'

/** The moment of a time in SAML, in milliseconds; undefined for one that is not UTC or none (SAML 2.0 Core §1.3.3). */
export function momentOf(text: string | undefined): number | undefined {
  if (text === undefined || !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?Z$/.test(text)) return undefined
  const at = Date.parse(text)
  return Number.isNaN(at) ? undefined : at
}

/** Returns the status as a check; none for a message without one, as a request has. */
export function statusChecks({ status, statusMessage }: SamlMessage): Check[] {
  if (status === undefined) return []
  const detail = [status.join(', ') || 'no StatusCode', statusMessage].filter(Boolean).join(': ')
  return [check('status', status[0] === 'Success', SUCCESS_RULE, detail)]
}

const list = (texts: ReadonlyArray<string | undefined>): string =>
  texts.map(each => each ?? 'none').join(', ') || 'none'

function audienceCheck({ audiences }: SamlAssertion, wanted: string): Check {
  const ok = audiences.length > 0 && audiences.every(each => each.includes(wanted))
  return check('audience', ok, 'SAML 2.0 Core §2.5.1.4', list(audiences.flat()))
}

/** The checks of an assertion that depend on its reader. One bearer confirmation has to fit in every part. */
function readerChecks(assertion: SamlAssertion, reader: SamlReader): Check[] {
  const { audience, recipient, inResponseTo, issuer } = reader
  const bearers = assertion.confirmations.filter(({ bearer }) => bearer)
  const checks: Check[] = []
  if (issuer !== undefined) {
    checks.push(
      check('issuer', assertion.issuer === issuer, 'SAML 2.0 Core §2.3.3', assertion.issuer ?? 'none'),
    )
  }
  if (audience !== undefined) checks.push(audienceCheck(assertion, audience))
  if (recipient !== undefined) {
    const ok = bearers.some(each => each.recipient === recipient)
    checks.push(check('recipient', ok, BEARER_RULE, list(bearers.map(each => each.recipient))))
  }
  if (inResponseTo !== undefined) {
    const ok = bearers.some(each => each.inResponseTo === inResponseTo)
    checks.push(check('in_response_to', ok, BEARER_RULE, list(bearers.map(each => each.inResponseTo))))
  }
  return checks
}

/** The checks of a message that depend on its reader: for whom it is, and in answer to what. */
export function expectationChecks(message: SamlMessage, reader: SamlReader): Check[] {
  const { recipient, inResponseTo } = reader
  const { destination, assertions } = message
  const isResponse = message.status !== undefined
  const rule: Citation = 'SAML 2.0 Core §3.2.2'
  return [
    ...(recipient !== undefined && destination !== undefined
      ? [check('destination', destination === recipient, rule, destination)]
      : []),
    ...(isResponse && inResponseTo !== undefined
      ? [
          check(
            'response_in_response_to',
            message.inResponseTo === inResponseTo,
            rule,
            list([message.inResponseTo]),
          ),
        ]
      : []),
    ...assertions.flatMap(each => readerChecks(each, reader)),
  ]
}

/** One end of the time in which an assertion is good. */
function endCheck(name: string, ends: ReadonlyArray<string | undefined>, now: number): Check {
  const moments = ends.map(momentOf)
  // A confirmation that has not ended is enough: a subject may have several.
  const ok = moments.some(at => at !== undefined && now < at + SKEW)
  return check(name, ok, BEARER_RULE, list(ends))
}

/** The checks of the times of all assertions. Clocks may differ by a minute. */
export function timeChecks({ assertions }: SamlMessage, { now }: SamlReader): Check[] {
  const rule: Citation = 'SAML 2.0 Core §2.5.1.1'
  return assertions.flatMap(({ notBefore, notOnOrAfter, confirmations }) => {
    const [from, to] = [momentOf(notBefore), momentOf(notOnOrAfter)]
    const bearers = confirmations.filter(({ bearer }) => bearer)
    return [
      ...(notBefore === undefined
        ? []
        : [check('not_before', from !== undefined && now + SKEW >= from, rule, notBefore)]),
      ...(notOnOrAfter === undefined
        ? []
        : [check('not_on_or_after', to !== undefined && now < to + SKEW, rule, notOnOrAfter)]),
      ...(bearers.length === 0
        ? []
        : [
            endCheck(
              'confirmation',
              bearers.map(each => each.notOnOrAfter),
              now,
            ),
          ]),
    ]
  })
}
