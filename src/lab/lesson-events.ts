import { unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { openEventFile } from './event-file.js'
import type { Lab } from './model.js'
import { readState, writeState } from './state-folder.js'

/** The file of the state folder that is there while a lesson runs. */
const MARKER = 'learn-events'

/** Makes labs of single commands keep their events as well, or no longer. `serve` always keeps them. */
export async function wantEmbeddedEvents(home: string, wanted: boolean): Promise<void> {
  if (wanted) await writeState(home, MARKER, '')
  else await unlink(join(home, MARKER)).catch(() => {})
}

/**
 * Keeps the events of a lab of a single command, where a lesson runs.
 * @returns the function that stops the lab
 */
export async function keepEventsOf(lab: Lab, home: string): Promise<() => Promise<void>> {
  const wanted = (await readState(home, MARKER).catch(() => undefined)) !== undefined
  if (!wanted) return lab.stop
  const file = await openEventFile(home)
  process.once('exit', file.closeNow)
  lab.events.subscribe(file.add)
  return async () => {
    await lab.stop()
    process.off('exit', file.closeNow)
    await file.close()
  }
}
