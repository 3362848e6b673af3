import type { Exchange, Send } from '../../protocol/http/exchange.js'
import type { Check } from '../../protocol/oauth/check.js'
import { metadataUrls } from '../../protocol/oauth/metadata.js'
import { OAuthError } from '../../protocol/oauth/oauth-error.js'
import { isJsonObject, type JsonObject, parsedObject } from '../../protocol/values.js'
import { failedCheck } from '../outcome.js'
import { get } from '../walk.js'
import { readMetadata } from './discovery.js'

export interface MetadataDocument {
  readonly kind: 'openid' | 'oauth'
  readonly url: string
  readonly status: number
  /** Absent for an answer that is no JSON object. */
  readonly document?: JsonObject
  readonly checks: readonly Check[]
  /** Absent for a document that a client can use. */
  readonly problem?: string
}

/** An absent side does not have the member. */
export interface Difference {
  readonly name: string
  readonly openid?: unknown
  readonly oauth?: unknown
}

/** Fetches and judges both metadata documents (OpenID Connect Discovery §4, RFC 8414 §3). @throws TransportError */
export async function bothDocuments(
  issuer: string,
  send: Send,
  signal: AbortSignal,
): Promise<readonly MetadataDocument[]> {
  const kinds = ['openid', 'oauth'] as const
  const documents: MetadataDocument[] = []
  for (const [i, url] of metadataUrls(issuer).entries()) {
    documents.push(
      await fetched(kinds[i] ?? 'oauth', url, issuer, (request, more) => send(request, { ...more, signal })),
    )
  }
  return documents
}

async function fetched(
  kind: MetadataDocument['kind'],
  url: string,
  issuer: string,
  send: Send,
): Promise<MetadataDocument> {
  const exchange = await send(get(url))
  const status = exchange.response?.status ?? 0
  const document = objectIn(exchange)
  const seen = { kind, url, status, ...(document && { document }) }
  try {
    return { ...seen, checks: readMetadata(exchange, issuer).checks }
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error
    const checks =
      status === 200 ? [failedCheck(error, error.code === 'issuer_mismatch' ? 'issuer' : 'metadata')] : []
    return { ...seen, checks, problem: error.description }
  }
}

function objectIn({ response }: Exchange): JsonObject | undefined {
  if (response?.status !== 200) return undefined
  return parsedObject(response.body)
}

/** Equal for equal values: members in order of their names, lists of strings as sets. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) {
    const parts = value.map(canonical)
    return `[${(value.every(each => typeof each === 'string') ? parts.toSorted() : parts).join()}]`
  }
  if (!isJsonObject(value)) return JSON.stringify(value) ?? 'undefined'
  const names = Object.keys(value).toSorted()
  return `{${names.map(name => `${JSON.stringify(name)}:${canonical(value[name])}`).join()}}`
}

/** In the order of the first document. */
export function differencesOf(openid: JsonObject, oauth: JsonObject): Difference[] {
  const names = [...new Set([...Object.keys(openid), ...Object.keys(oauth)])]
  return names
    .filter(name => canonical(openid[name]) !== canonical(oauth[name]))
    .map(name => ({
      name,
      ...(openid[name] !== undefined && { openid: openid[name] }),
      ...(oauth[name] !== undefined && { oauth: oauth[name] }),
    }))
}
