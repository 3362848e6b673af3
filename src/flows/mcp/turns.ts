import type { Exchange } from '../../protocol/http/exchange.js'
import { advice, type Check } from '../../protocol/oauth/check.js'
import { OAuthError, receivedCode } from '../../protocol/oauth/oauth-error.js'
import { parseScope } from '../../protocol/oauth/scope.js'
import type { TokenResponse } from '../../protocol/oauth/token.js'
import { isJsonObject } from '../../protocol/values.js'
import type { StepName } from '../step.js'
import { scopeHints } from '../steps/resource-step.js'
import { toolNames } from './answers.js'
import type { McpChallenge } from './challenge.js'
import type { McpMessage } from './messages.js'
import type { McpOptions } from './options.js'
import { type Revision, RULES } from './revisions.js'
import { unitedScope } from './scope-selection.js'

export interface Held {
  readonly tokens: TokenResponse
  readonly scope?: string
}

export interface Turn {
  readonly name: StepName
  readonly message: McpMessage
}

/** The messages of a revision. */
export function turnsOf(revision: Revision, { call }: Pick<McpOptions, 'call'>): Turn[] {
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

export function noteOf({ method }: McpMessage, result: Readonly<Record<string, unknown>>): string {
  if (method === 'tools/list') {
    const names = toolNames(result)
    return names.length === 0 ? 'no tools' : `tools ${names.join(', ')}`
  }
  if (method === 'tools/call') return 'the tool answered'
  return typeof result.protocolVersion === 'string' ? `agreed on ${result.protocolVersion}` : 'answered'
}

function stepUpHints(needed: string | undefined, held: Held | undefined): readonly string[] | undefined {
  if (needed === undefined)
    return ['report it to the people who run the MCP server: the answer names no scope']
  if (held !== undefined && covers(held, needed)) {
    return ['report it to the people who run the MCP server: the token has that scope already']
  }
  return scopeHints(unitedScope(held?.scope, needed))
}

/** The refusal of a request that got everything it could get. */
export function refusalOf(
  exchange: Exchange,
  { error, description, scope }: McpChallenge,
  held?: Held,
): OAuthError {
  const status = exchange.response?.status
  const needs = scope === undefined ? '' : ` (scope ${scope})`
  return new OAuthError(receivedCode(error ?? (status === 403 ? 'insufficient_scope' : 'invalid_token')), {
    description: `${description ?? `the MCP server answered ${status}`}${needs}`,
    rule: status === 403 ? 'MCP 2026-07-28 Authorization §11.1' : 'MCP 2026-07-28 Authorization §11',
    hints: error === 'insufficient_scope' ? stepUpHints(scope, held) : undefined,
  })
}

/** By the granted scopes, else by those asked for (RFC 6749 §5.1). */
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

/** Characters of a tool's text that an error repeats. */
const MAX_TEXT = 300

/** Undefined for a tool that did its work, and for any other message. */
export function toolError(
  { method, params }: McpMessage,
  { isError, content }: Readonly<Record<string, unknown>>,
): OAuthError | undefined {
  if (method !== 'tools/call' || isError !== true) return undefined
  const texts = (Array.isArray(content) ? content : []).flatMap((each: unknown) =>
    isJsonObject(each) && typeof each.text === 'string' ? [each.text] : [],
  )
  const said = texts.length === 0 ? '' : `: ${texts.join(' ').slice(0, MAX_TEXT)}`
  return new OAuthError('mcp_error', {
    description: `the tool ${String(params?.name)} reports an error${said}`,
    rule: 'MCP 2026-07-28 Tools §6',
  })
}
