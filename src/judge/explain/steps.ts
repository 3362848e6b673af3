import type { Outcome, Role, Step, StepName } from '../../flows/step.js'
import { splitUrl } from '../../protocol/http/message.js'
import type { Check } from '../../protocol/oauth/check.js'
import { planRule, type Rule } from '../../protocol/rules/rule.js'
import type { Conversation } from './conversation.js'
import type { Judged } from './explanation.js'
import type { Finding } from './finding.js'
import type { Message } from './message.js'
import type { MessageKind } from './recorded.js'

/** The drawing of a kind of message: its roles, and the step of a flow that it looks like. */
interface Part {
  readonly name: StepName
  readonly from: Role
  readonly to: Role
  readonly rule: Rule
  readonly title: string
}

const part = (name: StepName, from: Role, to: Role, rule: Rule, title: string): Part => ({
  name,
  from,
  to,
  rule,
  title,
})

const [browser, client, server, resource] = [
  'user_agent',
  'client',
  'authorization_server',
  'resource_server',
] as const

const PARTS: Readonly<Record<MessageKind, Part>> = {
  discovery: part('discovery_request', client, server, 'RFC 8414 §3.1', 'discovery'),
  keys: part('keys_request', client, server, 'RFC 7517 §5', 'published keys'),
  registration: part('client_registration', client, server, 'RFC 7591 §2', 'registration'),
  pushed_authorization_request: part(
    'pushed_authorization_request',
    client,
    server,
    'RFC 9126 §2.1',
    'pushed authorization request',
  ),
  authorization_request: part('login_form', browser, server, 'RFC 6749 §4.1.1', 'authorization request'),
  login: part('login', browser, server, 'RFC 6749 §4.1.2', 'login'),
  authorization_response: part('authorization_response', browser, client, 'RFC 6749 §4.1.2', 'callback'),
  token_request: part('token_request', client, server, 'RFC 6749 §4.1.3', 'token request'),
  device_authorization_request: part(
    'device_authorization_request',
    client,
    server,
    'RFC 8628 §3.1',
    'device authorization request',
  ),
  backchannel_authentication_request: part(
    'backchannel_authentication_request',
    client,
    server,
    'OpenID Connect CIBA Core §7.1',
    'backchannel authentication request',
  ),
  userinfo_request: part('userinfo_request', client, server, 'OpenID Connect Core §5.3.1', 'userinfo'),
  introspection_request: part('resource_request', resource, server, 'RFC 7662 §2.1', 'introspection'),
  revocation_request: part('token_request', client, server, 'RFC 7009 §2.1', 'revocation'),
  resource_request: part('resource_request', client, resource, 'RFC 6750 §2.1', 'API call'),
  logout_request: part('logout_request', browser, server, 'OpenID Connect RP-Initiated Logout §2', 'logout'),
  saml_request: part('login_form', browser, server, 'SAML 2.0 Profiles §4.1.4.2', 'SAML request'),
  saml_response: part(
    'authorization_response',
    browser,
    client,
    'SAML 2.0 Profiles §4.1.4.2',
    'SAML response',
  ),
  leak: part('resource_request', browser, resource, 'RFC 9700 §4.2', 'request of another site'),
}

function checkOf({ name, severity, rule, text }: Finding): Check {
  const check = { name, ok: false, rule, detail: text }
  return severity === 'fault' ? check : { ...check, advice: true }
}

/** A message as the step of a run. */
export function stepOf(message: Message, last: number, findings: readonly Finding[]): Step {
  const { kind, recorded } = message
  const { name, from, to, rule, title } = PARTS[kind]
  const { exchange, entry } = recorded
  const { path } = splitUrl(exchange.request.url)
  return {
    type: 'step',
    n: entry,
    of: last,
    name,
    from,
    to,
    title: `${title} ${exchange.request.method} ${path}`,
    rfc: planRule(rule),
    why: '',
    // The callback's address is the message; what the client answers its browser is of no interest.
    ...(kind === 'authorization_response' && message.answer?.place !== 'form'
      ? { url: exchange.request.url }
      : { exchange }),
    checks: findings.filter(each => each.entry === entry).map(checkOf),
  }
}

/** The end of a conversation as the end of a run. */
function outcomeOf({ outcome }: Conversation, findings: readonly Finding[]): Outcome | undefined {
  const fault = findings.find(({ severity }) => severity === 'fault')
  if (fault) {
    const error = { error: fault.name, error_description: fault.text, rule: fault.rule }
    return { type: 'outcome', outcome: outcome === 'failed' ? 'failed' : 'refused', error }
  }
  if (outcome === 'unfinished') return undefined
  return { type: 'outcome', outcome }
}

/** A conversation as the records of a run, whose steps have the numbers of their entries: exports and drawings take these. */
export function recordsOf({ conversation, findings }: Judged): readonly (Step | Outcome)[] {
  const { messages } = conversation
  const last = messages.at(-1)?.recorded.entry ?? 0
  const outcome = outcomeOf(conversation, findings)
  const steps = messages.map(message => stepOf(message, last, findings))
  return outcome === undefined ? steps : [...steps, outcome]
}
