import { setTimeout as delay } from 'node:timers/promises'
import { createTransport } from '../../client/transport.js'
import type { ListedEvent } from '../../cloudflare/client/events/event.js'
import { endOf } from '../../cloudflare/client/events/search.js'
import { postsOf } from '../../cloudflare/client/webhook/attachment.js'
import type { Hook } from '../../cloudflare/client/webhook/hook.js'
import { createPoster } from '../../cloudflare/client/webhook/poster.js'
import { UserError } from '../../errors.js'
import { eventsText, spanText } from '../../render/events-words.js'
import { jsonLine } from '../../render/json-line.js'
import { narrate, print, printData, printJson } from '../output.js'
import type { EventFlags } from './events-options.js'
import { type EventsRun, findEvents, followRun } from './events-run.js'

/** The events of a run, oldest first, so that a chat reads in the order of time. */
async function* batches(run: EventsRun): AsyncGenerator<readonly ListedEvent[]> {
  if (run.settings.follow) yield* followRun(run, run.signal)
  else yield [...(await findEvents(run)).events].reverse()
}

/** `cf events --webhook`: posts each event once, as an attachment. */
export async function postEvents(run: EventsRun, hook: Hook, flags: EventFlags): Promise<void> {
  const { search, settings, signal, account, globals } = run
  const { caPem } = account
  const { timeoutMs } = globals
  const { send, close } = createTransport({ caPem, timeoutMs })
  const as = { channel: flags.channel, username: flags.username, icon_url: flags.iconUrl }
  const dry = flags.dryRun === true
  const post = createPoster(hook, {
    send,
    now: Date.now,
    pause: ms => delay(ms, undefined, { signal }),
    waiting: ({ ms, status }) => {
      const why = status === 429 ? 'wants a pause' : 'fails'
      narrate(`The chat service ${why} (HTTP ${status}): posting again in ${Math.ceil(ms / 1000)} s`)
    },
    signal,
  })
  let [events, posts] = [0, 0]
  const countText = () => `${posts} post${posts === 1 ? '' : 's'}`
  const report = (): void => {
    if (globals.json) printJson({ events, posts })
    else print(`${eventsText(events)} posted in ${countText()}`)
  }
  try {
    for await (const batch of batches(run)) {
      if (batch.length === 0 && !dry && !globals.json)
        narrate(`no events in ${spanText(endOf(search) - search.period.since)}: nothing to post`)
      for (const each of postsOf(batch, as, settings.batch)) {
        if (dry) printData(jsonLine(each, process.stdout.isTTY ? 2 : undefined))
        else await post(each)
        events += each.attachments.length
        posts++
      }
    }
  } catch (error) {
    if (signal.aborted) return dry ? undefined : report()
    if (!(error instanceof UserError)) throw error
    const before = posts === 0 ? 'nothing was posted' : `${eventsText(events)} had been posted`
    throw new UserError(`${error.message}; ${before}`, error.kind, error.hints)
  } finally {
    close()
  }
  if (dry) narrate(`${eventsText(events)} in ${countText()}; nothing was sent (--dry-run)`)
  else report()
}
