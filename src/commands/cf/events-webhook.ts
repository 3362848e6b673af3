import { setTimeout as delay } from 'node:timers/promises'
import { createTransport } from '../../client/transport.js'
import { UserError } from '../../protocol/errors.js'
import type { ListedEvent } from '../../servers/cloudflare/client/events/event.js'
import { endOf } from '../../servers/cloudflare/client/events/search.js'
import { postsOf } from '../../servers/cloudflare/client/webhook/post.js'
import { createPoster, type Hook } from '../../servers/cloudflare/client/webhook/poster.js'
import { eventsText, spanText } from '../../show/render/events/events-list.js'
import { narrate, print, printJson } from '../output/output.js'
import { hookNarrator } from './account.js'
import { type EventsRun, findEvents, followRun } from './events-run.js'
import type { EventFlags } from './options.js'

/** The events of a run, oldest first, so that a chat reads in the order of time. */
async function* batches(run: EventsRun): AsyncGenerator<readonly ListedEvent[]> {
  if (run.settings.follow) yield* followRun(run, run.signal)
  else yield [...(await findEvents(run)).events].reverse()
}

/** The count of a run of posts. */
interface Posted {
  readonly events: number
  readonly posts: number
  /** The number of events in a post that may be in the chat without a proof of it. */
  readonly doubtful: number
}

const countText = ({ posts }: Posted): string => `${posts} post${posts === 1 ? '' : 's'}`

/** Says which events are in the chat after a failure, and which may be. */
function reached({ events, posts, doubtful }: Posted): string {
  const before = `${eventsText(events)} had been posted`
  if (doubtful === 0) return posts === 0 ? 'nothing was posted' : before
  const unknown = `it is not known whether ${eventsText(doubtful)} of the last post arrived`
  return posts === 0 ? unknown : `${unknown}; ${before} before`
}

/** Posts each event once, as an attachment, and prints the count. */
export async function postEvents(run: EventsRun, hook: Hook, flags: EventFlags): Promise<void> {
  const { search, settings, signal, account, globals } = run
  const { caPem } = account
  const { timeoutMs } = globals
  const transport = createTransport({ caPem, timeoutMs })
  const seen = flags.showHttp ? await hookNarrator(hook) : undefined
  const as = { channel: flags.channel, username: flags.username, icon_url: flags.iconUrl }
  const dry = flags.dryRun === true
  let [events, posts, doubtful, size] = [0, 0, 0, 0]
  const posted = (): Posted => ({ events, posts, doubtful })
  const post = createPoster(hook, {
    async send(...asked) {
      const exchange = await transport.send(...asked)
      seen?.(exchange)
      return exchange
    },
    now: Date.now,
    pause: ms => delay(ms, undefined, { signal }),
    waiting: ({ ms, status }) => {
      const why = status === 429 ? 'wants a pause' : 'fails'
      narrate(`The chat service ${why} (HTTP ${status}): posting again in ${Math.ceil(ms / 1000)} s`)
    },
    inDoubt: doubt => {
      doubtful = doubt ? size : 0
    },
    signal,
  })
  const report = (): void => {
    if (globals.json) printJson({ events, posts })
    else print(`${eventsText(events)} posted in ${countText(posted())}`)
  }
  try {
    for await (const batch of batches(run)) {
      if (batch.length === 0 && !dry && !globals.json)
        narrate(`no events in ${spanText(endOf(search) - search.period.since)}: nothing to post`)
      for (const each of postsOf(batch, as, settings.batch)) {
        size = each.attachments.length
        if (dry) printJson(each, process.stdout.isTTY ? 2 : undefined)
        else await post(each)
        events += size
        posts++
      }
    }
  } catch (error) {
    if (signal.aborted) {
      if (doubtful > 0) narrate(`Interrupted: ${reached(posted())}.`)
      return dry ? undefined : report()
    }
    if (!(error instanceof UserError)) throw error
    throw new UserError(`${error.message}; ${reached(posted())}`, error.kind, error.hints)
  } finally {
    transport.close()
  }
  if (dry) narrate(`${eventsText(events)} in ${countText(posted())}; nothing was sent (--dry-run)`)
  else report()
}
