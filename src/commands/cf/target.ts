import { createTransport } from '../../client/transport.js'
import { isThisMachine } from '../../cloudflare/client/access.js'
import { createService, MAX_ANSWER, type Service } from '../../cloudflare/client/service.js'
import type { Wait } from '../../cloudflare/client/waits.js'
import { allZones, findZone, zoneWithin } from '../../cloudflare/client/zones.js'
import type { Zone } from '../../cloudflare/shapes.js'
import { EXIT, UsageError, UserError } from '../../errors.js'
import type { Globals } from '../globals.js'
import { narrate } from '../output.js'
import { chooseAccess } from './choose-access.js'
import type { TargetFlags } from './target-options.js'

/** The DNS and security-event API that options and environment mean, ready to be asked. */
export interface ReachedService {
  readonly service: Service
  /**
   * The zone that is meant: `--zone` or CLOUDFLARE_ZONE_ID, else the one these names are within, else the only one,
   * and of an emulator on this machine the first.
   * @throws UsageError where there are several; ApiRefusal, ClientRefusal
   */
  zone(names?: readonly string[]): Promise<Zone>
  /**
   * The zone where nobody has to be asked for it: an identifier that was given, which stands for its name too, or the
   * first of the lab file. Identifiers have no dot.
   */
  readonly knownZone?: { readonly id: string; readonly name: string }
  /** What is trusted beside the well-known roots, PEM. */
  readonly caPem?: string
  /** Milliseconds since the epoch, by the clock of the lab where there is one. */
  readonly now: () => number
  /** Whether it is the API of a lab. */
  readonly lab: boolean
  /** Whether that lab, and every change in it, ends with this command. */
  readonly embedded: boolean
}

/** Tells a person why nothing happens. */
function tellWait({ ms, status, nth, of }: Wait): void {
  const asks = status === 429 ? 'The service wants a pause' : 'The service has no answer now'
  narrate(`${asks} (HTTP ${status}): asking again in ${Math.ceil(ms / 1000)} s, ${nth} of ${of}`)
}

async function defaultZone(service: Service, names: readonly string[]): Promise<Zone> {
  const zones = await allZones(service)
  const within = names.map(name => zoneWithin(zones, name)).find(zone => zone !== undefined)
  const [first] = zones
  if (within) return within
  if (first === undefined) {
    throw new UserError('these credentials reach no zone', EXIT.refused, [
      'Who they are:   oauth-lab cf verify',
    ])
  }
  if (zones.length === 1 || isThisMachine(service.access.base)) return first
  const some = zones.slice(0, 5).map(({ name }) => name)
  throw new UsageError(`these credentials reach ${zones.length} zones: which one?`, [
    `Name it:   --zone ${first.name}   (${some.join(', ')}${zones.length > some.length ? ', …' : ''})`,
  ])
}

/**
 * Finds the service that the options mean, runs `work` with it, and lets go of it.
 * @param options.signal ends requests and waits
 * @param options.check called before a lab is started for this; throws for what would be refused then
 * @param options.waiting told before each wait; left out: says so on stderr
 * @throws UsageError, and what `work` throws
 */
export async function withService<T>(
  flags: TargetFlags,
  globals: Globals,
  work: (reached: ReachedService) => Promise<T>,
  {
    signal,
    waiting = tellWait,
    check,
  }: {
    readonly signal?: AbortSignal
    readonly waiting?: (wait: Wait) => void
    readonly check?: () => void
  } = {},
): Promise<T> {
  const { access, caPem, firstZone, now, lab, embedded, stop } = await chooseAccess(
    flags,
    globals,
    process.env,
    check,
  )
  try {
    const { timeoutMs } = globals
    const transport = createTransport({ caPem, timeoutMs, now, maxBody: MAX_ANSWER })
    const service = createService(access, {
      send: transport.send,
      longestWaitMs: timeoutMs,
      waiting,
      ...(signal && { signal }),
    })
    // `--server` names a lab: the zone of the environment is one of somebody else.
    const environment = lab && globals.server !== undefined ? undefined : process.env.CLOUDFLARE_ZONE_ID
    const asked = flags.zone ?? (environment || undefined)
    const zone = (names: readonly string[] = []) =>
      asked === undefined ? defaultZone(service, names) : findZone(service, asked)
    try {
      const given =
        asked !== undefined && /^[\w-]{1,64}$/.test(asked) ? { id: asked, name: asked } : undefined
      const knownZone = asked === undefined ? firstZone : given
      return await work({
        service,
        zone,
        ...(knownZone && { knownZone }),
        ...(caPem !== undefined && { caPem }),
        now,
        lab,
        embedded,
      })
    } finally {
      transport.close()
    }
  } finally {
    await stop()
  }
}
