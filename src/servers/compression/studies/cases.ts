import { negotiate, parseAcceptEncoding } from '../../../protocol/http/negotiation.js'
import { CODINGS } from '../compress-response.js'
import type { ProxiedExchange } from '../events.js'
import { MODE_SETTINGS, type ProxyMode } from '../proxy/modes.js'
import { askedFor, varies } from './verdict.js'

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

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`

const times = (ratio: number): string => `${ratio < 10 ? ratio.toFixed(1) : Math.round(ratio)} times`

function howMuch(hop: CaseHop, bodyBytes: number): string {
  if (hop.coding === 'identity') return 'the whole body'
  const ratio = bodyBytes / hop.wireBytes
  if (ratio < 1) return `${(hop.wireBytes - bodyBytes).toLocaleString('en-US')} B more than the body`
  return `${times(ratio)} smaller than the body`
}

/** Compares the bytes that travelled with the raw body, and with the headers included. */
function sizes(first: CaseHop, last: CaseHop, bodyBytes: number, headBytes: number): string {
  const [before, after] = [howMuch(first, bodyBytes), howMuch(last, bodyBytes)]
  const whole = times((bodyBytes + headBytes) / (last.wireBytes + headBytes))
  const headers = last.wireBytes < bodyBytes ? `; ${whole} with the headers` : ''
  if (first === last) return sentence(after + headers)
  if (before === after) return sentence(`${after} on both hops${headers}`)
  return sentence(`${before} to the proxy, ${after} to the client${headers}`)
}

/** Explains the server's decision with the function that decides in the server. */
function server({ offer, coding, vary }: CaseHop): string {
  const { coding: wanted, why, rule } = negotiate(parseAcceptEncoding(offer === null ? [] : [offer]), CODINGS)
  if (wanted !== coding && coding === 'identity') {
    return vary === null
      ? 'The server sent no coding: it does not compress. Start it with serve --compression.'
      : 'The server sent no coding, though it could: it does not compress this kind of answer.'
  }
  const sent = coding === 'identity' ? 'no coding' : coding
  return `The server sent ${sent}: ${why} (RFC 9110 §${rule}).`
}

/** Describes the proxy's request to the server when its Accept-Encoding is not the client's. */
function request({ mode, offer }: CaseSetting): string[] {
  const asks = mode === null ? 'pass' : MODE_SETTINGS[mode].acceptEncoding
  if (asks === 'pass') return []
  const client = offer === null ? 'the client offered nothing' : `the client offered ${offer}`
  return asks === ''
    ? [`The proxy kept Accept-Encoding from the server; ${client}.`]
    : [`The proxy asked the server for ${asks}; ${client}.`]
}

/** Describes the proxy's action on the answer. */
function answer({ did, why, client: { coding, vary } }: ProxiedExchange): string {
  const headers: string[] = []
  if (coding !== 'identity') headers.push(`Content-Encoding: ${coding}`)
  if (vary !== null) headers.push(`Vary: ${vary}`)
  const copied = headers.length === 0 ? 'the answer' : headers.join(' and ')
  switch (did) {
    case 'passed':
      return `The proxy copied ${copied} through unchanged: ${why}.`
    case 'compressed':
      return `The proxy compressed it itself: ${why}.`
    case 'decompressed':
      return `The proxy decoded it: ${why}.`
    case 'failed':
      return `The proxy had nothing to pass on: ${why}.`
  }
}

/** Lists the faults of the answer that the client receives. */
function faults({ offer }: CaseSetting, last: CaseHop): string[] {
  if (last.coding === 'identity') return []
  const found: string[] = []
  const asked = askedFor(offer, last.coding)
  if (asked === 'refused') found.push(`The client refused ${last.coding}, and got it (RFC 9110 §12.5.3).`)
  if (asked === 'not asked')
    found.push(`Nobody asked for ${last.coding} here: a client that cannot decode it is lost.`)
  if (!varies(last.vary))
    found.push('Without Vary a cache gives these bytes to every client (RFC 9110 §12.5.5).')
  return found
}

/**
 * Explains the result of a case: the sizes, the proxy's request, the server's choice, the proxy's action, and faults.
 * @param exchange the proxy's own event; undefined without a proxy
 */
export function caseWhy(
  setting: CaseSetting,
  { hops, bodyBytes, headBytes }: Pick<MeasuredCase, 'hops' | 'bodyBytes' | 'headBytes'>,
  exchange: ProxiedExchange | undefined,
): string[] {
  const [first, last] = [hops[0], hops.at(-1)]
  if (exchange?.did === 'failed' || first === undefined || last === undefined) {
    return exchange === undefined ? [] : [answer(exchange)]
  }
  return [
    sizes(first, last, bodyBytes, headBytes),
    ...request(setting),
    server(first),
    ...(exchange === undefined ? [] : [answer(exchange)]),
    ...faults(setting, last),
  ]
}
