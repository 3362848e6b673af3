import { unlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { LabEvent } from '../../protocol/events.js'
import type { Lab } from '../model.js'
import { type EventFile, openEventFile } from './event-file.js'
import { readState, writeState } from './state-folder.js'

/** The file of the state folder that is there while a lesson runs. */
const MARKER = 'learn-events'

/** Makes labs of single commands keep their events as well, or no longer. `serve` always keeps them. */
export async function wantEmbeddedEvents(home: string, wanted: boolean): Promise<void> {
  if (wanted) await writeState(home, MARKER, '')
  else await unlink(join(home, MARKER)).catch(() => {})
}

/** Opens the event file where a lesson runs; undefined where none does. */
async function lessonFile(home: string): Promise<EventFile | undefined> {
  const wanted = (await readState(home, MARKER).catch(() => undefined)) !== undefined
  return wanted ? openEventFile(home) : undefined
}

/** Keeps an event that no lab publishes, where a lesson runs. */
export async function keepEvent(event: LabEvent, home: string): Promise<void> {
  const file = await lessonFile(home)
  file?.add(event)
  await file?.close()
}

/**
 * Keeps the events of a lab of a single command, where a lesson runs.
 * @returns the function that stops the lab
 */
export async function keepEventsOf(lab: Lab, home: string): Promise<() => Promise<void>> {
  const file = await lessonFile(home)
  if (file === undefined) return lab.stop
  process.once('exit', file.closeNow)
  lab.events.subscribe(file.add)
  return async () => {
    await lab.stop()
    process.off('exit', file.closeNow)
    await file.close()
  }
}
