import type { Exchange } from '../../http/exchange.js'
import { advice, type Check } from '../../oauth/check.js'
import { receivedCode } from '../../oauth/error-codes.js'
import { OAuthError } from '../../oauth/oauth-error.js'
import { parseScope } from '../../oauth/scope.js'
import type { TokenResponse } from '../../oauth/token.js'
import type { StepName } from '../step.js'
import { toolNames } from './answers.js'
import type { McpChallenge } from './challenge.js'
import type { McpMessage } from './messages.js'
import type { McpOptions } from './options.js'
import { type Revision, RULES } from './revisions.js'

/** A token, and the scope that was asked for with it. */
export interface Held {
  readonly tokens: TokenResponse
  readonly scope?: string
}

/** One message of the conversation, and the step that shows it. */
export interface Turn {
  readonly name: StepName
  readonly message: McpMessage
}

/** The messages of a revision. */
export function turnsOf(revision: Revision, { call }: McpOptions): Turn[] {
  const begun: Turn[] = RULES[revision].stateless
    ? []
    : [
        { name: 'initialize_request', message: { method: 'initialize' } },
        { name: 'initialized_notification', message: { method: 'notifications/initialized' } },
      ]
  const called: Turn[] = call
    ? [{ name: 'tool_call', message: { method: 'tools/call', params: { ...call } } }]
    : []
  return [...begun, { name: 'tools_request', message: { method: 'tools/list' } }, ...called]
}

/** Describes the answer to a message. */
export function noteOf({ method }: McpMessage, result: Readonly<Record<string, unknown>>): string {
  if (method === 'tools/list') {
    const names = toolNames(result)
    return names.length === 0 ? 'no tools' : `tools ${names.join(', ')}`
  }
  if (method === 'tools/call')
    return result.isError === true ? 'the tool reports an error' : 'the tool answered'
  return typeof result.protocolVersion === 'string' ? `agreed on ${result.protocolVersion}` : 'answered'
}

/** The refusal of a request that got everything it could get. */
export function refusalOf(exchange: Exchange, { error, description, scope }: McpChallenge): OAuthError {
  const status = exchange.response?.status
  const needs = scope === undefined ? '' : ` (scope ${scope})`
  return new OAuthError(receivedCode(error ?? (status === 403 ? 'insufficient_scope' : 'invalid_token')), {
    description: `${description ?? `the MCP server answered ${status}`}${needs}`,
    rule: status === 403 ? 'MCP 2026-07-28 Authorization §11.1' : 'MCP 2026-07-28 Authorization §11',
  })
}

/** True when a token has all scopes of a list already: as granted, or else as asked for (RFC 6749 §5.1). */
export function covers({ tokens, scope }: Held, wanted: string): boolean {
  const granted = parseScope(tokens.scope ?? scope ?? '') ?? []
  return wanted.split(' ').every(each => granted.includes(each))
}

/** The check of the answer to a notification. */
export function notified({ response }: Exchange): Check {
  const status = response?.status ?? 0
  return advice(
    'status',
    status === 202,
    'MCP 2026-07-28 Transport §2',
    `${status}, where 202 says that it was taken`,
  )
}
