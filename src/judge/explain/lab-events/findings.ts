import type { Finding } from '../../../protocol/rules/finding.js'
import { foreignRule } from '../../../protocol/rules/rule.js'
import { defined, type JsonObject } from '../../../protocol/values.js'
import { errorByCode } from '../known-errors.js'
import { EVENTS } from './event-meanings.js'
import { KNOWN_REFUSALS } from './known-refusals.js'

/** A member of an event that is a text; undefined for any other value. */
export function textOf(event: JsonObject, name: string): string | undefined {
  const value = event[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** The sections of refusals whose events name none. */
const RULES: Readonly<Record<string, string>> = {
  'server.failed': 'RFC 9110 §15.6.1',
  'demo_client.login_failed': 'RFC 6749 §10.9',
}

/** Things that events refuse, for people. */
const SUBJECTS: Readonly<Record<string, string>> = {
  'token.refused': 'the token request was refused',
  'push.refused': 'the pushed authorization request was refused',
  'device_authorization.refused': 'the device authorization request was refused',
  'ciba.refused': 'the backchannel authentication request was refused',
  'introspection.refused': 'the introspection request was refused',
  'revocation.refused': 'the revocation request was refused',
  'registration.refused': 'the registration was refused',
  'logout.refused': 'the logout request was refused',
  'resource.refused': 'the API refused the token',
  'userinfo.refused': 'userinfo refused the token',
  'claims.refused': 'the server refused the token at its distributed claims',
  'login.failed': 'the login failed',
  'second_factor.failed': 'the second factor failed',
  'consent.failed': 'the consent failed',
  'ciba.failed': 'the decision did not count',
  'user_code.refused': 'the user code was refused',
  'request_object.failed': 'the request object could not be fetched',
  'client_document.refused': 'the document of the client was refused',
  'client_keys.failed': 'the keys of the client could not be fetched',
  'sector_document.failed': 'the sector document could not be fetched',
  'resource_metadata.failed': 'the metadata of the resource were refused',
  'keys.failed': 'the resource server could not fetch the published keys',
  'logout_token.failed': 'the client did not confirm the logout token',
  'demo_client.login_refused': 'the client refused the login',
  'demo_client.login_failed': 'the client could not finish the login',
  'server.failed': 'the server failed',
}

function subjectOf(event: JsonObject, type: string): string {
  if (type !== 'authorization.refused') return SUBJECTS[type] ?? type
  return event.channel === 'redirect'
    ? 'the authorization server answered'
    : 'the authorization request was answered with an error page'
}

/** `: invalid_grant, “the code is unknown” (code k3V9…Qm1)`, as far as the event says it. */
function reasonOf(event: JsonObject): string {
  const [error, description, evidence] = ['error', 'description', 'evidence'].map(name => textOf(event, name))
  const said = description ?? (textOf(event, 'reason') && `the reason is ${textOf(event, 'reason')}`)
  const quoted = said === undefined ? undefined : `“${said}”`
  const reason = [error, quoted].filter(each => each !== undefined).join(', ')
  const seen = evidence === undefined ? '' : ` (${evidence})`
  return reason === '' ? seen : `: ${reason}${seen}`
}

/** The next move: the command that the lab names, the advice for the error. */
function adviceOf(event: JsonObject): string | undefined {
  const command = textOf(event, 'to_register')
  if (command !== undefined) return `register the address at this lab:  ${command}`
  return errorByCode(textOf(event, 'error') ?? '')?.next
}

/** The name of a refused authorization request depends on where the error was sent. */
function nameOf(event: JsonObject, type: string, name: string): string {
  return type === 'authorization.refused' && event.channel !== 'redirect' ? 'request-shown-error' : name
}

/** Errors that make a device go on polling (RFC 8628 §3.5): no refusals. */
const GOES_ON = 'authorization_pending'

/** The finding that an event is; undefined for an event that refuses nothing. */
export function findingOf(event: JsonObject): Finding | undefined {
  const type = textOf(event, 'type') ?? ''
  const { finding } = EVENTS[type] ?? {}
  if (finding === undefined || event.error === GOES_ON) return undefined
  const rule = textOf(event, 'rule') ?? RULES[type] ?? 'no rule named'
  const said = `${textOf(event, 'error') ?? ''} ${textOf(event, 'description') ?? ''}`.trim()
  const known = KNOWN_REFUSALS.find(
    each =>
      type.startsWith(each.event) &&
      (each.rule ?? rule) === rule &&
      (each.says === undefined || each.says.test(said)),
  )
  return defined({
    name: known?.name ?? nameOf(event, type, finding),
    severity: known?.severity ?? (finding === 'document-failed' ? 'remark' : 'fault'),
    rule: foreignRule(rule),
    text: known?.text ?? `${subjectOf(event, type)}${reasonOf(event)}`,
    next: known?.next ?? adviceOf(event),
  })
}
