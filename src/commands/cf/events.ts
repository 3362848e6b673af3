import { readFilter, readPeriod } from '../../servers/cloudflare/client/events/event-query.js'
import { eventApiOf } from '../../servers/cloudflare/client/events/event-source.js'
import { signsFor } from '../../show/render/text/signs.js'
import { terminalMode } from '../output/output-mode.js'
import { EXIT, watchSignals } from '../program/exit.js'
import type { Globals } from '../program/globals.js'
import { withAccount } from './account.js'
import {
  type EventSettings,
  type HookSource,
  hookSource,
  readNamedHook,
  readSettings,
  restIsMeant,
} from './events-options.js'
import { countEvents, type EventsRun, listEvents, printNewEvents } from './events-run.js'
import { type EventFlags, type ListForm, listFormOf } from './options.js'

/** The part of a run that prints, posts or draws its events. */
type Work = (run: EventsRun) => Promise<void>

function drawsScreen(flags: EventFlags, hook: HookSource | undefined, { json }: Globals): boolean {
  const listed = [flags.output, flags.top, flags.groupBy, hook, flags.until, flags.showHttp]
  if (listed.some(each => each !== undefined)) return false
  const mode = terminalMode({ json, plain: flags.plain === true })
  return mode === 'tui'
}

/** Loads the work of a run, and no other. */
async function workOf(
  flags: EventFlags,
  source: HookSource | undefined,
  settings: EventSettings,
  screen: boolean,
): Promise<Work> {
  if (source !== undefined) {
    const hook = await readNamedHook(source)
    const { postEvents } = await import('./events-webhook.js')
    return run => postEvents(run, hook, flags)
  }
  if (screen) return (await import('./events-screen.js')).showEvents
  if (settings.follow) return printNewEvents
  return settings.top !== undefined || settings.groupBy ? countEvents : listEvents
}

function formOf({ output, follow }: EventFlags, globals: Globals): ListForm {
  const form = listFormOf(output, globals)
  return follow && form === 'json' ? 'jsonl' : form
}

/** `cf events`: the security events of a zone. */
export async function events(flags: EventFlags, globals: Globals): Promise<void> {
  const hook = hookSource(flags, process.env)
  const settings = readSettings(flags, hook)
  const form = formOf(flags, globals)
  const screen = drawsScreen(flags, hook, globals)
  readFilter(flags, { strict: restIsMeant(flags, process.env) })
  const work = await workOf(flags, hook, settings, screen)
  const interruption = watchSignals()
  const { signal } = interruption
  const use = {
    signal,
    check: () => void readPeriod(flags, Date.now()),
    ...(screen && { waiting: () => {} }),
  }
  try {
    await withAccount(
      flags,
      globals,
      async account => {
        const { service, now } = account
        const api = eventApiOf(flags.api, service.access.base)
        const filter = readFilter(flags, { strict: api === 'rest' })
        const asOf = now()
        const period = readPeriod(flags, asOf)
        // A token for analytics alone may not list zones.
        const zone = account.knownZone ?? (await account.zone())
        const search = { service, api, zone, filter, period, asOf, limit: settings.limit }
        await work({ search, account, settings, form, globals, signs: signsFor(globals), signal })
      },
      use,
    )
  } catch (error) {
    if (!signal.aborted) throw error
  } finally {
    interruption.ignore()
  }
  process.exitCode = interruption.exitCode() ?? process.exitCode ?? EXIT.done
}
