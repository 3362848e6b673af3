import { STAGES } from '../../servers/authorization-server/stages/stages.js'
import type { LabConfig } from '../lab-file/config.js'
import { isLoopback } from '../lab-file/names.js'

const isLocal = (host: string | undefined) => host === undefined || isLoopback(host)

/** A lab that other machines reach fetches documents only where its lab file says so: anyone could make it call addresses. */
export function fetchesClientDocuments(
  { clientIdDocuments: given, stage, profile }: Pick<LabConfig, 'clientIdDocuments' | 'stage' | 'profile'>,
  host: string | undefined,
): boolean {
  if (given === 'off' || !STAGES[stage].published || profile === 'reference') return false
  return given !== undefined || isLocal(host)
}

/** Hosts at private addresses that clients which introduce themselves may name. */
export function allowedClientHosts(
  { clientIdDocuments: given }: Pick<LabConfig, 'clientIdDocuments'>,
  host: string | undefined,
): readonly string[] {
  const own = given === 'off' ? undefined : given?.allow
  return own ?? (isLocal(host) ? ['localhost'] : [])
}
