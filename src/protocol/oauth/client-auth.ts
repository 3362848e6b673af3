import { percentEncode, readPairs } from '../http/form.js'
import type { Header } from '../http/message.js'
import type { Citation } from '../rules/rule.js'
import { keepLatest } from '../values.js'

/** The credentials of a client in a request. */
export type ClientCredentials =
  /** No credentials; at most a client_id. */
  | { readonly method: 'none'; readonly clientId: string | undefined }
  | { readonly method: 'client_secret_post'; readonly clientId: string | undefined; readonly secret: string }
  /** A JWT that the client signed (RFC 7523 §2.2). Its `sub` names the client. */
  | {
      readonly method: 'private_key_jwt'
      readonly clientId: string | undefined
      readonly assertion: string
      readonly assertionType: string | undefined
    }
  /** The two readings of the header: form-decoded (RFC 6749 §2.3.1), and raw, because many clients send it raw. */
  | { readonly method: 'client_secret_basic'; readonly readings: readonly BasicReading[] }

/** One reading of a Basic header. */
export interface BasicReading {
  readonly clientId: string
  readonly secret: string
}

/** Credentials that break a rule, whatever the client is. */
export interface CredentialsProblem {
  /** `invalid_request` for two methods at once, `invalid_client` for an unreadable header. */
  readonly code: 'invalid_request' | 'invalid_client'
  readonly problem: string
  readonly rule: Citation
  readonly usedHeader: boolean
}

/** The credential parameters of a body. */
export interface BodyCredentials {
  readonly client_id?: string
  readonly client_secret?: string
  /** The interface specification's name for client_secret. */
  readonly client_password?: string
  readonly client_assertion_type?: string
  readonly client_assertion?: string
}

/**
 * Names of the body parameters that a client authenticates with. They must never be in the query of an endpoint
 * (RFC 6749 §2.3.1).
 */
export const CREDENTIAL_PARAMETERS = [
  'client_id',
  'client_secret',
  'client_password',
  'client_assertion_type',
  'client_assertion',
] as const

/** The credential parameters that contain a proof. */
const CREDENTIALS = ['client_secret', 'client_password', 'client_assertion'] as const

function decodeOnce(part: string): string | undefined {
  if (!part.includes('%') && !part.includes('+')) return part
  return readPairs(`x=${part.replaceAll('&', '%26')}`)[0]?.[1]
}

/** Reads `Basic base64(id:secret)` (RFC 7617 §2). Returns undefined for a malformed value. Three parts of a server ask about one request. */
export const parseBasic = keepLatest((value: string): readonly BasicReading[] | undefined => {
  const encoded = /^basic +([A-Za-z0-9+/_-]+={0,2})$/i.exec(value.trim())?.[1]
  if (encoded === undefined) return undefined
  const pair = Buffer.from(encoded, 'base64').toString('utf8')
  const colon = pair.indexOf(':')
  if (colon < 0) return undefined
  const raw = { clientId: pair.slice(0, colon), secret: pair.slice(colon + 1) }
  const clientId = decodeOnce(raw.clientId)
  const secret = decodeOnce(raw.secret)
  if (clientId === undefined || secret === undefined) return [raw]
  return clientId === raw.clientId && secret === raw.secret ? [raw] : [{ clientId, secret }, raw]
})

/** Reads the credentials of a client. Two methods in one request are a problem (RFC 6749 §2.3). */
export function readClientCredentials(
  authorization: readonly string[],
  body: BodyCredentials,
): ClientCredentials | CredentialsProblem {
  const rule = 'RFC 6749 §2.3'
  const { client_id: clientId, client_assertion: assertion, client_assertion_type: assertionType } = body
  const sent = CREDENTIALS.filter(name => body[name] !== undefined)
  const inHeader = authorization.length > 0
  const invalid = (problem: string): CredentialsProblem => ({
    code: 'invalid_request',
    problem,
    rule,
    usedHeader: inHeader,
  })
  if (sent.length > 1) return invalid(`${sent.join(' and ')} are two credentials; send one`)
  if (sent.length > 0 && inHeader) {
    return invalid('the client authenticates in the header and in the body; one method per request')
  }
  if (assertionType !== undefined && assertion === undefined) {
    return invalid('client_assertion_type is sent without client_assertion')
  }
  if (!inHeader) {
    if (assertion !== undefined) return { method: 'private_key_jwt', clientId, assertion, assertionType }
    const secret = body.client_secret ?? body.client_password
    return secret === undefined
      ? { method: 'none', clientId }
      : { method: 'client_secret_post', clientId, secret }
  }
  const readings = authorization.length === 1 ? parseBasic(authorization[0]!) : undefined
  if (readings === undefined) {
    return {
      code: 'invalid_client',
      problem: 'the Authorization header is not Basic base64(client_id:client_secret)',
      rule: 'RFC 7617 §2',
      usedHeader: true,
    }
  }
  if (clientId !== undefined && !readings.some(reading => reading.clientId === clientId)) {
    return invalid('client_id in the body is not the client of the Authorization header')
  }
  return { method: 'client_secret_basic', readings }
}

/** Writes the Authorization header of a client. Both halves are form-encoded first (RFC 6749 §2.3.1). */
export function basicHeader(clientId: string, secret: string): Header {
  const pair = `${percentEncode(clientId)}:${percentEncode(secret)}`
  return ['authorization', `Basic ${Buffer.from(pair).toString('base64')}`]
}
