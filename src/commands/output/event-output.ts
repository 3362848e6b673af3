import { once } from 'node:events'
import type { EventBus, LabEvent } from '../../protocol/events.js'
import { formatEvent } from '../../show/render/events/event-line.js'
import { EXIT } from '../program/exit.js'
import type { Globals } from '../program/globals.js'
import { watchSignals } from '../program/signals.js'
import type { DocumentReady, LabReady, ResourceReady } from './json-lines.js'
import { batchLines } from './line-batches.js'
import { print, printData, printJson } from './output.js'

/** A server that is ready. */
export interface ReadyServer {
  /** The first line of `--json`. */
  readonly ready: LabReady | ResourceReady | DocumentReady
  /** The same for people. */
  readonly greeting: readonly string[]
  readonly events: EventBus
}

/**
 * Prints the addresses of a server, and then one line an event, until a signal comes. Nothing is awaited before the
 * first line and the subscription. A write to a pipe that nobody reads ends the program.
 * @returns the exit code
 */
export async function printUntilEnd(
  { ready, greeting, events }: ReadyServer,
  { json, ascii }: Pick<Globals, 'json' | 'ascii'>,
): Promise<number> {
  const { signal, exitCode } = watchSignals()
  if (json) printJson(ready)
  else print(...greeting, '')
  const lines = batchLines(json ? printData : print, (event: LabEvent) =>
    json ? JSON.stringify(event) : formatEvent(event, { ascii }),
  )
  process.once('exit', lines.end)
  events.subscribe(lines.add)
  await once(signal, 'abort')
  return exitCode() ?? EXIT.done
}
