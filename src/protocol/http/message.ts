/** One header as it is written on the wire: name, value. */
export type Header = readonly [name: string, value: string]

/** Headers in their order, with duplicates. */
export type HeaderList = readonly Header[]

/** The certificate of a client, whose private key the client proved to hold in the TLS handshake (RFC 8446 §4.4.3). */
export interface ClientCertificate {
  /** The certificate in DER. */
  readonly der: Uint8Array
  /** The problem of the chain to the CA of client certificates. Absent: that CA issued it, for TLS clients. */
  readonly chain?: 'self_signed' | 'other_ca' | 'wrong_purpose'
  /** Set outside of its time of validity, for every issuer. */
  readonly outdated?: 'not_yet_valid' | 'expired'
}

/** A request as data. `url` is absolute; its path and query are kept byte for byte as they were sent. */
export interface HttpRequest {
  /** Number of the request in this program, from 1. Present when the request came through a socket. */
  readonly id?: number
  readonly method: string
  readonly url: string
  readonly headers: HeaderList
  readonly body: Uint8Array
  /** Address of the peer, when the request came through a socket. */
  readonly remoteAddress?: string
  /** The certificate of the connection, on a listener that asks for one. */
  readonly certificate?: ClientCertificate
  /** Outgoing requests of wrong moves alone: shows no certificate, or that of a stranger, in place of the client's own. */
  readonly identity?: 'none' | 'stranger'
  /** HTTP version of the client, `1.0` or `1.1`, when the request came through a socket. */
  readonly httpVersion?: string
}

/** A response as data. A server's `content-length` is written by the adapter, from `body`. */
export interface HttpResponse {
  readonly status: number
  readonly headers: HeaderList
  readonly body: Uint8Array
  /** Bytes after `body` that are written as they come, until the stream ends or the client leaves. Left out: none. */
  readonly stream?: AsyncIterable<Uint8Array>
}

const lenientDecoder = new TextDecoder('utf-8')

/** The bytes of `text` in UTF-8. */
export function bytes(text: string): Uint8Array {
  return Buffer.from(text, 'utf8')
}

/** `body` as UTF-8 text; bytes that are not UTF-8 become U+FFFD. */
export function text(body: Uint8Array): string {
  return lenientDecoder.decode(body)
}

/** True for a header with this name, in lower case. Lengths are compared first, because this runs often per request. */
export function isNamed([each]: Header, wanted: string): boolean {
  return each.length === wanted.length && (each === wanted || each.toLowerCase() === wanted)
}

/** All values of the header `name` (any case), in order. */
export function headerValues(message: { headers: HeaderList }, name: string): string[] {
  const wanted = name.toLowerCase()
  const values: string[] = []
  for (const each of message.headers) if (isNamed(each, wanted)) values.push(each[1])
  return values
}

/** The first value of the header `name` (any case). */
export function header(message: { headers: HeaderList }, name: string): string | undefined {
  const wanted = name.toLowerCase()
  for (const each of message.headers) if (isNamed(each, wanted)) return each[1]
  return undefined
}

/** The media type of a message in lower case, without its parameters; empty without Content-Type. */
export function mediaType(message: { headers: HeaderList }): string {
  return (header(message, 'content-type') ?? '').split(';', 1)[0]!.trim().toLowerCase()
}

/** Origin, path and query of a URL, without the fragment (RFC 3986 Appendix B). */
const urlParts = /^((?:[^/?#]*:\/\/)?[^/?#]*)([^?#]*)\??([^#]*)/

/** Parts of an absolute URL. */
export interface UrlParts {
  readonly origin: string
  readonly path: string
  /** Without its question mark. */
  readonly query: string
}

/** Splits an absolute URL into its parts, without normalising them. */
export function splitUrl(url: string): UrlParts {
  const [, origin = '', path, query = ''] = urlParts.exec(url) ?? []
  return { origin, path: path || '/', query }
}

/** The value of the cookie `name` in a request (RFC 6265 §4.2.1). */
export function cookie(request: HttpRequest, name: string): string | undefined {
  for (const line of headerValues(request, 'cookie')) {
    for (const pair of line.split(';')) {
      const mark = pair.indexOf('=')
      if (mark > 0 && pair.slice(0, mark).trim() === name) return pair.slice(mark + 1).trim()
    }
  }
  return undefined
}

/** Returns a response that browsers take for what its content type says (Fetch standard, "nosniff"). */
export function withNosniff(response: HttpResponse): HttpResponse {
  if (header(response, 'x-content-type-options') !== undefined) return response
  return { ...response, headers: [...response.headers, ['x-content-type-options', 'nosniff']] }
}

/** A text/plain response. */
export function textResponse(status: number, body: string, headers: HeaderList = []): HttpResponse {
  return { status, headers: [['content-type', 'text/plain; charset=utf-8'], ...headers], body: bytes(body) }
}

/** A JSON response with the content type that the token endpoint uses (interface specification, POST /token). */
export function jsonResponse(status: number, body: unknown, headers: HeaderList = []): HttpResponse {
  return {
    status,
    headers: [['content-type', 'application/json;charset=UTF-8'], ...headers],
    body: bytes(JSON.stringify(body)),
  }
}

/** A 302 to `location`. */
export function redirectResponse(location: string, headers: HeaderList = []): HttpResponse {
  return { status: 302, headers: [['location', location], ...headers], body: new Uint8Array() }
}
