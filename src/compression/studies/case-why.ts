import { negotiate, parseAcceptEncoding } from '../../http/negotiation.js'
import { CODINGS } from '../codings.js'
import type { ProxiedExchange } from '../events.js'
import { MODE_SETTINGS } from '../proxy/modes.js'
import type { CaseHop, CaseSetting, MeasuredCase } from './cases.js'
import { askedFor } from './verdict.js'

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`

const times = (ratio: number): string => `${ratio < 10 ? ratio.toFixed(1) : Math.round(ratio)} times`

function howMuch(hop: CaseHop, bodyBytes: number): string {
  if (hop.coding === 'identity') return 'the whole body'
  const ratio = bodyBytes / hop.wireBytes
  if (ratio < 1) return `${(hop.wireBytes - bodyBytes).toLocaleString('en-US')} B more than the body`
  return `${times(ratio)} smaller than the body`
}

/** The bytes that travelled, compared with the body alone and with the headers included. */
function sizes(hops: readonly CaseHop[], bodyBytes: number, headBytes: number): string {
  const [first, last] = [hops[0], hops.at(-1)]
  if (first === undefined || last === undefined) return 'Nothing came.'
  const [before, after] = [howMuch(first, bodyBytes), howMuch(last, bodyBytes)]
  const whole = times((bodyBytes + headBytes) / (last.wireBytes + headBytes))
  const headers = last.wireBytes < bodyBytes ? `; ${whole} with the headers` : ''
  if (hops.length === 1) return sentence(after + headers)
  if (before === after) return sentence(`${after} on both hops${headers}`)
  return sentence(`${before} to the proxy, ${after} to the client${headers}`)
}

/** The server's decision, explained by the code that makes it. */
function server({ offer, coding, vary }: CaseHop): string {
  const { coding: wanted, why, rule } = negotiate(parseAcceptEncoding(offer === null ? [] : [offer]), CODINGS)
  if (wanted !== coding && coding === 'identity') {
    return vary === null
      ? 'The server sent no coding: it does not compress. Start it with serve --compression.'
      : `The server sent no coding, though it could: it does not compress this kind of answer.`
  }
  const sent = coding === 'identity' ? 'no coding' : coding
  return `The server sent ${sent}: ${why} (RFC 9110 §${rule}).`
}

/** The proxy's request to the server, when it differs from the client's. */
function request({ mode, offer }: CaseSetting): string[] {
  const asks = mode === null ? 'pass' : MODE_SETTINGS[mode].acceptEncoding
  if (asks === 'pass') return []
  const client = offer === null ? 'the client offered nothing' : `the client offered ${offer}`
  return asks === ''
    ? [`The proxy kept Accept-Encoding from the server; ${client}.`]
    : [`The proxy asked the server for ${asks}; ${client}.`]
}

/** The proxy's treatment of the answer. */
function answer({ did, why, client: { coding, vary } }: ProxiedExchange): string {
  const headers = [
    ...(coding === 'identity' ? [] : [`Content-Encoding: ${coding}`]),
    ...(vary === null ? [] : [`Vary: ${vary}`]),
  ]
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

/** Faults of the client's answer. */
function faults({ offer }: CaseSetting, last: CaseHop): string[] {
  if (last.coding === 'identity') return []
  const asked = askedFor(offer, last.coding)
  const varies = (last.vary ?? '').toLowerCase().includes('accept-encoding')
  return [
    ...(asked === 'refused' ? [`The client refused ${last.coding}, and got it (RFC 9110 §12.5.3).`] : []),
    ...(asked === 'not asked'
      ? [`Nobody asked for ${last.coding} here: a client that cannot decode it is lost.`]
      : []),
    ...(varies ? [] : ['Without Vary a cache gives these bytes to every client (RFC 9110 §12.5.5).']),
  ]
}

/**
 * Explains the result of a case: sizes, the proxy's request, the server's choice, the proxy's treatment of the answer, and faults.
 * @param exchange the proxy's own report; undefined without a proxy
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
    sizes(hops, bodyBytes, headBytes),
    ...request(setting),
    server(first),
    ...(exchange === undefined ? [] : [answer(exchange)]),
    ...faults(setting, last),
  ]
}
