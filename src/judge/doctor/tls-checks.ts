import { findingOf, inGroup, type Publication, type Stated } from './facts.js'
import { type Finding, fault, type Judgement, notApplicable, notTried, pass, passIf } from './finding.js'
import type { DoctorPorts, WeakOffer } from './ports.js'

const NOT_TLS = 'the server was not reached over TLS'

/** Checks the connections that were made. */
export const tlsChecks = inGroup<Publication>('tls', [
  {
    name: 'tls-version',
    title: 'TLS is 1.2 or later',
    rule: 'RFC 9325 §3.1.1',
    judge: ({ documents }) => {
      const tls = documents.find(({ exchange }) => exchange.tls)?.exchange.tls
      if (!tls) return notApplicable(NOT_TLS)
      return passIf(/^TLSv1\.[2-9]$/.test(tls.protocol), `${tls.protocol}, ${tls.cipher}`)
    },
  },
])

/** A handshake that a careful server refuses, and the rule. */
interface OldOffer extends Omit<Stated, 'group'> {
  readonly offer: WeakOffer
  /** The offer for people. */
  readonly words: string
}

/** Suites of TLS 1.2 with CBC (Lucky Thirteen), by OpenSSL's names. */
const CBC = [
  'ECDHE-ECDSA-AES128-SHA',
  'ECDHE-RSA-AES128-SHA',
  'ECDHE-ECDSA-AES256-SHA',
  'ECDHE-RSA-AES256-SHA',
  'ECDHE-ECDSA-AES128-SHA256',
  'ECDHE-RSA-AES128-SHA256',
  'ECDHE-ECDSA-AES256-SHA384',
  'ECDHE-RSA-AES256-SHA384',
  'DHE-RSA-AES128-SHA',
  'DHE-RSA-AES256-SHA',
]

/** Suites whose key exchange has no forward secrecy: who gets the server's key later reads it all. */
const KEY_TRANSPORT = [
  'AES128-SHA',
  'AES256-SHA',
  'AES128-SHA256',
  'AES256-SHA256',
  'AES128-GCM-SHA256',
  'AES256-GCM-SHA384',
]

/** The offers that are made in handshakes of their own. */
export const oldOffers: readonly OldOffer[] = [
  {
    name: 'tls-1-0-refused',
    severity: 'weakness',
    title: 'the server takes no TLS 1.0',
    rule: 'RFC 8996 §4',
    offer: { version: 'TLSv1' },
    words: 'TLSv1',
  },
  {
    name: 'tls-1-1-refused',
    severity: 'weakness',
    title: 'the server takes no TLS 1.1',
    rule: 'RFC 8996 §5',
    offer: { version: 'TLSv1.1' },
    words: 'TLSv1.1',
  },
  {
    name: 'tls-cbc-refused',
    severity: 'weakness',
    title: 'the server takes no suite of TLS 1.2 with CBC',
    rule: 'RFC 9325 §4.2',
    offer: { version: 'TLSv1.2', suites: CBC },
    words: 'CBC suites alone',
  },
  {
    name: 'tls-key-transport-refused',
    severity: 'weakness',
    title: 'the server takes no suite of TLS 1.2 without forward secrecy',
    rule: 'RFC 9325 §4.2',
    offer: { version: 'TLSv1.2', suites: KEY_TRANSPORT },
    words: 'suites with RSA key transport alone',
  },
]

async function offered(
  { offerTls }: DoctorPorts,
  { issuer, documents }: Publication,
  { offer, words }: OldOffer,
): Promise<Judgement> {
  const overTls = documents.some(({ exchange }) => exchange.tls)
  if (!overTls || offerTls === undefined) return notApplicable(NOT_TLS)
  switch (await offerTls(issuer, offer)) {
    case 'taken':
      return fault(`a handshake with ${words} succeeds`)
    case 'refused':
      return pass(`a handshake with ${words} is refused`)
    case 'not_offered':
      return notTried(`the OpenSSL of this computer cannot offer ${words}`)
    default:
      return notTried('no handshake could be made')
  }
}

/** Makes each offer to the server. */
export async function* handshakes(
  ports: DoctorPorts,
  publication: Publication,
): AsyncGenerator<Finding, void, void> {
  for (const each of oldOffers)
    yield findingOf({ group: 'tls', ...each }, await offered(ports, publication, each))
}
