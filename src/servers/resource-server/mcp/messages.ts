import { bounded } from '../../../protocol/events.js'
import { isDeeper } from '../../../protocol/values.js'
import type { RpcCall } from '../events.js'

/** Most messages of a batch. */
export const MAX_MESSAGES = 20

/** Deepest nesting of a body. Parsers behind this one are recursive. */
export const MAX_DEPTH = 64

/** Most names of methods or tools that an event has. */
const MAX_NAMES = 3

const MAX_NAME = 60

/** The JSON-RPC messages of a body. The MCP package gets `json` itself, so both read the same members. */
export type Messages =
  | {
      readonly ok: true
      readonly json: unknown
      readonly methods: readonly string[]
      /** The names of the called tools. */
      readonly tools: readonly string[]
    }
  | { readonly ok: false; readonly code: -32700 | -32600; readonly problem: string }

const decoder = new TextDecoder('utf-8', { fatal: true })

/** Reads the methods and tools that a body names. Everything else in it is for the MCP package to judge. */
export function readMessages(body: Uint8Array): Messages {
  let json: unknown
  try {
    json = JSON.parse(decoder.decode(body))
  } catch {
    return { ok: false, code: -32700, problem: 'Parse error: the body is not JSON in UTF-8' }
  }
  if (isDeeper(json, MAX_DEPTH)) return invalid(`the body is nested more than ${MAX_DEPTH} levels deep`)
  const messages: readonly unknown[] = Array.isArray(json) ? json : [json]
  if (messages.length > MAX_MESSAGES) return invalid(`a batch has at most ${MAX_MESSAGES} messages`)
  const methods: string[] = []
  const tools: string[] = []
  for (const message of messages) {
    const method = member(message, 'method')
    if (typeof method !== 'string') continue
    methods.push(method)
    const name = method === 'tools/call' ? member(member(message, 'params'), 'name') : undefined
    if (typeof name === 'string') tools.push(name)
  }
  return { ok: true, json, methods, tools }
}

const invalid = (problem: string): Messages => ({
  ok: false,
  code: -32600,
  problem: `Invalid Request: ${problem}`,
})

function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined
}

/** Returns the members of an event that name what a body calls, cut to a bounded length. */
export function callOf({ methods, tools }: Messages & { readonly ok: true }): RpcCall {
  const call: { rpc_method?: string; tool?: string } = {}
  if (methods.length > 0) call.rpc_method = named(methods)
  if (tools.length > 0) call.tool = named(tools)
  return call
}

function named(names: readonly string[]): string {
  const different = [...new Set(names)]
  const shown = different.slice(0, MAX_NAMES).map(each => bounded(each, MAX_NAME))
  return (different.length > shown.length ? [...shown, '…'] : shown).join(' ')
}
