import { shown } from '../../../protocol/oauth/check.js'
import { cimd } from '../../../protocol/rules/rule.js'
import { isJsonObject, type JsonObject, quote } from '../../../protocol/values.js'
import type { ClientProblem } from '../stores/registry.js'

/** An answer at the address of a document. */
export interface Answer {
  readonly body: string
  readonly contentType?: string
}

/** The metadata of a client, or the reason to refuse its document. */
export type JudgedDocument = { readonly metadata: JsonObject } | ClientProblem

/** Members that only a shared secret has a use for. */
const SECRETS = ['client_secret', 'client_secret_expires_at'] as const

/** Members of a JWK that only private and symmetric keys have (RFC 7518 §6). */
const PRIVATE = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'] as const

/** True for JSON by its media type. A missing one says nothing. */
function isJsonType(contentType: string | undefined): boolean {
  const type = contentType?.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  return type === '' || type === 'application/json' || /^application\/[\w!#$&^.+-]+\+json$/.test(type)
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}

/** Returns the problem of the keys in a document: it publishes public ones alone. */
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

/** Returns the problem of the way in which a client wants to authenticate. */
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

/** Judges the answer at the address of a client. */
export type JudgeDocument = (url: string, answer: Answer) => JudgedDocument

/**
 * Judges the document at the address of a client by the rules that other registrations do not have. The metadata themselves
 * are judged as those of every other registration.
 */
export const judgeDocument: JudgeDocument = (url, { body, contentType }) => {
  if (!isJsonType(contentType)) {
    return { problem: `it is ${quote(contentType)}, not application/json`, rule: cimd('4') }
  }
  const metadata = parsed(body)
  if (!isJsonObject(metadata)) return { problem: 'it is no JSON object', rule: cimd('4') }
  if (metadata.client_id !== url) {
    const named =
      typeof metadata.client_id === 'string' ? quote(metadata.client_id) : shown(metadata.client_id)
    return { problem: `its client_id is ${named}, and not its own address`, rule: cimd('4') }
  }
  const secret = SECRETS.find(name => Object.hasOwn(metadata, name))
  if (secret !== undefined) {
    return { problem: `it has ${secret}: a public document cannot hold a secret`, rule: cimd('4.1') }
  }
  return keysProblem(metadata) ?? methodProblem(metadata) ?? { metadata }
}
