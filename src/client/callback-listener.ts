import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { TransportError } from '../protocol/errors.js'
import { urlHost } from '../protocol/http/address.js'
import type { Header } from '../protocol/http/message.js'
import { splitUrl } from '../protocol/http/message.js'
import { parseLoopback } from '../protocol/oauth/redirect-uri.js'
import { type Callback, type CallbackSite, createCallback } from './callback.js'
import { codeOf, transportHints } from './transport-errors.js'

/** A redirect_uri, and the HTTP server that listens there. */
export interface CallbackListener extends Callback {
  /** The redirect_uri to send, with the port that the server listens on. */
  readonly redirectUri: string
  close(): Promise<void>
}

/** The redirect_uri to use by default: a loopback IP literal, as RFC 8252 §7.3 requires. */
export const DEFAULT_REDIRECT_URI = 'http://127.0.0.1:0/callback'

/** The largest form body that is read, in bytes. A form with a code is small. */
const MAX_FORM = 64 * 1024

/** The certificate of an https redirect_uri and its key, PEM. */
export interface CallbackTls {
  readonly cert: string
  readonly key: string
}

/** The host and port of an https redirect_uri; undefined for any other one. */
function httpsPlace(redirectUri: string): { host: string; port: number } | undefined {
  const named = /^https:\/\/(?:\[([\da-f:]+)\]|([\w.-]+))(?::(\d{1,5}))?(?=[/?]|$)/i.exec(redirectUri)
  const [, literal, name, port = '443'] = named ?? []
  const host = literal ?? name
  return host === undefined || Number(port) > 65_535 ? undefined : { host, port: Number(port) }
}

/** True for an https redirect_uri at a loopback address or localhost, which the certificate of the lab serves. */
export function isLocalHttps(redirectUri: string): boolean {
  const { host = '' } = httpsPlace(redirectUri) ?? {}
  return host === 'localhost' || host === '::1' || host === '127.0.0.1'
}

/** Returns the host and port to listen on for a redirect_uri. Returns undefined when the redirect_uri is not an http address of this computer. */
function listeningAt(redirectUri: string, tls?: object): { host: string; port: number } | undefined {
  if (tls !== undefined && /^https:/i.test(redirectUri)) return httpsPlace(redirectUri)
  const literal = parseLoopback(redirectUri)
  if (literal) return { host: literal.base.includes('[') ? '::1' : '127.0.0.1', port: literal.port ?? 0 }
  // RFC 8252 §8.3 advises against localhost, but many clients register it. An http address without a port means port 80.
  const named = /^http:\/\/localhost(?::(\d{1,5}))?(?=[/?]|$)/.exec(redirectUri)
  if (!named || Number(named[1] ?? 80) > 65535) return undefined
  return { host: 'localhost', port: Number(named[1] ?? 80) }
}

/** True when this program can listen at a redirect_uri. @param tls the certificate for an https one */
export function isListenable(redirectUri: string, tls?: object): boolean {
  return listeningAt(redirectUri, tls) !== undefined
}

const reasons: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another program does',
  EACCES: 'this user may not',
  EADDRNOTAVAIL: 'this computer does not have that address',
  EAFNOSUPPORT: 'this computer does not have that address',
}

/** Returns the error for a failure to listen. The code ELISTEN distinguishes it from a failure to reach a server. */
export function listenError(error: unknown, { host, port }: { host: string; port: number }): TransportError {
  const cause = codeOf(error) ?? 'EUNKNOWN'
  const where = `${urlHost(host)}:${port}`
  const code = cause === 'EADDRINUSE' ? cause : 'ELISTEN'
  const message = `cannot listen on ${where} (${code}): ${reasons[cause] ?? cause}`
  return new TransportError(message, code, transportHints(code), { cause: error })
}

