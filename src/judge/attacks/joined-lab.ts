import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createTransport } from '../../client/transport.js'
import { clockOf } from '../../lab/clock.js'
import type { LabConfig } from '../../lab/lab-file/config.js'
import type { RunningLab } from '../../lab/state/running.js'
import { runAgent } from '../../protocol/http/message.js'
import { secondUser } from '../../session/targets/lab-names.js'
import type { AttackedLab, AttackerServers } from './attacked-lab.js'
import { openEventFileLog } from './event-file-log.js'
import type { Attack } from './model.js'

/** A running lab that an attack may play at: its record was checked. */
export interface JoinedLab {
  readonly record: RunningLab
  /** Its lab file. */
  readonly config: LabConfig
  /** The state folder with the record and the events. */
  readonly home: string
}

/** The path at which native applications of a lab take their answers. */
const NATIVE_PATH = '/callback'

/** Makes the world of an attack out of a lab that runs already. Nothing is registered there, and its clock stays. */
export async function joinRunningLab(
  { running }: Attack,
  { url, caPem, loopbackUrl }: AttackerServers,
  { record, config, home }: JoinedLab,
  timeoutMs: number,
): Promise<AttackedLab> {
  const { urls } = record
  const { standIn = '', answersAt = NATIVE_PATH } = 'never' in running ? {} : running
  const now = clockOf(record.clock)
  const agent = runAgent('attack', randomBytes(4))
  const origins = Object.values(urls).map(each => new URL(each).origin)
  const log = await openEventFileLog({ home, run: agent.slice(agent.indexOf('(') + 1, -1), origins })
  const authorities = `${await readFile(record.ca, 'utf8')}\n${caPem}`
  const transport = createTransport({ caPem: authorities, now, timeoutMs, agent, env: {} })
  const [resource] = config.resources === 'any' ? [] : config.resources
  return {
    ...{ urls, config, home, now },
    attacker: secondUser(config.users[0]?.username, config.users)!,
    catcher: { client: standIn, address: `${loopbackUrl}${answersAt}` },
    foreignResource: resource ?? url,
    send: log.counted(transport.send),
    random: length => randomBytes(length),
    advance: () => false,
    refused: log.find,
    stop: async () => transport.close(),
  }
}
