import { once } from 'node:events'
import type { EventBus } from '../../protocol/events.js'
import { formatEvent } from '../../show/render/events/event-line.js'
import { EXIT, watchSignals } from '../program/exit.js'
import type { Globals } from '../program/globals.js'
import type { DocumentReady, LabReady, ResourceReady } from './json-lines.js'
import { print, printJson, printJsonText } from './output.js'

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
 */
export async function printUntilEnd(
  { ready, greeting, events }: ReadyServer,
  { json, ascii }: Pick<Globals, 'json' | 'ascii'>,
): Promise<number> {
  const { signal, exitCode } = watchSignals()
  if (json) printJson(ready)
  else print(...greeting, '')
  const lines = batchLines(json ? printJsonText : print, (line: () => string) => line())
  process.once('exit', lines.end)
  events.subscribe((event, text) => lines.add(json ? text : () => formatEvent(event, { ascii })))
  await once(signal, 'abort')
  return exitCode() ?? EXIT.done
}

/** Time after a write during which lines wait for the next write, in milliseconds. */
export const PAUSE = 10

/** Items to write, a line each. */
interface LineBatches<Item> {
  add(item: Item): void
  /** Writes the lines that still wait. */
  end(): void
}

/**
 * Batches lines, because writing a line costs more than answering a small request. A line after a quiet time is written
 * at once. While many come, the lines of a moment are made and written together.
 * @param line makes the line of an item
 */
export function batchLines<Item>(
  write: (lines: string) => void,
  line: (item: Item) => string,
): LineBatches<Item> {
  let items: Item[] = []
  let pause: NodeJS.Timeout | undefined

  function writeAll(): void {
    const together = items
    items = []
    // Joined, and not spread: a flood holds more lines than a call takes arguments.
    if (together.length > 0) write(together.map(line).join('\n'))
  }
  function writeOut(): void {
    pause = items.length === 0 ? undefined : setTimeout(writeOut, PAUSE)
    writeAll()
  }
  return {
    add(item) {
      items.push(item)
      if (pause === undefined) writeOut()
    },
    end() {
      clearTimeout(pause)
      pause = undefined
      writeAll()
    },
  }
}
