import { performance } from 'node:perf_hooks'
import type { NewEvent, RequestEvents } from '../../protocol/events.js'
import { shownPath } from './request-event.js'

/** Milliseconds. */
const INTERVAL = 250

/** Milliseconds. */
const LIMIT = 1000

const MAX_NAMED = 10

export interface RunningRequest {
  readonly context: RequestEvents
  readonly method: string
  readonly url: string
}

/** Notices when work holds the event loop. */
export interface LoopWatch {
  /** Returns the function that ends the request. */
  began(request: RunningRequest): () => void
  stop(): void
}

/** Milliseconds. */
function processorTime(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/** Publishes `loop.blocked`, which names the requests that were being answered. A computer that slept or is busy is no reason. */
export function watchLoop(publish: (event: NewEvent) => void): LoopWatch {
  const running = new Set<RunningRequest>()
  /** Those that ended since the last check. */
  let ended: RunningRequest[] = []
  let last = performance.now()
  let lastProcessor = processorTime()

  const check = () => {
    const now = performance.now()
    const processor = processorTime()
    const late = now - last - INTERVAL
    if (late > LIMIT && processor - lastProcessor > LIMIT) report(Math.round(late))
    last = now
    lastProcessor = processor
    ended = []
  }

  function report(ms: number): void {
    const candidates = [...running, ...ended].slice(0, MAX_NAMED)
    const [first] = candidates
    const event = {
      type: 'loop.blocked',
      ms,
      requests: candidates.map(({ context }) => context.id),
      paths: candidates.map(({ method, url }) => `${method} ${shownPath(url)}`),
    }
    if (first && candidates.length === 1) first.context.publish(event)
    else publish(event)
  }

  const timer = setInterval(check, INTERVAL)
  timer.unref()
  return {
    began(request) {
      running.add(request)
      return () => {
        running.delete(request)
        if (ended.length < MAX_NAMED) ended.push(request)
      }
    },
    stop: () => clearInterval(timer),
  }
}
