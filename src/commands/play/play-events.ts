import { once } from 'node:events'
import { configuredAs } from '../../lab/state/lab-configured.js'
import { UsageError } from '../../protocol/errors.js'
import type { LabEvent } from '../../protocol/events.js'
import { jsonLine } from '../../protocol/safe-output/json-line.js'
import { type BrokenLines, brokenText, createEventReader } from '../../session/playback/events.js'
import { openKeyboard, openSource, watchEvents } from '../../session/playback/source.js'
import { formatEvent } from '../../show/render/events/event-line.js'
import { lineWriter } from '../flow/flow-output.js'
import { narrate, print } from '../output/output.js'
import { terminalMode } from '../output/output-mode.js'
import { dashboardOffers } from '../output/screen-offers.js'
import { EXIT, watchSignals } from '../program/exit.js'
import type { Globals } from '../program/globals.js'
import type { PlayFlags } from './play-run.js'

/**
 * Interrupts every program of the pipeline, as Ctrl-C does when no screen takes the key. Nobody reads the pipe any more, so
 * the server before it ends at its next event. Without the interrupt, the shell would wait for that event.
 */
function interruptPipeline(): void {
  process.once('SIGINT', () => {})
  process.kill(0, 'SIGINT')
}

async function watch(file: string, keyboard: NodeJS.ReadStream, globals: Globals): Promise<number> {
  const { runDashboard } = await import('../../show/tui/serve/run.js')
  const command = `play ${file}`
  const { live, now, listen } = watchEvents(file, ready => configuredAs(ready, globals.home))
  let more = live
  const { signal, requests } = await runDashboard({
    feed: { command, live },
    stdin: keyboard,
    listen: ({ event, changed }) =>
      listen({
        event,
        changed(state) {
          more = state.live
          changed({ command, ...state })
        },
      }),
    offers: dashboardOffers(globals.home, {
      rotate: { why: 'this dashboard only watches; oauth-lab keys rotate does it' },
      remove: () => 'this dashboard only watches; the client itself can delete its registration (RFC 7592)',
    }),
    now,
    ascii: globals.ascii,
  })
  if (keyboard !== process.stdin) keyboard.destroy()
  if (signal !== 'SIGHUP') print(`${command}: ${requests} request${requests === 1 ? '' : 's'}`)
  const ends = signal === 'SIGINT' || (signal === undefined && more)
  if (ends && keyboard !== process.stdin) interruptPipeline()
  return signal === undefined ? EXIT.done : Number(process.exitCode)
}

/** An event as it was read. The first line of a server has no time. */
function jsonOf({ at, ...event }: LabEvent): string {
  const { type, ...members } = event
  return jsonLine({ type, ...(at !== '' && { at }), ...members })
}

/** Prints events line by line, as `serve` did, until there are no more. */
async function printEvents(file: string, flags: PlayFlags, { json, ascii }: Globals): Promise<number> {
  const write = lineWriter(flags.output)
  const { signal, exitCode } = watchSignals()
  let broken: BrokenLines | undefined
  const reader = createEventReader({
    event: event => write(json ? jsonOf(event) : formatEvent(event, { ascii })),
    broken: found => {
      broken = found
    },
  })
  const source = openSource(file).on('data', reader.add)
  await once(source, 'end', { signal }).catch((error: Error) => {
    if (!signal.aborted) throw new UsageError(`cannot read the recording ${file}: ${error.message}`)
    source.destroy()
  })
  reader.end()
  if (broken !== undefined)
    narrate(`oauth-lab: ${file === '-' ? 'stdin' : file}: ${brokenText(broken)}, left out`)
  return exitCode() ?? EXIT.done
}

/** `oauth-lab play` for the events of a lab: the dashboard as `serve` shows it, or one line an event. */
export async function playEvents(file: string, flags: PlayFlags, globals: Globals): Promise<number> {
  if (flags.export !== undefined) {
    throw new UsageError(`--export is for recorded flows, and ${file} holds the events of a lab`, [
      'Open it and press x:  oauth-lab play FILE',
    ])
  }
  const mode = terminalMode(
    {
      json: globals.json,
      plain: flags.plain === true || flags.screenReader === true,
      ...(flags.output !== undefined && { output: flags.output }),
    },
    // A pipe brings events; keys come from the terminal.
    file === '-',
  )
  const keyboard = mode === 'tui' ? openKeyboard() : undefined
  return keyboard ? watch(file, keyboard, globals) : printEvents(file, flags, globals)
}
