import type { Lab } from '../../lab/model.js'
import { labConfigured } from '../../lab/state/lab-configured.js'
import type { LabEvent, NewEvent } from '../../protocol/events.js'
import { STAGES } from '../../servers/authorization-server/stages/stages.js'
import { shorten } from '../../show/render/text/text.js'
import type { DashboardOffers } from '../../show/tui/serve/keys.js'
import { runDashboard } from '../../show/tui/serve/run.js'
import { print } from '../output/output.js'
import { dashboardOffers } from '../output/screen-offers.js'
import { EXIT } from '../program/exit.js'
import type { Globals } from '../program/globals.js'

/** A lab that was just started, for its dashboard. */
export interface ServedLab {
  readonly lab: Lab
  /** The first line of `--json`. */
  readonly ready: NewEvent
  readonly globals: Globals
  /** Lines to paste; they stay above the shell's prompt. */
  readonly greeting: readonly string[]
}

function rotation({ config }: Lab, home: string): DashboardOffers['rotate'] {
  if (config.profile === 'reference' || STAGES[config.stage].signing !== 'RS256') {
    return { why: 'this lab does not sign with a key pair of its own' }
  }
  if (config.signingKeyFile !== undefined)
    return { why: 'the lab file names signing_key_file, which is yours' }
  return async () => {
    const { authorizationSets, rotateSigningKeys } = await import('../../lab/keys/signing-keys.js')
    const tokenLifetime = config.lifetimes.accessToken
    const rotated = authorizationSets(home).map(set => rotateSigningKeys(home, { set, tokenLifetime }))
    const made = (await Promise.all(rotated)).map(([{ key }]) => shorten(key.kid))
    const old = made.length > 1 ? 'old keys stay' : 'the old key stays'
    return `signs with ${made.join(', ')} from the next request on; ${old} published`
  }
}

/**
 * The dashboard of a lab, until it is left.
 * @returns the exit code; that of a signal is in `process.exitCode` already
 */
export async function showDashboard({ lab, ready, globals, greeting }: ServedLab): Promise<number> {
  const { events, now } = lab
  print(...greeting, '')
  const { signal, requests } = await runDashboard({
    feed: { command: 'serve', live: true },
    listen: ({ event }) => {
      const dated = (undated: NewEvent): LabEvent => ({ ...undated, at: new Date(now()).toISOString() })
      event(dated(ready))
      labConfigured(lab.config, globals.home).then(
        configured => event(dated(configured)),
        () => {},
      )
      return events.subscribe(event)
    },
    offers: dashboardOffers(globals.home, {
      rotate: rotation(lab, globals.home),
      remove: id =>
        lab.removeClient(id)
          ? `deleted ${id}; its codes and tokens count no longer`
          : `${id} is gone already`,
    }),
    now,
    ascii: globals.ascii,
  })
  if (signal !== 'SIGHUP') print(`serve: ${requests} request${requests === 1 ? '' : 's'} answered`)
  return signal === undefined ? EXIT.done : Number(process.exitCode)
}
