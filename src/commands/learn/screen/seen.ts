import type { KeptEvent } from '../../../lab/state/event-file.js'
import { eventDecision, isRefusal } from '../../../protocol/event-catalogue.js'
import type { LabEvent } from '../../../protocol/events.js'
import { eventDetails } from '../../../show/render/events/event-line.js'
import type { SeenEvent } from '../../../show/tui/learn/content.js'

/** Most events that the screen keeps; older ones are in the event file. */
const MOST = 200

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`

/** An event as the screen shows it. @param behind events that the verdict was made from */
function seenEvent(kept: KeptEvent, behind: readonly KeptEvent[]): SeenEvent {
  const { lab: _, ...rest } = kept
  const event = rest as LabEvent
  const answer = event.type === 'request.answered'
  const { says, rule } = eventDecision(event.type)
  return {
    time: event.at.slice(11, 19),
    type: event.type,
    says: answer ? '' : `${sentence(says)}${rule === undefined ? '' : ` ${rule}.`}`,
    details: eventDetails(event),
    refused: isRefusal(event),
    behind: behind.some(({ lab, at, type, request }) => {
      return lab === kept.lab && at === kept.at && type === kept.type && request === kept.request
    }),
  }
}

/** An event as an item of a list, with the error or the outcome that it names. Its other members are in the pane of events. */
export function toldEvent(kept: KeptEvent): string {
  const { time, type, says } = seenEvent(kept, [])
  const named = [kept.error, kept.outcome].filter(each => typeof each === 'string')
  const head = ['-', time, type, ...named].join(' ')
  return says === '' ? head : `${head}: ${says}`
}

/** The latest events as the screen shows them. */
export const seenEvents = (events: readonly KeptEvent[], behind: readonly KeptEvent[]): SeenEvent[] =>
  events.slice(-MOST).map(event => seenEvent(event, behind))
