import { fromRest, type ListedEvent } from '../../../../src/servers/cloudflare/client/events/event.js'
import { attachmentOf } from '../../../../src/servers/cloudflare/client/webhook/post.js'
import { signsFor } from '../../../../src/show/render/text/signs.js'
import type { FrameContext } from '../../../../src/show/tui/events/panes.js'
import { type EventsState, initialState } from '../../../../src/show/tui/events/state.js'
import { pastEvents } from '../../../servers/cloudflare/support.js'

export const NOW = Date.UTC(2026, 10, 21, 14, 30)
const HOUR = 3_600_000

/** The last hour of the fixture, oldest first. */
export const EVENTS: readonly ListedEvent[] = pastEvents
  .filter(({ ago_s }) => ago_s <= 3600)
  .sort((a, b) => b.ago_s - a.ago_s)
  .map(past =>
    fromRest({ ...past, kind: 'firewall', occurred_at: new Date(NOW - past.ago_s * 1000).toISOString() }),
  )

/** The screen with the last hour, after some changes. */
export function screen(...changes: ReadonlyArray<(state: EventsState) => EventsState>): EventsState {
  return changes.reduce((state, change) => change(state), initialState(EVENTS))
}

export function contextFor({ ascii = false, asked = '' } = {}): FrameContext {
  return {
    place: { zone: 'example.com', host: 'localhost:8446', asked },
    signs: signsFor({ ascii }),
    now: NOW,
    since: NOW - HOUR,
    preview: attachmentOf,
  }
}
