import { createHash, createHmac } from 'node:crypto'
import { type HttpRequest, header, splitUrl } from '../http/message.js'
import { secretsEqual } from '../secrets.js'
import { type Check, check } from './check.js'

/** The draft of the historic scheme MAC. We use the first draft, with the parameters id, nonce and mac. */
export const MAC_DRAFT = 'draft-ietf-oauth-v2-http-mac-00'

const HASHES = { 'hmac-sha-1': 'sha1', 'hmac-sha-256': 'sha256' } as const

/** `mac_algorithm` of a token response (§5.1). */
export type MacAlgorithm = keyof typeof HASHES

/** True for a value that names a supported algorithm. */
export function isMacAlgorithm(value: unknown): value is MacAlgorithm {
  return typeof value === 'string' && Object.hasOwn(HASHES, value)
}

/**
 * The credentials that a client signs with (§2): `access_token`, `mac_key` and `mac_algorithm` of its token response.
 */
export interface MacCredentials {
  readonly id: string
  readonly key: string
  readonly algorithm: MacAlgorithm
}

/** The parameters of `Authorization: MAC` (§3.1). */
export interface MacParameters {
  readonly id: string
  /** `age:unique`, the age of the credentials in seconds. */
  readonly nonce: string
  readonly bodyhash?: string
  readonly ext?: string
  readonly mac: string
}

/** The fields that a MAC covers (§3.3.1). */
export interface MacInput {
  readonly nonce: string
  readonly method: string
  /** Path and query, byte for byte as sent. */
  readonly requestUri: string
  readonly host: string
  readonly port: string
  readonly bodyhash?: string | undefined
  readonly ext?: string | undefined
}

const PARAMETERS = ['id', 'nonce', 'bodyhash', 'ext', 'mac'] as const
const parameter =
  /[ \t]*([A-Za-z]+)[ \t]*=[ \t]*(?:"([\x20\x21\x23-\x5b\x5d-\x7e]*)"|([^\s",\\]+))[ \t]*(,|$)/y

/** Reads the parameters behind the scheme in `Authorization: MAC …` (§3.1). */
export function parseMac(parameters: string): MacParameters | { readonly problem: string } {
  const found: Record<string, string> = Object.create(null)
  parameter.lastIndex = 0
  let more = true
  while (more) {
    const match = parameter.exec(parameters)
    if (match === null) return { problem: 'MAC must be followed by id="…", nonce="…", mac="…"' }
    const [, name = '', quoted, plain, end] = match
    if (name === 'ts') return { problem: 'ts belongs to a later draft; here the age stands in the nonce' }
    if (!PARAMETERS.some(each => each === name)) return { problem: `MAC has no parameter ${name}` }
    if (name in found) return { problem: `the parameter ${name} is repeated` }
    found[name] = quoted ?? plain ?? ''
    more = end === ','
  }
  const { id, nonce, bodyhash, ext, mac } = found
  const missing = Object.entries({ id, nonce, mac }).find(([, value]) => !value)
  if (!id || !nonce || !mac) return { problem: `the parameter ${missing?.[0]} is missing` }
  return { id, nonce, ...(bodyhash ? { bodyhash } : {}), ...(ext ? { ext } : {}), mac }
}

/** Returns the age of the credentials in a nonce, in seconds; undefined for a nonce that is not `age:unique` (§3.1). */
export function nonceAge(nonce: string): number | undefined {
  const age = /^(0|[1-9]\d{0,9}):./.exec(nonce)?.[1]
  return age === undefined ? undefined : Number(age)
}

/** Returns the hash of a request's body (§3.2). */
export function bodyHash(body: Uint8Array, algorithm: MacAlgorithm): string {
  return createHash(HASHES[algorithm]).update(body).digest('base64')
}

/** Returns the text that is signed: each part followed by a line feed (§3.3.1). */
export function normalizedRequest(input: MacInput): string {
  const { nonce, method, requestUri, host, port, bodyhash = '', ext = '' } = input
  const parts = [nonce, method.toUpperCase(), requestUri, host.toLowerCase(), port, bodyhash, ext]
  return parts.map(part => `${part}\n`).join('')
}

/** Returns the MAC of a normalized request (§3.3.2, §3.3.3). */
export function requestMac(normalized: string, { key, algorithm }: Omit<MacCredentials, 'id'>): string {
  return createHmac(HASHES[algorithm], key).update(normalized, 'utf8').digest('base64')
}

/** Returns host and port of a request, from its Host header, or else from its URL (§3.3.1). */
export function requestHost(request: Pick<HttpRequest, 'url' | 'headers'>): { host: string; port: string } {
  const { origin } = splitUrl(request.url)
  const scheme = origin.startsWith('http://') ? 'http' : 'https'
  const authority = header(request, 'host')?.trim() ?? origin.slice(origin.indexOf('://') + 3)
  const [, host = '', port] = /^(\[[^\]]*\]|[^:]*)(?::(\d+))?$/.exec(authority) ?? []
  return { host: host.toLowerCase(), port: port ?? (scheme === 'http' ? '80' : '443') }
}

/** Returns the MAC input of a request. */
function inputOf(request: HttpRequest, rest: Pick<MacInput, 'nonce' | 'bodyhash' | 'ext'>): MacInput {
  const requestUri = request.url.slice(splitUrl(request.url).origin.length).split('#', 1)[0] || '/'
  return { ...rest, method: request.method, requestUri, ...requestHost(request) }
}

/**
 * Writes the value of the Authorization header for a request (§3.1). It covers the body, unless that is empty.
 * @param nonce see `MacParameters`; use each nonce once
 */
export function macAuthorization(
  request: HttpRequest,
  credentials: MacCredentials,
  { nonce, ext }: { readonly nonce: string; readonly ext?: string },
): string {
  const bodyhash = request.body.length > 0 ? bodyHash(request.body, credentials.algorithm) : undefined
  const mac = requestMac(normalizedRequest(inputOf(request, { nonce, bodyhash, ext })), credentials)
  const parameters: readonly [string, string | undefined][] = [
    ['id', credentials.id],
    ['nonce', nonce],
    ['bodyhash', bodyhash],
    ['ext', ext],
    ['mac', mac],
  ]
  const written = parameters.filter(([, value]) => value).map(([name, value]) => `${name}="${value}"`)
  return `MAC ${written.join(', ')}`
}

/**
 * Checks body hash and MAC of a request in constant time (§4). The body must be covered; the draft leaves that choice
 * to the server. The caller checks the nonce's age and replay, which need a memory.
 */
export function checkMac(
  request: HttpRequest,
  presented: MacParameters,
  credentials: Omit<MacCredentials, 'id'>,
): readonly Check[] {
  const { nonce, bodyhash, ext, mac } = presented
  const wanted = requestMac(normalizedRequest(inputOf(request, { nonce, bodyhash, ext })), credentials)
  const good = secretsEqual(mac, wanted)
  return [
    checkBodyHash(request.body, bodyhash, credentials.algorithm),
    check('mac', good, `${MAC_DRAFT} §3.3`, good ? `${credentials.algorithm}` : 'another value'),
  ]
}

function checkBodyHash(body: Uint8Array, bodyhash: string | undefined, algorithm: MacAlgorithm): Check {
  const rule = `${MAC_DRAFT} §3.2`
  if (bodyhash === undefined) {
    return body.length === 0
      ? check('bodyhash', true, rule, 'no body')
      : check('bodyhash', false, rule, 'the body is not covered')
  }
  const good = secretsEqual(bodyhash, bodyHash(body, algorithm))
  return check('bodyhash', good, rule, good ? 'the hash of the body' : 'the hash of another body')
}
