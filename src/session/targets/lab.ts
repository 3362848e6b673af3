import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FlowOptions } from '../../flows/options.js'
import { clockOf, clockSetting, type Repeat } from '../../lab/clock.js'
import { type LabConfig, loadLabConfig } from '../../lab/lab-file/config.js'
import type { LabPorts, LabUrls } from '../../lab/listening/listeners.js'
import { seededPorts } from '../../lab/listening/seeded-ports.js'
import type { Lab } from '../../lab/model.js'
import { seededRandom } from '../../lab/seeded-random.js'
import { keepEventsOf } from '../../lab/state/lesson-events.js'
import { findRunningLab, type RunningLab, readRecords } from '../../lab/state/running.js'
import { announceLab } from '../../lab/state/seen-origins.js'
import type { StateHome } from '../../lab/state/state-folder.js'
import { TransportError } from '../../protocol/errors.js'
import type { EventBus, LabEvent } from '../../protocol/events.js'
import type { Send } from '../../protocol/http/exchange.js'
import { weakNotice } from '../../protocol/rules/weak-modes.js'
import { makeSafe } from '../../protocol/safe-output/safe.js'
import { defined } from '../../protocol/values.js'
import { EMBEDDED_ISSUER } from '../../servers/kubernetes/emulator/settings.js'
import { outside, type Target, type TrustOptions, targetFrom, trustedPem, trustedWith } from './target.js'

/** A lab: a running one, or one that was started for this run. */
export interface LabTarget extends Target {
  readonly urls: LabUrls
  /** The lab file of this lab. Clients and users are looked up in it, secrets included. */
  readonly config: LabConfig
  /** True when the lab was named, and no running lab of this user is at its address. */
  readonly elsewhere?: boolean
  /** The lab of this process; absent for a lab of another process. */
  readonly embedded?: EmbeddedLab
  /** Set for the lab of the room that the person is in. */
  readonly ofRoom?: LabOfRoom
}

/** The parts of a room's lab that its participants have, and others have not. */
interface LabOfRoom {
  /** The one namespace of the participant. */
  readonly namespace: string
  /** Calls the listener with the events of the participant's own requests; returns the function that ends it. */
  readonly subscribe: (listener: (event: LabEvent) => void) => () => void
}

/** The parts of a lab that only the process running it can reach. */
interface EmbeddedLab {
  readonly events: EventBus
  /** Returns the id of the latest request that a client in this program sent over a connection. */
  readonly requestOn: Lab['requestOn']
  readonly clock: MovableClock
}

/** The options that name a lab. */
export interface LabOptions extends TrustOptions {
  /** The lab file of `--config`, absolute. */
  readonly config?: string
  /** The address of `--server`, without a trailing slash, or `room`. */
  readonly server?: string
  /** The option or the variable that set the address, for messages. Default: `--server`. */
  readonly serverBy?: string
}

/** How a run wants to use its lab. */
export interface LabUse {
  /** Reports in one line which lab is used and why, and a running lab of this user that is not used. */
  readonly narrate: (line: string) => void
  /** The reason to start an embedded lab even where another lab runs. */
  readonly own?: string | undefined
  /** True for a command that kubectl runs and whose stderr kubectl shows: a lab that is found is not reported. */
  readonly quiet?: boolean | undefined
  /** Starts an embedded lab with its cluster. */
  readonly cluster?: boolean
  /** Starts an embedded lab with its DNS and security-event API. */
  readonly dns?: boolean
  /** Takes a lab with its demo client, or starts one. */
  readonly demoClient?: boolean
  /** Starts an embedded lab that compresses, whatever its lab file says. */
  readonly compression?: boolean
  /** Starts an embedded lab with this seed and clock, so that its transcript repeats. It needs `own`. */
  readonly repeat?: Repeat
  /** Throws for something that the lab file lacks, before the lab is reported or started. */
  readonly check?: (config: LabConfig) => void
}

/** The lab file with the stage, profile and weak modes that a running lab was started with. */
function asRunning(config: LabConfig, lab?: RunningLab): LabConfig {
  if (lab === undefined) return config
  const { stage = config.stage, profile = config.profile, weak = [] } = lab
  return { ...config, stage, profile, weak }
}

/** Reports that a lab is weak on purpose. */
function reportWeak({ weak }: LabConfig, narrate: LabUse['narrate']): void {
  const notice = weakNotice(weak)
  if (notice !== undefined) narrate(notice)
}

