import { isUrl } from '../../../protocol/http/address.js'
import { shown } from '../../../protocol/oauth/check.js'
import { parseScope } from '../../../protocol/oauth/scope.js'
import { cimd } from '../../../protocol/rules/rule.js'
import { isJsonObject, type JsonObject, parsedJson, quote } from '../../../protocol/values.js'
import type { ClientProblem } from '../stores/registry.js'

interface Answer {
  readonly body: string
  readonly contentType?: string
}

/** The metadata of a client, or the reason to refuse its document. */
type JudgedDocument =
  | { readonly metadata: JsonObject }
  /** @member hidden the document is not that of a client, so that nobody may learn of it from this server */
  | (ClientProblem & { readonly hidden?: true })

/** Members that only a shared secret has a use for. */
const SECRETS = ['client_secret', 'client_secret_expires_at'] as const

/** Members of a JWK that only private and symmetric keys have (RFC 7518 §6). */
const PRIVATE = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'] as const

/** True for JSON by its media type. A missing one says nothing. */
function isJsonType(contentType: string | undefined): boolean {
  const type = contentType?.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  return type === '' || type === 'application/json' || /^application\/[\w!#$&^.+-]+\+json$/.test(type)
}

function keysProblem({ jwks }: JsonObject): ClientProblem | undefined {
  const keys: unknown = isJsonObject(jwks) ? jwks.keys : undefined
  if (!Array.isArray(keys)) return undefined
  const index = keys.findIndex(key => isJsonObject(key) && PRIVATE.some(name => Object.hasOwn(key, name)))
  if (index < 0) return undefined
  return { problem: `jwks: key ${index + 1} is private or symmetric; publish public keys`, rule: cimd('4.1') }
}

/** True for an algorithm whose key is a shared secret (RFC 7518 §3.1, §4.1). */
const isSymmetric = (value: unknown) =>
  typeof value === 'string' && /^(?:HS\d+|dir|A\d+(?:GCM)?KW|PBES2-.*)$/.test(value)

function methodProblem(metadata: JsonObject): ClientProblem | undefined {
  const { token_endpoint_auth_method: method, jwks, jwks_uri: address } = metadata
  if (typeof method === 'string' && method.startsWith('client_secret')) {
    const problem = `token_endpoint_auth_method ${quote(method)} needs a secret, which a public document cannot have`
    return { problem, rule: cimd('4.1') }
  }
  const keyed = Object.entries(metadata).find(
    ([name, value]) => /_(alg|enc)$/.test(name) && isSymmetric(value),
  )
  if (keyed !== undefined) {
    const problem = `${keyed[0]} ${quote(keyed[1])} needs a secret, which a public document cannot have`
    return { problem, rule: cimd('4.1') }
  }
  if (method === 'private_key_jwt' && jwks === undefined && address === undefined) {
    return { problem: 'private_key_jwt needs jwks or jwks_uri with the public key', rule: cimd('8.2') }
  }
  return undefined
}

export type JudgeDocument = (url: string, answer: Answer) => JudgedDocument

/** A document that is not that of a client. */
const foreign = (problem: string) => ({ problem, rule: cimd('4'), hidden: true }) as const

/**
 * Judges the document at the address of a client by the rules that other registrations do not have. The metadata themselves
 * are judged as those of every other registration.
 */
export const judgeDocument: JudgeDocument = (url, { body, contentType }) => {
  if (!isJsonType(contentType)) {
    return foreign(`it is ${quote(contentType)}, not application/json`)
  }
  const metadata = parsedJson(body)
  if (!isJsonObject(metadata)) return foreign('it is no JSON object')
  if (metadata.client_id !== url) {
    const named =
      typeof metadata.client_id === 'string' ? quote(metadata.client_id) : shown(metadata.client_id)
    return foreign(`its client_id is ${named}, and not its own address`)
  }
  const secret = SECRETS.find(name => Object.hasOwn(metadata, name))
  if (secret !== undefined) {
    return { problem: `it has ${secret}: a public document cannot hold a secret`, rule: cimd('4.1') }
  }
  return keysProblem(metadata) ?? methodProblem(metadata) ?? { metadata }
}

/** Longest client_id that is a URL, in characters. People are shown it. */
const MAX_LENGTH = 512

/** True for a client_id in the form of a web address. Plain http is one, so that its error can name the rule. */
export function isClientUrl(id: string): boolean {
  return /^https?:\/\//i.test(id)
}

/** Returns the problem of a client_id in the form of a web address; undefined for a valid one. */
export function clientUrlProblem(id: string): ClientProblem | undefined {
  const rule = cimd('3')
  if (id.length > MAX_LENGTH) return { problem: `it is longer than ${MAX_LENGTH} characters`, rule }
  if (!/^[\x21\x23-\x3b\x3d\x3f-\x5b\x5d\x5f\x61-\x7a\x7e]+$/.test(id)) {
    return { problem: 'it has a character that no URI may hold', rule: 'RFC 3986 §2' }
  }
  if (!id.startsWith('https://')) return { problem: 'it does not begin with https://', rule }
  if (id.includes('#')) return { problem: 'it has a fragment', rule }
  const [, authority = '', path = ''] = /^https:\/\/([^/?]*)([^?]*)/.exec(id) ?? []
  if (authority.includes('@')) return { problem: 'it has user information', rule }
  if (authority === '' || !isUrl(id)) return { problem: 'it is not an absolute URL', rule }
  if (path === '') return { problem: 'it has no path; write one, such as /client.json', rule }
  const segments = path.split('/').map(each => each.replaceAll(/%2e/gi, '.'))
  if (segments.some(each => each === '.' || each === '..'))
    return { problem: 'its path has a dot segment', rule }
  const host = authority.replace(/:\d*$/, '').toLowerCase()
  if (new URL(id).hostname !== host) {
    // 0x7f.1 and 2130706433 are 127.0.0.1 to a resolver, and something else to a person.
    return { problem: 'its host is written in an unusual way', rule: cimd('8.6') }
  }
  return undefined
}

/** The values that a server has a use for. */
interface ServerValues {
  readonly grantTypes: readonly string[]
  readonly responseTypes: readonly string[]
  readonly scopes: readonly string[]
}

/** Returns the values of a list that a server knows; the value itself when it is no list, or nothing would be left. */
function knownOf(value: unknown, known: readonly string[]): unknown {
  if (!Array.isArray(value)) return value
  const left = value.filter(each => typeof each !== 'string' || known.includes(each))
  return left.length === 0 ? value : left
}

/** Returns the scope that a server knows; undefined, which is every scope, when it knows none of it. */
function knownScope(value: unknown, known: readonly string[]): unknown {
  const tokens = typeof value === 'string' ? parseScope(value) : undefined
  if (tokens === undefined) return value
  const left = tokens.filter(each => known.includes(each))
  return left.length === 0 ? undefined : left.join(' ')
}

/**
 * Returns the metadata of a document as one server reads them. A document is for every server, so grant types, response
 * types and scope values that this one lacks are left out. A client without a method publishes no secret, so it is public.
 */
export function portableMetadata(metadata: JsonObject, server: ServerValues): JsonObject {
  return {
    ...metadata,
    token_endpoint_auth_method: metadata.token_endpoint_auth_method ?? 'none',
    grant_types: knownOf(metadata.grant_types, server.grantTypes),
    response_types: knownOf(metadata.response_types, server.responseTypes),
    scope: knownScope(metadata.scope, server.scopes),
  }
}
