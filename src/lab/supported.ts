import { UsageError } from '../errors.js'
import type { LabConfig } from './config.js'
import type { LabFile } from './lab-file-schema.js'

/** Fields of the lab file that no site of this version reads. */
const unread: readonly (keyof LabFile)[] = [
  'signing_secret',
  'compression',
  'resource',
  'cluster',
  'dns',
]

/**
 * Refuses settings that would change what the server does, but are not built.
 * @throws UsageError naming what is
 */
export function refuseUnsupported({ stage, profile, file }: LabConfig): void {
  const where = file === null ? '' : ` (${file})`
  if (stage !== 'published-keys') {
    throw new UsageError(`this version has no stage ${stage}${where}`, ['Supported:  stage: published-keys'])
  }
  if (profile !== 'standard') {
    throw new UsageError(`this version has no profile ${profile}${where}`, ['Supported:  profile: standard'])
  }
}

/** Fields that the person's own file sets and this version does not read. */
export function unreadFields({ given }: LabConfig): string[] {
  return given.filter(field => unread.includes(field))
}
