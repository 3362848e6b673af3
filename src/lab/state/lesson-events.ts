import { unlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { LabEvent } from '../../protocol/events.js'
import type { Lab } from '../model.js'
import { type EventFile, openEventFile } from './event-file.js'
import { readState, writeState } from './state-folder.js'

/** There while a lesson runs. */
const MARKER = 'learn-events'

/** Labs of single commands keep their events too. `serve` always keeps them. */
export async function wantEmbeddedEvents(home: string, wanted: boolean): Promise<void> {
  if (wanted) await writeState(home, MARKER, '')
  else await unlink(join(home, MARKER)).catch(() => {})
}

/** Undefined where no lesson runs. */
async function lessonFile(home: string): Promise<EventFile | undefined> {
  const wanted = (await readState(home, MARKER).catch(() => undefined)) !== undefined
  return wanted ? openEventFile(home) : undefined
}

/** For events that no lab publishes. */
export async function keepEvent(event: LabEvent, home: string): Promise<void> {
  const file = await lessonFile(home)
  file?.add(event)
  await file?.close()
}

/** For the lab of a single command. @returns the function that stops the lab */
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
