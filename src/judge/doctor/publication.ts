import { answerMembers } from '../../flows/answers/answer-members.js'
import { get } from '../../flows/walk.js'
import { TimeoutError, TransportError } from '../../protocol/errors.js'
import type { Exchange, Send } from '../../protocol/http/exchange.js'
import {
  type AuthorizationServerMetadata,
  metadataUrls,
  usableMembers,
} from '../../protocol/oauth/metadata.js'
import { defined } from '../../protocol/values.js'
import type { Document, Publication } from './facts.js'

/**
 * The members that a client can use. For an issuer over TLS, plain addresses are left out: a secret would travel in
 * the clear. A wrong issuer stays, because later checks compare with what the server says.
 */
function usableMetadata(
  members: Readonly<Record<string, unknown>>,
  issuer: string,
): AuthorizationServerMetadata {
  const tls = /^https:/i.test(issuer)
  const kept = Object.entries(usableMembers(members).usable).filter(
    ([name, value]) => !tls || !/^(jwks_uri|.*_endpoint)$/.test(name) || /^https:/i.test(String(value)),
  )
  const named = typeof members.issuer === 'string' ? members.issuer : issuer
  return { ...Object.fromEntries(kept), issuer: named }
}

function read(exchange: Exchange): Pick<Document, 'members'> {
  if (exchange.response?.status !== 200) return {}
  const members = answerMembers(exchange)
  return Object.keys(members).length === 0 ? {} : { members }
}

/**
 * Fetches what a server publishes, without holding any of it to a rule.
 * @returns the documents alone where none can be read
 * @throws TransportError, TimeoutError where the server cannot be reached
 */
export async function fetchPublication(
  issuer: string,
  send: Send,
  signal: AbortSignal,
): Promise<Publication | readonly Document[]> {
  const documents: Document[] = []
  for (const url of metadataUrls(issuer)) {
    const exchange = await send(get(url), { signal })
    documents.push({ url, exchange, ...read(exchange) })
  }
  const members = documents.find(each => each.members)?.members
  if (!members) return documents
  const metadata = usableMetadata(members, issuer)
  const { jwks_uri } = metadata
  const keys = jwks_uri === undefined ? undefined : await reached(send(get(jwks_uri), { signal }), signal)
  return defined({ issuer, documents, members, metadata, keys })
}

/** Waits for an exchange. Returns undefined when the server did not answer: the examination goes on. */
export async function reached<Answer>(
  exchange: Promise<Answer>,
  signal: AbortSignal,
): Promise<Answer | undefined> {
  try {
    return await exchange
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof TransportError || error instanceof TimeoutError) return undefined
    throw error
  }
}
