import type { Handle } from './message.js'

/** A mounted server: what the lab puts on a listener. Recording, events and dashboard come with the mounting. */
export interface Site {
  /** Short and stable, such as `authorization`; events name it. */
  readonly name: string
  readonly handle: Handle
}
