import { typedLines } from '../../session/input/input.js'
import {
  count,
  type SpokenItem,
  spokenEvent,
  withoutSpokenAnswers,
} from '../../show/render/spoken/spoken-item.js'
import type { ReadyServer } from '../output/event-output.js'
import { print, prompt } from '../output/output.js'
import { repeatItem } from '../output/spoken.js'
import { EXIT, watchSignals } from '../program/exit.js'

const KEYS = 'Type r and Enter to repeat the last event, d for its details, s for a summary, q to stop.'

/** The number of requests and of refusals. */
function summary(requests: number, refusals: number): string {
  return `${count(requests, 'request')} and ${count(refusals, 'refusal')} so far.`
}

/** Names of events that refuse something, or report misuse. */
const REFUSAL = /\.(?:refused|failed|denied|replayed|reused)$/

/**
 * Reads the events of a server aloud, one sentence group each, until a signal comes or the person types `q`. Each
 * request is read once, by its decision.
 */
export async function speakUntilEnd({ greeting, events }: ReadyServer): Promise<number> {
  const { signal, exitCode } = watchSignals()
  print(...greeting, '', KEYS)
  let last: SpokenItem | undefined
  let requests = 0
  let refusals = 0
  const isNews = withoutSpokenAnswers()
  events.subscribe(event => {
    if (event.type === 'request.answered') requests++
    if (REFUSAL.test(event.type)) refusals++
    if (!isNews(event)) return
    last = spokenEvent(event)
    print(last.say)
  })
  const keys = typedLines(signal)
  for (let typed = await keys.next(); typed !== undefined; typed = await keys.next()) {
    if (typed === 'q') {
      keys.close()
      return EXIT.done
    }
    if (typed === 's' || typed === '') print(summary(requests, refusals))
    else if (!repeatItem(typed, last, 'No event yet.')) prompt(`${KEYS}\n`)
  }
  // The input has ended, or a signal came.
  if (!signal.aborted) await new Promise(resolve => signal.addEventListener('abort', resolve, { once: true }))
  return exitCode() ?? EXIT.done
}
