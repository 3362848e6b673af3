import { setTimeout as delay } from 'node:timers/promises'
import { createTransport } from '../../client/transport.js'
import type { ListedEvent } from '../../cloudflare/client/events/event.js'
import { type PostedAs, postsOf } from '../../cloudflare/client/webhook/attachment.js'
import type { Hook } from '../../cloudflare/client/webhook/hook.js'
import { createPoster } from '../../cloudflare/client/webhook/poster.js'
import { UserError } from '../../errors.js'
import { eventsText, spanText } from '../../render/events-words.js'
import { jsonLine } from '../../render/json-line.js'
import { narrate, print, printData, printJson } from '../output.js'
import { following } from './events-follow.js'
import type { EventFlags } from './events-options.js'
import { type EventsRun, findAndTell } from './events-run.js'

function postedAs({ channel, username, iconUrl }: EventFlags): PostedAs {
  return {
    ...(channel !== undefined && { channel }),
    ...(username !== undefined && { username }),
    ...(iconUrl !== undefined && { icon_url: iconUrl }),
  }
}

/** Oldest first, so that a chat reads in the order of time. */
async function* batches(run: EventsRun): AsyncGenerator<readonly ListedEvent[]> {
  if (run.settings.follow) yield* following(run, { signal: run.signal })
  else yield [...(await findAndTell(run)).events].reverse()
}

/** `cf events --webhook`: each event as an attachment of a post, none twice. */
export async function postEvents(run: EventsRun, hook: Hook, flags: EventFlags): Promise<void> {
  const { settings, signal, caPem, globals, period, asOf } = run
  const { timeoutMs } = globals
  const { send, close } = createTransport({ caPem, timeoutMs })
  const as = postedAs(flags)
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
  const tell = (): void => {
    if (globals.json) printJson({ events, posts })
    else print(`${eventsText(events)} posted in ${posts} post${posts === 1 ? '' : 's'}`)
  }
  try {
    for await (const found of batches(run)) {
      if (found.length === 0 && !dry && !globals.json)
        narrate(`no events in ${spanText((period.until ?? asOf) - period.since)}: nothing to post`)
      for (const each of postsOf(found, as, settings.batch)) {
        if (dry) printData(jsonLine(each, process.stdout.isTTY ? 2 : undefined))
        else await post(each)
        events += each.attachments.length
        posts++
      }
    }
  } catch (error) {
    if (signal.aborted) {
      if (!dry) tell()
      return
    }
    if (!(error instanceof UserError)) throw error
    const before = posts === 0 ? 'nothing was posted' : `${eventsText(events)} had been posted`
    throw new UserError(`${error.message}; ${before}`, error.exitCode, error.hints)
  } finally {
    close()
  }
  if (dry)
    narrate(`${eventsText(events)} in ${posts} post${posts === 1 ? '' : 's'}; nothing was sent (--dry-run)`)
  else tell()
}
