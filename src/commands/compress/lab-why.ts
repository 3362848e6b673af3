import { CODINGS } from '../../compression/codings.js'
import type { ProxiedExchange } from '../../compression/events.js'
import { MODE_SETTINGS } from '../../compression/proxy/modes.js'
import { negotiate, parseAcceptEncoding } from '../../http/negotiation.js'
import type { CaseHop, CaseSetting, MeasuredCase } from '../../render/compression/case.js'
import { bytesText } from '../../render/numbers.js'

const parsed = (offer: string | null) => parseAcceptEncoding(offer === null ? [] : [offer])

/** Whether a client that offers this asked for that coding (RFC 9110 §12.5.3). */
export function askedFor(offer: string | null, coding: string): MeasuredCase['asked'] {
  if (coding === 'identity') return 'asked'
  const members = parsed(offer)?.filter(each => each.ignored === undefined) ?? []
  const meant = members.find(each => each.coding === coding) ?? members.find(each => each.coding === '*')
  if (meant === undefined) return 'not asked'
  return meant.q === 0 ? 'refused' : 'asked'
}

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`

const times = (ratio: number): string => `${ratio < 10 ? ratio.toFixed(1) : Math.round(ratio)} times`

function howMuch(hop: CaseHop, bodyBytes: number): string {
  if (hop.coding === 'identity') return 'the whole body'
  const ratio = bodyBytes / hop.wireBytes
  if (ratio < 1) return `${bytesText(hop.wireBytes - bodyBytes)} more than the body`
  return `${times(ratio)} smaller than the body`
}

/** What travelled, measured by the body, and what is left of that once the headers are counted. */
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

/** What the server decided, by the code that decides. */
function server({ offer, coding, vary }: CaseHop): string {
  const { coding: wanted, why, rule } = negotiate(parsed(offer), CODINGS)
  if (wanted !== coding && coding === 'identity') {
    return vary === null
      ? 'The server sent no coding: it does not compress. Start it with serve --compression.'
      : `The server sent no coding, though it could: this answer is none that it compresses.`
  }
  const sent = coding === 'identity' ? 'no coding' : coding
  return `The server sent ${sent}: ${why} (RFC 9110 §${rule}).`
}

/** What the proxy asked for in place of the client. */
function request({ mode, offer }: CaseSetting): string[] {
  const asks = mode === null ? 'pass' : MODE_SETTINGS[mode].acceptEncoding
  if (asks === 'pass') return []
  const client = offer === null ? 'the client offered nothing' : `the client offered ${offer}`
  return asks === ''
    ? [`The proxy kept Accept-Encoding from the server; ${client}.`]
    : [`The proxy asked the server for ${asks}; ${client}.`]
}

/** What the proxy did to the answer. */
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

/** What is wrong with what the client got. */
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
 * Why a case came out as it did: sizes, what the proxy asked, what the server chose, what the proxy made of it, and what is wrong.
 * @param exchange what the proxy told, where there is one
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