/** Reports a running lab of this user that is passed over. @param records the running labs, newest first */
export function reportUnused(
  records: readonly RunningLab[],
  reason: string,
  narrate: LabUse['narrate'],
): void {
  const [own] = records
  if (own) narrate(`Your lab ${own.urls.authorization} runs too, and is not used: ${reason}`)
}

async function namedLab(options: LabOptions, server: string, use: LabUse): Promise<LabTarget> {
  const { serverBy = '--server' } = options
  const records = await readRecords(options.home)
  const record = records.find(({ urls }) => urls.authorization === server)
  const ofRoom = record === undefined && (await findRoomLab(options, server, use))
  if (ofRoom) return ofRoom
  const config = asRunning(await loadLabConfig(options.config ?? record?.config), record)
  use.check?.(config)
  if (!use.quiet) {
    use.narrate(`Uses the lab ${server} (${serverBy})`)
    reportWeak(config, use.narrate)
    if (record === undefined) reportUnused(records, `${serverBy} names another one`, use.narrate)
  }
  const caPem = await trustedPem(options, server)
  return {
    ...outside,
    address: server,
    caPem,
    now: clockOf(record?.clock),
    urls: record?.urls ?? { authorization: server },
    elsewhere: record === undefined,
    config,
  }
}

/** Finds the lab of the room that the person is in. Undefined where `server` names another lab. */
async function findRoomLab(options: LabOptions, server: string, use: LabUse): Promise<LabTarget | undefined> {
  const { home, serverBy = '--server', config: file } = options
  const { followLab, roomLab } = await import('../room/room-lab.js')
  const found = await roomLab(home, server, serverBy)
  if (found === undefined) return undefined
  const { document, config, room } = found
  use.check?.(config)
  if (!use.quiet) {
    use.narrate(
      `Uses the lab of the room ${makeSafe(room.room)}, ${document.urls.authorization}, as ${room.who}`,
    )
    if (file !== undefined)
      use.narrate(`The lab file ${file} is not used: your accounts there come from the teacher`)
  }
  return {
    ...outside,
    address: document.urls.authorization,
    caPem: await trustedWith(options, document.ca),
    urls: document.urls,
    elsewhere: true,
    config,
    ofRoom: {
      namespace: document.cluster.namespace,
      subscribe(listener) {
        const ended = new AbortController()
        void followLab(room, listener, ended.signal)
        return () => ended.abort()
      },
    },
  }
}

async function runningLab(options: LabOptions, lab: RunningLab, use: LabUse): Promise<LabTarget> {
  const config = asRunning(await loadLabConfig(lab.config), lab)
  use.check?.(config)
  if (!use.quiet) {
    use.narrate(`Uses the running lab ${lab.urls.authorization}`)
    reportWeak(config, use.narrate)
  }
  const caPem = await trustedWith(options, await readFile(lab.ca, 'utf8'))
  return {
    ...outside,
    address: lab.urls.authorization,
    caPem,
    now: clockOf(lab.clock),
    urls: lab.urls,
    config,
  }
}

/** The address that another site of a lab has when it listens on its usual port. @param address of the lab */
export function neighbour(address: string, port: number): string {
  const url = new URL(address)
  url.port = String(port)
  return url.origin
}

/** Milliseconds that a connection is kept: a person may think that long between two steps of a flow. */
const EMBEDDED_KEEP_ALIVE = 10 * 60_000

/** Milliseconds to wait until the ports of a seed are free, in all and between two tries: a run with the same seed may be about to end. */
const PORT_WAIT = { all: 15_000, pause: 100 }

/** Starts a lab on the ports of its seed as soon as they are free. @throws TransportError */
async function startWhenFree(start: () => Promise<Lab>, seed: number): Promise<Lab> {
  for (let waited = 0; ; waited += PORT_WAIT.pause) {
    try {
      return await start()
    } catch (error) {
      if (!(error instanceof TransportError) || error.code !== 'EADDRINUSE') throw error
      if (waited >= PORT_WAIT.all) {
        const hints = [`The ports of a seed are always the same. Choose another one than --seed ${seed}`]
        throw new TransportError(error.message, error.code, hints, { cause: error })
      }
    }
    await sleep(PORT_WAIT.pause)
  }
}

function fixedPorts(seed: number): Pick<LabPorts, 'authorization' | 'resource'> {
  const { authorization, resource } = seededPorts(seed)
  return { authorization, resource }
}

