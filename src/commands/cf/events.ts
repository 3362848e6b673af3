import type { Command } from 'commander'
import { readFilter } from '../../cloudflare/client/events/event-filter.js'
import { eventApiOf } from '../../cloudflare/client/events/event-source.js'
import { readPeriod } from '../../cloudflare/client/events/period.js'
import { EXIT } from '../../errors.js'
import { signsFor } from '../../render/signs.js'
import { type Globals, readGlobals } from '../globals.js'
import { outputMode } from '../output-mode.js'
import { watchSignals } from '../signals.js'
import { type EventFlags, type EventSettings, readSettings, restIsMeant } from './events-options.js'
import type { EventsRun } from './events-run.js'
import { type ListForm, listFormOf } from './list-form.js'
import { withService } from './target.js'

/** What a run of the command does with the events it finds. */
type Work = (run: EventsRun) => Promise<void>

function drawsScreen(flags: EventFlags, { json }: Globals): boolean {
  const listed = [flags.output, flags.top, flags.groupBy, flags.webhook, flags.until]
  if (listed.some(each => each !== undefined)) return false
  const mode = outputMode({
    json,
    plain: flags.plain === true,
    screenReader: false,
    toFile: false,
    stdinIsTerminal: process.stdin.isTTY === true,
    stdoutIsTerminal: process.stdout.isTTY === true,
    env: process.env,
  })
  return mode === 'tui'
}

/** Loads only what this run needs. */
async function workOf(flags: EventFlags, settings: EventSettings, screen: boolean): Promise<Work> {
  if (flags.webhook !== undefined) {
    const { readHook } = await import('../../cloudflare/client/webhook/hook.js')
    const { postEvents } = await import('./events-webhook.js')
    const hook = readHook(flags.webhook)
    return run => postEvents(run, hook, flags)
  }
  if (screen) return (await import('./events-screen.js')).showEvents
  if (settings.follow) return (await import('./events-follow.js')).followEvents
  if (settings.top !== undefined || settings.groupBy) return (await import('./events-count.js')).countEvents
  return (await import('./events-list.js')).listEvents
}

function formOf({ output, follow }: EventFlags, globals: Globals): ListForm {
  const form = listFormOf(output, globals)
  return follow && form === 'json' ? 'jsonl' : form
}

/** `cf events`: the security events of a zone. */
export async function events(flags: EventFlags, command: Command): Promise<void> {
  const globals = readGlobals(command)
  const settings = readSettings(flags)
  const form = formOf(flags, globals)
  const screen = drawsScreen(flags, globals)
  readFilter(flags, { strict: restIsMeant(flags, process.env) })
  const work = await workOf(flags, settings, screen)
  const interruption = watchSignals()
  const { signal } = interruption
  try {
    await withService(
      flags,
      globals,
      async reached => {
        const { service, now } = reached
        const api = eventApiOf(flags.api, service.access.base)
        const filter = readFilter(flags, { strict: api === 'rest' })
        const asOf = now()
        const period = readPeriod(flags, asOf)
        // Tokens for analytics alone may not look zones up.
        const zone = reached.knownZone ?? (await reached.zone())
        const signs = signsFor(globals)
        await work({ ...reached, api, filter, period, asOf, zone, settings, form, globals, signs, signal })
      },
      { signal, check: () => readPeriod(flags, Date.now()), ...(screen && { waiting: () => {} }) },
    )
  } catch (error) {
    if (!signal.aborted) throw error
  } finally {
    interruption.ignore()
  }
  const code = interruption.exitCode()
  if (code !== undefined) process.exitCode = code
  else process.exitCode ??= EXIT.done
}