/** Returns the redirect_uri with the bound port and all other characters unchanged. */
function withPort(redirectUri: string, port: number): string {
  if (/^https:/i.test(redirectUri))
    return redirectUri.replace(/^([^/]*\/\/[^/?#]*):0(?=[/?]|$)/, `$1:${port}`)
  return redirectUri.replace(/^(http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost))(?::\d+)?/, `$1:${port}`)
}

const schemeOf = (uri: string): string => uri.slice(0, uri.indexOf(':')).toLowerCase()

/** The post_logout_redirect_uri of a run. */
export interface LogoutReturn {
  /** The address to send, with the port that a server listens on. */
  readonly uri: string
  /** The listener there. Absent when this program cannot listen at that address. */
  readonly callback?: Callback
  close(): Promise<void>
}

/**
 * Listens at a post_logout_redirect_uri: by the listener of the redirect_uri where both are on one port, else by its own.
 * @param tls the certificate for an https one
 * @throws TransportError when the server cannot listen on the port
 */
export async function listenForLogout(
  uri: string,
  callback: CallbackListener | undefined,
  now?: () => number,
  tls?: CallbackTls,
): Promise<LogoutReturn> {
  const at = listeningAt(uri, tls)
  const other = callback && listeningAt(callback.redirectUri, tls)
  const isSameScheme = callback !== undefined && schemeOf(uri) === schemeOf(callback.redirectUri)
  const isSamePlace = at?.host === other?.host && (at?.port === 0 || at?.port === other?.port)
  if (callback && at && other && isSameScheme && isSamePlace) {
    return { uri: withPort(uri, other.port), callback, close: async () => {} }
  }
  const own = await listenForCallback(uri, now, tls)
  return own ? { uri: own.redirectUri, callback: own, close: own.close } : { uri, close: async () => {} }
}

async function readBody(request: IncomingMessage): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of request as AsyncIterable<Uint8Array>) {
    length += chunk.length
    if (length > MAX_FORM) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function headerPairs(raw: readonly string[]): Header[] {
  return Array.from({ length: raw.length / 2 }, (_, i) => [raw[2 * i]!, raw[2 * i + 1]!] as const)
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  origin: string,
  handle: CallbackSite['handle'],
  now: () => number,
): Promise<void> {
  response.sendDate = false
  const body = await readBody(request)
  if (body === undefined) {
    response.writeHead(413, { connection: 'close' }).end()
    return
  }
  const {
    status,
    headers,
    body: answered,
  } = await handle({
    method: request.method ?? 'GET',
    url: origin + (request.url ?? '/'),
    headers: headerPairs(request.rawHeaders),
    body,
  })
  // An idle connection of the browser would keep the listener open after the response has arrived.
  response.writeHead(
    status,
    [
      ...headers,
      ['content-length', String(answered.length)],
      ['date', new Date(now()).toUTCString()],
      ['connection', 'close'],
    ].flat(),
  )
  response.end(request.method === 'HEAD' ? undefined : answered)
}

/** Times in milliseconds. An unfinished request is cut within 30 s of its first byte: the limit and one check. */
const WAITS = { headers: 10_000, request: 25_000, check: 2_000, handshake: 10_000 }

/** Milliseconds after which a connection without any progress is cut. */
const IDLE = 30_000

/** A listener at an address of this computer. */
export interface AddressListener {
  /** The address, with the port that the server listens on. */
  readonly bound: string
  close(): Promise<void>
}

/**
 * Listens at an address of this computer: a loopback address, or any https one with a certificate.
 * @param siteAt makes the handler from the address with its port
 * @param now milliseconds since the epoch, for the date of answers; left out: the real clock
 * @param waits the longest times, in milliseconds: of the headers and the whole of a request, between two checks of both, and
 * of a TLS handshake
 * @returns undefined when the address is not on this computer
 * @throws TransportError when the server cannot listen on the port
 */
export async function listenAt(
  address: string,
  siteAt: (bound: string) => Pick<CallbackSite, 'handle'>,
  now?: () => number,
  tls?: CallbackTls,
  waits = WAITS,
): Promise<AddressListener | undefined> {
  const at = listeningAt(address, tls)
  if (!at) return undefined
  let handle: CallbackSite['handle'] | undefined
  let origin = ''
  const listener = (request: IncomingMessage, response: ServerResponse) => {
    answer(request, response, origin, handle!, now ?? Date.now).catch(() => response.destroy())
  }
  const limits = {
    headersTimeout: waits.headers,
    requestTimeout: waits.request,
    connectionsCheckingInterval: waits.check,
  }
  const server =
    tls && /^https:/i.test(address)
      ? createTlsServer({ ...tls, ...limits, handshakeTimeout: waits.handshake }, listener)
      : createServer(limits, listener)
  server.timeout = IDLE
  // Every answer closes its connection.
  server.maxRequestsPerSocket = 1
  await new Promise<void>((resolve, reject) => {
    server.once('error', error => {
      reject(listenError(error, at))
    })
    server.listen(at.port, at.host, resolve)
  })
  const bound = withPort(address, (server.address() as AddressInfo).port)
  handle = siteAt(bound).handle
  origin = splitUrl(bound).origin
  return {
    bound,
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/**
 * Listens at a redirect_uri of this computer: a loopback address, or any https one with a certificate. A literal without a port, or with port 0, gets a free port (RFC 8252 §7.3).
 * @param now milliseconds since the epoch, for the date and the time of answers; left out: the real clock
 * @returns undefined when the address is not on this computer
 * @throws TransportError when the server cannot listen on the port
 */
export async function listenForCallback(
  redirectUri = DEFAULT_REDIRECT_URI,
  now?: () => number,
  tls?: CallbackTls,
): Promise<CallbackListener | undefined> {
  let callback: CallbackSite | undefined
  const siteAt = (bound: string) => {
    callback = createCallback(bound, now)
    return callback
  }
  const listener = await listenAt(redirectUri, siteAt, now, tls)
  return listener && { redirectUri: listener.bound, receive: callback!.receive, close: listener.close }
}
