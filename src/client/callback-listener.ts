import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { TransportError } from '../errors.js'
import type { Header } from '../http/message.js'
import { splitUrl } from '../http/message.js'
import { parseLoopback } from '../oauth/redirect-uri.js'
import { type Callback, type CallbackSite, createCallback } from './callback.js'
import { codeOf, transportHints } from './transport-errors.js'

/** A redirect_uri with a server behind it. */
export interface CallbackListener extends Callback {
  /** The address to send, with the port that is really listened at. */
  readonly redirectUri: string
  close(): Promise<void>
}

/** The default address for the answer: a loopback literal, as RFC 8252 §7.3 asks. */
export const DEFAULT_REDIRECT_URI = 'http://127.0.0.1:0/callback'

/** A form with a code is small; more than this is not read. */
const MAX_FORM = 64 * 1024

/**
 * The address to listen on for a redirect_uri; undefined when it leads to another computer, or to no server.
 */
function listeningAt(redirectUri: string): { host: string; port: number } | undefined {
  const literal = parseLoopback(redirectUri)
  if (literal) return { host: literal.base.includes('[') ? '::1' : '127.0.0.1', port: literal.port ?? 0 }
  // RFC 8252 §8.3: not recommended, but registered by many. Without a port it is port 80.
  const named = /^http:\/\/localhost(?::(\d{1,5}))?(?=[/?]|$)/.exec(redirectUri)
  if (!named || Number(named[1] ?? 80) > 65535) return undefined
  return { host: 'localhost', port: Number(named[1] ?? 80) }
}

/** True when this side can listen at a redirect_uri. */
export function isListenable(redirectUri: string): boolean {
  return listeningAt(redirectUri) !== undefined
}

const reasons: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another program does',
  EACCES: 'this user may not',
  EADDRNOTAVAIL: 'this computer does not have that address',
  EAFNOSUPPORT: 'this computer does not have that address',
}

/** A failure to listen, with a code that distinguishes it from a failure to connect. */
export function listenError(error: unknown, { host, port }: { host: string; port: number }): TransportError {
  const cause = codeOf(error) ?? 'EUNKNOWN'
  const where = `${host.includes(':') ? `[${host}]` : host}:${port}`
  const code = cause === 'EADDRINUSE' ? cause : 'ELISTEN'
  const message = `cannot listen on ${where} (${code}): ${reasons[cause] ?? cause}`
  return new TransportError(message, code, transportHints(code), { cause: error })
}

/** The address with the port that was bound, everything else as it was. */
function withPort(redirectUri: string, port: number): string {
  return redirectUri.replace(/^(http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost))(?::\d+)?/, `$1:${port}`)
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
): Promise<void> {
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
  // A browser's idle connection would keep the listener open after its work is done.
  response.writeHead(
    status,
    [...headers, ['content-length', String(answered.length)], ['connection', 'close']].flat(),
  )
  response.end(request.method === 'HEAD' ? undefined : answered)
}

/**
 * Listens at a loopback redirect_uri. A literal without a port, or with port 0, gets a free one (RFC 8252 §7.3).
 * @returns undefined where the address is not on this computer
 * @throws TransportError where the port cannot be listened at
 */
export async function listenForCallback(
  redirectUri = DEFAULT_REDIRECT_URI,
): Promise<CallbackListener | undefined> {
  const at = listeningAt(redirectUri)
  if (!at) return undefined
  let handle: CallbackSite['handle'] | undefined
  let origin = ''
  const server = createServer((request, response) => {
    answer(request, response, origin, handle!).catch(() => response.destroy())
  })
  server.requestTimeout = 30_000
  server.headersTimeout = 10_000
  await new Promise<void>((resolve, reject) => {
    server.once('error', error => {
      reject(listenError(error, at))
    })
    server.listen(at.port, at.host, resolve)
  })
  const bound = withPort(redirectUri, (server.address() as AddressInfo).port)
  const callback = createCallback(bound)
  handle = callback.handle
  origin = splitUrl(bound).origin
  return {
    redirectUri: bound,
    receive: callback.receive,
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
