import type { MeasuredCase } from '../../../servers/compression/studies/cases.js'
import { count, type SpokenItem, sentence } from '../spoken/spoken-item.js'
import { caseCommands } from './case-text.js'

const offered = (offer: string | null): string =>
  offer === null
    ? 'The client offers no coding'
    : offer === ''
      ? 'The offer is empty'
      : `The client offers ${offer}`

/** A measured case as sentences: its offer, and the coding and bytes of each hop. */
export function spokenCase(measured: MeasuredCase, server: string): SpokenItem {
  const { name, title, offer, path, status, hops, bodyBytes, headBytes, asked, why } = measured
  const travelled = hops.map(({ from, to, coding, wireBytes }) =>
    sentence(`From ${from} to ${to}: ${coding}, ${count(wireBytes, 'byte')}`),
  )
  const remark =
    asked === 'asked'
      ? []
      : [asked === 'refused' ? 'The client refused this coding.' : 'The client did not ask for this coding.']
  const headers = hops.map(({ from, to, offer: sent, vary }) =>
    sentence(
      `From ${from} to ${to}: Accept-Encoding ${sent === null ? 'is not sent' : sent}, Vary ${vary === null ? 'is not sent' : vary}`,
    ),
  )
  return {
    say: [
      sentence(`Case ${name}, ${title}`),
      sentence(offered(offer)),
      `Answer ${status}.`,
      ...travelled,
      ...remark,
    ].join(' '),
    details: [
      sentence(`Path ${path}`),
      `${count(bodyBytes, 'byte')} of body after decoding, ${count(headBytes, 'byte')} of headers and framing.`,
      ...headers,
      ...why.map(sentence),
      ...caseCommands(measured, path, server).map(command => sentence(`The same, typed: ${command}`)),
    ],
  }
}
