import { createHash, timingSafeEqual } from 'node:crypto'
import type { FormPairs } from '../http/form.js'
import { FormError, parseForm, percentEncode } from '../http/form.js'
import type { Header } from '../http/message.js'

/** Credentials as a token request carried them. */
export type ClientCredentials =
  /** Nothing but, perhaps, a client_id. */
  | { readonly method: 'none'; readonly clientId: string | undefined }
  | { readonly method: 'client_secret_post'; readonly clientId: string | undefined; readonly secret: string }
  /** Both readings of the header: form-decoded halves (RFC 6749 §2.3.1), and raw, as many clients send them. */
  | { readonly method: 'client_secret_basic'; readonly readings: readonly BasicReading[] }

/** One reading of a Basic header. */
export interface BasicReading {
  readonly clientId: string
  readonly secret: string
}

/** Credentials that break a rule before anyone looks up the client. */
export interface CredentialsProblem {
  /** `invalid_request` for two methods at once, `invalid_client` for an unreadable header. */
  readonly code: 'invalid_request' | 'invalid_client'
  readonly problem: string
  readonly rule: string
  readonly usedHeader: boolean
}

/** Credential parameters of a body. */
export interface BodyCredentials {
  readonly client_id?: string
  readonly client_secret?: string
  /** The interface specification's name for client_secret. */
  readonly client_password?: string
}

/** Names of parameters that must never stand in the query of the token endpoint (RFC 6749 §2.3.1). */
export const CREDENTIAL_PARAMETERS = [
  'client_id',
  'client_secret',
  'client_password',
  'client_assertion',
] as const

function decodeOnce(part: string): string | undefined {
  try {
    const pairs: FormPairs = parseForm(`x=${part.replaceAll('&', '%26')}`)
    return pairs[0]?.[1] ?? ''
  } catch (error) {
    if (error instanceof FormError) return undefined
    throw error
  }
}

/** Reads `Basic base64(id:secret)`; undefined where it is not that (RFC 7617 §2). */
export function parseBasic(value: string): readonly BasicReading[] | undefined {
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
}

/** Finds how a client authenticates; two methods at once are a problem (RFC 6749 §2.3). */
export function readClientCredentials(
  authorization: readonly string[],
  body: BodyCredentials,
): ClientCredentials | CredentialsProblem {
  const rule = 'RFC 6749 §2.3'
  const { client_secret: secret, client_password: password } = body
  if (secret !== undefined && password !== undefined) {
    return {
      code: 'invalid_request',
      problem: 'client_secret and client_password are two credentials; send one',
      rule,
      usedHeader: false,
    }
  }
  const bodySecret = secret ?? password
  if (authorization.length === 0) {
    return bodySecret === undefined
      ? { method: 'none', clientId: body.client_id }
      : { method: 'client_secret_post', clientId: body.client_id, secret: bodySecret }
  }
  if (bodySecret !== undefined) {
    return {
      code: 'invalid_request',
      problem: 'the client authenticates in the header and in the body; one method per request',
      rule,
      usedHeader: true,
    }
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
  const bodyId = body.client_id
  if (bodyId !== undefined && !readings.some(reading => reading.clientId === bodyId)) {
    return {
      code: 'invalid_request',
      problem: 'client_id in the body is not the client of the Authorization header',
      rule,
      usedHeader: true,
    }
  }
  return { method: 'client_secret_basic', readings }
}

/** Whether two secrets are equal, in a time that tells neither content nor length. */
export function secretsEqual(a: string, b: string): boolean {
  const digest = (value: string) => createHash('sha256').update(value, 'utf8').digest()
  return timingSafeEqual(digest(a), digest(b))
}

/** The Authorization header of a client, both halves form-encoded first (RFC 6749 §2.3.1). */
export function basicHeader(clientId: string, secret: string): Header {
  const pair = `${percentEncode(clientId)}:${percentEncode(secret)}`
  return ['authorization', `Basic ${Buffer.from(pair).toString('base64')}`]
}
