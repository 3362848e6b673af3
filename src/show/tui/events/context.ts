import type { ListedEvent } from '../../../servers/cloudflare/client/events/event.js'
import type { Attachment } from '../../../servers/cloudflare/client/webhook/attachment.js'
import type { Signs } from '../../render/text/signs.js'

/** The source of the events, for people. */
export interface EventsPlace {
  readonly zone: string
  /** Host and port of the service: `localhost:8446`. */
  readonly host: string
  /** The filters beside the time, as typed; empty for everything. */
  readonly asked: string
}

/** The values that a frame shows besides the state. */
export interface FrameContext {
  readonly place: EventsPlace
  readonly signs: Signs
  /** Milliseconds since the epoch, by the clock of the service. */
  readonly now: number
  /** From when on there are events, milliseconds since the epoch. */
  readonly since: number
  /** An event as it would be posted to a chat. */
  readonly preview: (event: ListedEvent) => Attachment
}
