import type { LabEvent } from '../../protocol/events.js'
import { labConfigured } from './lab-configured.js'
import { readRecords } from './running.js'

/**
 * The settings of a lab that still runs on this machine, from its record.
 * @param ready the first event of the lab
 * @param home the state folder
 */
export async function configuredAs({ pid }: LabEvent, home: string): Promise<LabEvent | undefined> {
  const record = (await readRecords(home)).find(each => each.pid === pid)
  if (record === undefined) return undefined
  const { loadLabConfig } = await import('../lab-file/config.js')
  const config = await loadLabConfig(record.config)
  const { stage = config.stage, profile = config.profile, weak = [] } = record
  const configured = await labConfigured({ ...config, stage, profile, weak }, home)
  return { ...configured, at: new Date(record.startedAt).toISOString() }
}
