import type { LabEvent } from '../../../events/event.js'
import type { LabView } from './lab-view.js'

/** What an event changes. `at`: when it happened, milliseconds since the epoch. */
export type Change = (view: LabView, event: LabEvent, at: number) => LabView
