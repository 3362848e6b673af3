import type { LabEvent } from '../../../../protocol/events.js'
import type { LabView } from './lab-view.js'

/** The change that an event makes. `at`: its time, milliseconds since the epoch. */
export type Change = (view: LabView, event: LabEvent, at: number) => LabView
