import type { Rule } from '../rules/rule.js'
import { momentOf } from './judge.js'
import type { SamlAssertion, SamlMessage } from './message.js'
import { SAML } from './namespaces.js'
import type { SamlSignature } from './signatures.js'
import { elementsOf } from './xml.js'

/** A remark on a message: it refuses nothing by itself. */
export interface SamlRemark {
  /** snake_case and stable: `unsigned`, `sha1`, `comment_in_value`, … */
  readonly name: string
  readonly text: string
  readonly rule: Rule
}

const LOGIN: Rule = 'SAML 2.0 Profiles §4.1.4.2'

const remark = (name: string, text: string, rule: Rule): SamlRemark => ({ name, text, rule })

/** Remarks on the signatures: none, weak ones, and ones that leave something out. */
function* ofSignatures(
  { root, assertions }: SamlMessage,
  signatures: readonly SamlSignature[],
  signedBeside: boolean,
): Generator<SamlRemark> {
  const whole = signedBeside || signatures.some(({ of }) => of === root)
  const loose = assertions.filter(({ element }) => !signatures.some(({ of }) => of === element))
  if (!whole && loose.length > 0) {
    const some = loose.length < assertions.length
    yield remark(
      some ? 'unsigned_assertion' : 'unsigned',
      some
        ? `${loose.length} of ${assertions.length} assertions are signed by nobody`
        : 'nobody signed it: anybody can write this',
      some ? 'SAML 2.0 Core §5.4.2' : 'SAML 2.0 Profiles §4.1.4.5',
    )
  }
  if (assertions.length > 1) {
    yield remark(
      'several_assertions',
      'several assertions: read the signed one alone',
      'SAML 2.0 Core §5.4.2',
    )
  }
  for (const { of, algorithm, digest } of signatures) {
    const weak = [algorithm, digest].filter(each => /sha1$/i.test(each))
    if (weak.length > 0) {
      yield remark('sha1', `the signature of ${of.name} uses ${weak.join(' and ')}`, 'XMLDSig §6.1')
    }
  }
}

/** Remarks on messages of a logout: without a signature, anybody can end the session of a person. */
function* ofLogout(
  { root, kind, logout, encrypted }: SamlMessage,
  signatures: readonly SamlSignature[],
  signedBeside: boolean,
): Generator<SamlRemark> {
  const isLogout = kind === 'LogoutRequest' || kind === 'LogoutResponse'
  if (!isLogout) return
  if (!signedBeside && !signatures.some(({ of }) => of === root)) {
    yield remark('unsigned_logout', `nobody signed the ${kind}`, 'SAML 2.0 Profiles §4.4.4.1')
  }
  if (logout !== undefined && logout.nameId === undefined && encrypted.length === 0) {
    yield remark('nobody', 'it names nobody who is logged out', 'SAML 2.0 Core §3.7.1')
  }
}

/** Remarks on comments in values: some readers take the text before the comment alone. */
function* ofComments({ root }: SamlMessage): Generator<SamlRemark> {
  for (const { namespace, name, comments, children } of elementsOf(root)) {
    if (namespace !== SAML || comments === 0 || children.length > 0) continue
    yield remark('comment_in_value', `a comment parts ${name}: readers differ here`, 'SAML 2.0 Core §5.4.3')
  }
}

function* ofTimes(assertion: SamlAssertion, now: number): Generator<SamlRemark> {
  const { notBefore, notOnOrAfter, issueInstant, confirmations } = assertion
  const written = [notBefore, notOnOrAfter, issueInstant, ...confirmations.map(each => each.notOnOrAfter)]
  for (const each of written) {
    if (each !== undefined && momentOf(each) === undefined) {
      yield remark('not_utc', `${JSON.stringify(each)} is no time in UTC`, 'SAML 2.0 Core §1.3.3')
    }
  }
  const end = momentOf(notOnOrAfter)
  const start = momentOf(notBefore)
  if (end !== undefined && end <= now) {
    yield remark('expired', 'it has expired', 'SAML 2.0 Core §2.5.1.1')
  }
  if (start !== undefined && start > now) {
    yield remark('not_yet_valid', 'it is not valid yet', 'SAML 2.0 Core §2.5.1.1')
  }
}

/** Remarks on what an assertion of a login lacks. */
function* ofContent(assertion: SamlAssertion): Generator<SamlRemark> {
  const { version, confirmations, audiences, oneTimeUse, authn, nameId } = assertion
  if (version !== '2.0') {
    yield remark('version', `its version is ${version ?? 'missing'}, not 2.0`, 'SAML 2.0 Core §2.3.3')
  }
  if (nameId === undefined && !oneTimeUse && confirmations.length === 0) {
    yield remark('no_subject', 'it names no subject', LOGIN)
  }
  const bearers = confirmations.filter(({ bearer }) => bearer)
  if (bearers.length === 0) yield remark('no_bearer', 'it has no confirmation of the bearer method', LOGIN)
  for (const { notOnOrAfter, recipient, notBefore } of bearers) {
    if (notOnOrAfter === undefined) yield remark('no_end', 'its bearer may use it for ever', LOGIN)
    if (recipient === undefined) yield remark('no_recipient', 'its bearer may use it anywhere', LOGIN)
    if (notBefore !== undefined)
      yield remark('bearer_not_before', 'a bearer confirmation may not have NotBefore', LOGIN)
  }
  if (audiences.length === 0) yield remark('no_audience', 'it is for anybody: it names no Audience', LOGIN)
  if (authn.length === 0) yield remark('no_authn', 'it states no login (AuthnStatement)', LOGIN)
  if (oneTimeUse) {
    yield remark('one_time_use', 'it is good once, and not to be kept', 'SAML 2.0 Core §2.5.1.5')
  }
}

/**
 * The remarks on a message, which depend on the moment and on no reader.
 * @param signedBeside true for a message in a URL whose signature stands beside it
 */
export function lintSaml(
  message: SamlMessage,
  signatures: readonly SamlSignature[],
  { now, signedBeside = false }: { readonly now: number; readonly signedBeside?: boolean },
): SamlRemark[] {
  const { assertions, kind, inResponseTo, encrypted } = message
  const isUnsolicited = kind === 'Response' && inResponseTo === undefined
  return [
    ...ofSignatures(message, signatures, signedBeside),
    ...ofLogout(message, signatures, signedBeside),
    ...ofComments(message),
    ...assertions.flatMap(each => [...ofContent(each), ...ofTimes(each, now)]),
    ...(isUnsolicited
      ? [remark('unsolicited', 'it answers no request: anybody can bring it', 'SAML 2.0 Profiles §4.1.5')]
      : []),
    ...encrypted.map(each =>
      remark('encrypted', `${each}: only its reader has the key`, 'SAML 2.0 Core §2.3.3'),
    ),
  ]
}
