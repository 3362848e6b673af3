import { findingOf } from './endpoints/endpoint-check.js'
import type { DoctorCheck, Publication } from './facts.js'
import { type Finding, fault, type Judgement, notApplicable, notTried, pass, passIf } from './finding.js'
import type { DoctorPorts, OldTls } from './ports.js'

const group = 'tls'

const NOT_TLS = 'the server was not reached over TLS'

/** Checks the connections that were made. */
export const tlsChecks: readonly DoctorCheck<Publication>[] = [
  {
    group,
    name: 'tls-version',
    title: 'TLS is 1.2 or later',
    rule: 'RFC 9325 §3.1.1',
    judge: ({ documents }) => {
      const tls = documents.find(({ exchange }) => exchange.tls)?.exchange.tls
      if (!tls) return notApplicable(NOT_TLS)
      return passIf(/^TLSv1\.[2-9]$/.test(tls.protocol), `${tls.protocol}, ${tls.cipher}`)
    },
  },
]

/** A version that no server may offer, and the rule. */
interface OldVersion extends Omit<DoctorCheck<never>, 'judge'> {
  readonly version: OldTls
}

/** The versions that are offered to the server in handshakes of their own. */
export const oldVersions: readonly OldVersion[] = [
  {
    group,
    name: 'tls-1-0-refused',
    severity: 'weakness',
    title: 'the server takes no TLS 1.0',
    rule: 'RFC 8996 §4',
    version: 'TLSv1',
  },
  {
    group,
    name: 'tls-1-1-refused',
    severity: 'weakness',
    title: 'the server takes no TLS 1.1',
    rule: 'RFC 8996 §5',
    version: 'TLSv1.1',
  },
]

async function offered(
  { takesTls }: DoctorPorts,
  { issuer, documents }: Publication,
  version: OldTls,
): Promise<Judgement> {
  const overTls = documents.some(({ exchange }) => exchange.tls)
  if (!overTls || takesTls === undefined) return notApplicable(NOT_TLS)
  const taken = await takesTls(issuer, version)
  if (taken === undefined) return notTried('no handshake could be made')
  return taken
    ? fault(`a handshake with ${version} succeeds`)
    : pass(`a handshake with ${version} is refused`)
}

/** Offers each old version to the server. */
export async function* handshakes(
  ports: DoctorPorts,
  publication: Publication,
): AsyncGenerator<Finding, void, void> {
  for (const each of oldVersions) yield findingOf(each, await offered(ports, publication, each.version))
}
