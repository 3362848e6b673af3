import { setTimeout as sleep } from 'node:timers/promises'
import { eventMark, type KeptEvent, readEvents } from '../../lab/state/event-file.js'
import type { LabEvent } from '../../protocol/events.js'
import type { Exchange, Send } from '../../protocol/http/exchange.js'
import { splitUrl } from '../../protocol/http/message.js'
import { createRefusalLog } from './refusal.js'

/** Longest wait for the event of an answered request, and the pause between two reads, in milliseconds. */
const LONGEST = 2000
const PAUSE = 25

/** The refusals of a running lab, by its event file. */
export interface EventFileLog {
  /** The same `send`, whose exchanges can be looked up. */
  readonly counted: (send: Send) => Send
  /** Returns the event in which a server refused the request of an exchange. */
  readonly find: (exchange: Exchange) => Promise<LabEvent | undefined>
}

/** The parts of a running lab whose events are read. */
export interface LoggedLab {
  /** The state folder. */
  readonly home: string
  /** The run that its events name, such as `attack 1a2b3c4d`. */
  readonly run: string
  /** The origins of the lab. Requests to other origins leave no events. */
  readonly origins: readonly string[]
}

/** An answered request of a run. */
type Answered = KeptEvent & { readonly request: number }

const answeredBy =
  (run: string) =>
  (event: KeptEvent): event is Answered =>
    event.type === 'request.answered' && event.run === run && typeof event.request === 'number'

/**
 * Opens the log of a run. The lab is another process, so that no exchange knows the number of its request there: the
 * people of an attack take turns, and the n-th request of the run is the one that was sent as the n-th.
 */
export async function openEventFileLog({ home, run, origins }: LoggedLab): Promise<EventFileLog> {
  const start = await eventMark(home)
  const order = new WeakMap<Exchange, number>()
  let sent = 0
  return {
    counted: send => async (request, options) => {
      if (!origins.includes(splitUrl(request.url).origin)) return send(request, options)
      const n = sent++
      const exchange = await send(request, options)
      order.set(exchange, n)
      return exchange
    },
    async find(exchange) {
      const n = order.get(exchange)
      if (n === undefined) return undefined
      for (let waited = 0; waited <= LONGEST; waited += PAUSE) {
        const { events } = await readEvents(home, start)
        const answered = events.filter(answeredBy(run)).sort((a, b) => a.request - b.request)[n]
        if (answered) {
          // The events of a request are written before that of its answer.
          const log = createRefusalLog()
          for (const event of events) if (event.lab === answered.lab) log.add(event)
          return log.find(answered.request)
        }
        await sleep(PAUSE)
      }
      return undefined
    },
  }
}
