import { once } from 'node:events'
import { EXIT } from '../errors.js'
import type { EventBus } from '../events/bus.js'
import type { LabEvent } from '../events/event.js'
import type { Globals } from './globals.js'
import type { LabReady, ResourceReady } from './json-lines.js'
import { batchLines } from './line-batches.js'
import { print, printData, printJson } from './output.js'
import { watchReader } from './reader-left.js'
import { watchSignals } from './signals.js'

/** A server that is ready. */
export interface ReadyServer {
  /** The first line of `--json`. */
  readonly ready: LabReady | ResourceReady
  /** The same for people. */
  readonly greeting: readonly string[]
  readonly events: EventBus
}

/** The output of a command that serves. */
export interface EventOutput {
  /**
   * Prints where the server is, and then one line an event, until a signal comes or nobody reads any more. Nothing
   * is waited for before the first line and the subscription.
   * @returns the exit code
   */
  printUntilEnd(server: ReadyServer): Promise<number>
}

/** Loads what is needed to print events. To be started before the server is, so that both go on at once. */
export async function openEventOutput({
  json,
  ascii,
}: Pick<Globals, 'json' | 'ascii'>): Promise<EventOutput> {
  const [readerLeft, { formatEvent }] = await Promise.all([watchReader(), import('./event-line.js')])
  return {
    async printUntilEnd({ ready, greeting, events }) {
      const { signal, exitCode } = watchSignals()
      if (json) printJson(ready)
      else print(...greeting, '')
      const lines = batchLines(json ? printData : print, (event: LabEvent) =>
        json ? JSON.stringify(event) : formatEvent(event, { ascii }),
      )
      process.once('exit', lines.end)
      events.subscribe(lines.add)
      const interrupted = once(signal, 'abort')
      await Promise.race([interrupted, readerLeft(signal).catch(() => interrupted)])
      return exitCode() ?? EXIT.done
    },
  }
}