async function embeddedLab(options: LabOptions, use: LabUse): Promise<LabTarget> {
  const { cluster, dns, demoClient, compression, repeat = {} } = use
  const { seed } = repeat
  const loaded = await loadLabConfig(options.config)
  use.check?.(loaded)
  await announceLab(loaded, options.home, use.narrate)
  const config = compression ? { ...loaded, compression } : loaded
  const setting = clockSetting(repeat)
  const clock = movableClock(clockOf(setting), setting?.still)
  const { startLab } = await import('../../lab/lab.js')
  const start = async () =>
    startLab({
      config,
      home: options.home,
      ports: {
        ...defined({
          authorization: 0,
          http: 0,
          resource: 0,
          cluster: cluster ? 0 : undefined,
          dns: dns ? 0 : undefined,
          client: demoClient ? 0 : undefined,
        }),
        ...(seed !== undefined && fixedPorts(seed)),
      },
      ...(cluster && { clusterIssuer: EMBEDDED_ISSUER }),
      ...(seed !== undefined && { seed, random: seededRandom(seed) }),
      now: clock.now,
      keepAlive: EMBEDDED_KEEP_ALIVE,
    })
  const lab = await (seed === undefined ? start() : startWhenFree(start, seed))
  const { urls, events, requestOn, now, random } = lab
  const stop = await keepEventsOf(lab, options.home)
  const embedded = { events, requestOn, clock }
  const target = { address: urls.authorization, now, random, urls, config, embedded, stop }
  return targetFrom(target, async () => {
    const caPem = await trustedWith(options, lab.caPem)
    use.narrate(`Started a lab for this command: ${urls.authorization}`)
    reportWeak(config, use.narrate)
    return { ...target, caPem }
  })
}

/**
 * Finds the lab of a run: the one that `--server` names, else a running lab that answers, else an embedded lab on free
 * ports. With `--config`, only a running lab with the same lab file counts.
 * @throws UsageError for a lab file or a CA file that cannot be used
 */
export async function labTarget(options: LabOptions, use: LabUse): Promise<LabTarget> {
  const { home, server, config } = options
  if (server !== undefined) return namedLab(options, server, use)
  const misfit = (lab: RunningLab): string | undefined => {
    if (config !== undefined && config !== lab.config) return `its lab file is not ${config}`
    return use.demoClient && lab.urls.client === undefined ? 'it has no demo client' : undefined
  }
  const found = use.own ? undefined : await findRunningLab(home, lab => misfit(lab) === undefined)
  if (found) return runningLab(options, found, use)
  const [unused, ...others] = (await readRecords(home)).filter(lab => use.own || misfit(lab) !== undefined)
  if (unused) reportUnused([unused, ...others], use.own ?? misfit(unused)!, use.narrate)
  return embeddedLab(options, use)
}

/** A clock that runs with the real one and can be set forward. Times are milliseconds since the epoch. */
interface MovableClock {
  readonly now: () => number
  readonly advance: (ms: number) => void
  /** Returns how far the clock is ahead of the real one, in milliseconds. */
  readonly ahead: () => number
  /** True when the clock stands still until it is set forward. */
  readonly still: boolean
}

/** Makes a clock that shows the time of another clock until it is set forward. @param still true when the other clock stands still */
export function movableClock(real: () => number = Date.now, still = false): MovableClock {
  let ahead = 0
  return {
    now: () => real() + ahead,
    advance: ms => {
      ahead += ms
    },
    ahead: () => ahead,
    still,
  }
}

/** The lab whose clients learn about it. */
interface KnownLab {
  readonly issuer: string
  readonly config: LabConfig
  readonly home: StateHome
  /** The base URL of the listener that asks for client certificates. Absent: it is closed. */
  readonly mtlsUrl?: string | undefined
}

/**
 * Reads the published metadata of a lab. For a lab that publishes nothing, returns the addresses and keys that its
 * clients are configured with.
 */
export async function labKnowledge(
  { issuer, config, home, mtlsUrl }: KnownLab,
  send: Send,
  signal: AbortSignal,
): Promise<Pick<FlowOptions, 'metadata' | 'carriedKeys'>> {
  const { carriedKeys, isPublished, unpublishedMetadata } = await import('../../lab/unpublished-lab.js')
  if (isPublished(config)) {
    const { discover } = await import('../../client/discovery.js')
    return { metadata: await discover(issuer, send, signal) }
  }
  const keys = await carriedKeys(config, home)
  const metadata = unpublishedMetadata(issuer, config, mtlsUrl)
  return keys ? { metadata, carriedKeys: keys } : { metadata }
}
