import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { EventBus } from '../events/bus.js'
import { EMBEDDED_ISSUER } from '../kubernetes/agreement.js'
import { clockOf } from '../lab/clock.js'
import { type LabConfig, loadLabConfig } from '../lab/config.js'
import type { LabUrls } from '../lab/listeners.js'
import { findRunningLab, type RunningLab } from '../lab/running.js'
import type { Globals } from './globals.js'
import { readCa } from './trusted.js'

/** The lab a command talks to. */
export interface LabInUse {
  readonly urls: LabUrls
  /** What to trust beside the system's certificates; undefined where there is no lab CA and no `--cacert`. */
  readonly caPem?: string
  /** The lab file of this lab: clients and users are looked up in it, secrets included. */
  readonly config: LabConfig
  /** Whether this process started it. */
  readonly embedded: boolean
  /** Events of an embedded lab. */
  readonly events?: EventBus
  /** Milliseconds since the epoch. */
  readonly now: () => number
  /** `length` unpredictable bytes. */
  readonly random: (length: number) => Uint8Array
  /** Stops an embedded lab; leaves others alone. */
  stop(): Promise<void>
}

const realWorld = {
  embedded: false,
  now: Date.now,
  random: (length: number): Uint8Array => randomBytes(length),
  stop: async () => {},
} as const

/** The named CA beside the lab's own one. */
async function trusted(globals: Globals, labCa: string | undefined): Promise<{ caPem?: string }> {
  const own = globals.cacert === undefined ? undefined : await readCa(globals.cacert)
  const all = [own, labCa].filter(pem => pem !== undefined)
  return all.length === 0 ? {} : { caPem: all.join('\n') }
}

/** The lab file as the flags of a running lab changed it. */
function asRunning(config: LabConfig, lab: Partial<RunningLab> = {}): LabConfig {
  const { stage = config.stage, profile = config.profile } = lab
  return { ...config, stage, profile }
}

async function named(globals: Globals, server: string): Promise<LabInUse> {
  const { readRecords } = await import('../lab/running.js')
  const record = (await readRecords(globals.home)).find(each => each.urls.authorization === server)
  const labCa = await readFile(record?.ca ?? join(globals.home, 'ca.pem'), 'utf8').catch(() => undefined)
  const config = asRunning(await loadLabConfig(globals.config ?? record?.config), record)
  return {
    ...realWorld,
    now: clockOf(record?.clock),
    urls: record?.urls ?? { authorization: server },
    ...(await trusted(globals, labCa)),
    config,
  }
}

async function running(globals: Globals, lab: RunningLab): Promise<LabInUse> {
  const labCa = await readFile(lab.ca, 'utf8')
  return {
    ...realWorld,
    now: clockOf(lab.clock),
    urls: lab.urls,
    ...(await trusted(globals, labCa)),
    config: asRunning(await loadLabConfig(lab.config), lab),
  }
}

/** How a lab is to be used. */
export interface LabUse {
  readonly narrate: (line: string) => void
  readonly now?: () => number
  readonly own?: boolean
  /** Whether an embedded lab is to have its cluster. */
  readonly cluster?: boolean
  /** Whether an embedded lab is to have its DNS and security-event API. */
  readonly dns?: boolean
  /** Whether an embedded lab is to compress, whatever its lab file says. */
  readonly compression?: boolean
  /** Looks into the lab file before an embedded lab is started with it: what is wrong there is said at once. */
  readonly check?: (config: LabConfig) => void
}

/**
 * The lab that a command is to use: `--server`, else the running lab if it answers, else an embedded one on free
 * ports. A running lab with another lab file than the one asked for by `--config` is not the lab that was meant.
 * @param options.narrate told, in one line, when an embedded lab is started
 * @param options.now the clock of an embedded lab, in milliseconds since the epoch; others keep their own
 * @param options.own start an embedded one even where another is running
 * @param options.cluster whether an embedded lab is to have its cluster
 * @param options.dns whether an embedded lab is to have its DNS and security-event API
 * @param options.compression whether an embedded lab is to compress, whatever its lab file says
 * @param options.check throws for what the lab file lacks
 */
export async function labInUse(
  globals: Globals,
  { narrate, now: clock, own, cluster, dns, compression, check }: LabUse,
): Promise<LabInUse> {
  if (globals.server !== undefined) return named(globals, globals.server)
  const asked = globals.config
  const found = own
    ? undefined
    : await findRunningLab(globals.home, lab => asked === undefined || asked === lab.config)
  if (found) return running(globals, found)
  const loaded = await loadLabConfig(asked)
  check?.(loaded)
  const config = compression ? { ...loaded, compression } : loaded
  const { startLab } = await import('../lab/lab.js')
  const lab = await startLab({
    config,
    home: globals.home,
    ports: {
      ...{ authorization: 0, http: 0, resource: 0 },
      ...(cluster && { cluster: 0 }),
      ...(dns && { dns: 0 }),
    },
    ...(cluster && { clusterIssuer: EMBEDDED_ISSUER }),
    ...(clock && { now: clock }),
  })
  narrate(`Started a lab for this command: ${lab.urls.authorization}`)
  const { urls, events, now, random, stop } = lab
  return { urls, ...(await trusted(globals, lab.caPem)), config, embedded: true, events, now, random, stop }
}
