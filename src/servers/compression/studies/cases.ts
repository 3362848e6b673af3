import type { ProxyMode } from '../proxy/modes.js'

/** A path from the server to the client, and the client's offer. */
export interface CaseSetting {
  /** One letter. */
  readonly name: string
  readonly title: string
  /** Mode of the proxy between server and client. null for no proxy. */
  readonly mode: ProxyMode | null
  /** Accept-Encoding of the client. null for none. */
  readonly offer: string | null
}

/** One measured hop of an answer. */
export interface CaseHop {
  readonly from: 'server' | 'proxy'
  readonly to: 'proxy' | 'client'
  /** Accept-Encoding of the request on this hop. null for none. */
  readonly offer: string | null
  /** `identity` for a raw body. */
  readonly coding: string
  /** Body bytes as they travelled. */
  readonly wireBytes: number
  readonly vary: string | null
}

/** The result of a case. */
export interface MeasuredCase extends CaseSetting {
  readonly path: string
  readonly status: number
  /** The server's hop first. */
  readonly hops: readonly CaseHop[]
  /** Decoded body bytes. */
  readonly bodyBytes: number
  /** Bytes of status line, header fields and framing of the client's answer. */
  readonly headBytes: number
  /** How the coding of the client's answer relates to its offer. */
  readonly asked: 'asked' | 'not asked' | 'refused'
  /** The reasons for the result, in whole sentences. */
  readonly why: readonly string[]
}

/** Five paths from the server to the client. In each, another program compresses, decodes or only forwards. */
export const CASES: readonly CaseSetting[] = [
  { name: 'A', title: 'no proxy', mode: null, offer: 'gzip' },
  { name: 'B', title: 'proxy passes through (default)', mode: 'default', offer: 'gzip' },
  { name: 'C', title: 'proxy forces gzip upstream', mode: 'force', offer: null },
  { name: 'D', title: 'as C, decompression on the proxy', mode: 'force-gunzip', offer: null },
  { name: 'E', title: 'server raw, proxy compresses', mode: 'gzip-strip', offer: 'gzip' },
]

/**
 * Paths to measure. `/kb/` has letters a, which compress better than any other text. The greeting `/` grows when it is
 * compressed. The keys in `jwks.json` are nearly random.
 */
export const CASE_PATHS: readonly string[] = [
  '/kb/200',
  '/kb/2',
  '/',
  '/.well-known/openid-configuration',
  '/.well-known/jwks.json',
]

/** Offers of the client, in the order of the key that changes them. */
export const CASE_OFFERS: readonly (string | null)[] = [
  'gzip',
  null,
  'br',
  'gzip, br',
  'br;q=1, gzip;q=0.5',
  '*',
  'identity',
  'gzip;q=0',
  'gzip;q=0, *',
]
