import type { Captured } from '../../client/capture/captured.js'
import { harEntry } from '../../client/capture/har.js'
import { isUrl } from '../../protocol/http/address.js'
import { readFields } from '../../protocol/http/form.js'
import { header, splitUrl } from '../../protocol/http/message.js'
import { createExplainer } from './explain.js'
import type { Explanation } from './explanation.js'
import type { Message } from './message.js'
import { createPicker } from './pick.js'
import { readHarEntry } from './read/har-entry.js'
import { scrub } from './scrub.js'

/** Most exchanges that are kept. */
const MAX_KEPT = 5000

/** Most characters of addresses and bodies that are kept. */
const MAX_SIZE = 64 * 1024 * 1024

/** Milliseconds between two records of one request, by its sender and by its receiver. */
const SAME = 60_000

/** A recording in the making. */
export interface Recorder {
  readonly add: (captured: Captured) => void
  /** Exchanges that did not fit. */
  readonly left: () => number
  /** The exchanges by time, each once. */
  readonly end: () => readonly Captured[]
}

const sizeOf = ({ url, body, answer }: Captured): number =>
  url.length + (body.text?.length ?? 0) + (answer?.body.text?.length ?? 0)

/** The request that a redirect of the program sends its browser to, where it is an authorization request. */
function sentTo({ side, answer, at, ms, url }: Captured): Captured | undefined {
  const location = answer && header(answer, 'location')
  if (side !== 'server' || location === undefined || !isUrl(location, url)) return undefined
  const to = /^https?:/i.test(location) ? location : new URL(location, url).href
  const fields = readFields(splitUrl(to).query)
  if (!fields.has('client_id') || !['response_type', 'request_uri', 'request'].some(fields.has))
    return undefined
  return {
    side: 'browser',
    at: at + ms,
    ms: 0,
    method: 'GET',
    url: to,
    headers: [],
    body: { size: 0 },
    comment: 'read from the redirect of the program: the browser was not recorded',
  }
}

const isGuess = ({ comment }: Captured): boolean => comment !== undefined

/** True for the record of a receiver whose sender was recorded too, and for a guess that was seen. */
function isSecond(captured: Captured, all: readonly Captured[]): boolean {
  const guess = isGuess(captured)
  if (captured.side !== 'server' && !guess) return false
  const path = (url: string) => url.slice(splitUrl(url).origin.length).replace(/#.*$/s, '')
  return all.some(
    other =>
      other !== captured &&
      other.side !== 'server' &&
      !isGuess(other) &&
      other.method === captured.method &&
      Math.abs(other.at - captured.at) < SAME &&
      (guess ? other.url === captured.url : path(other.url) === path(captured.url)),
  )
}

/**
 * Creates a recorder. It keeps the exchanges of OAuth, OpenID Connect and SAML, and only those, without what a person typed.
 * @param seen called with each exchange that is kept
 */
export function createRecorder(seen: (message: Message, captured: Captured) => void): Recorder {
  const picker = createPicker()
  const kept: Captured[] = []
  let [entries, size, left] = [0, 0, 0]

  function keep(captured: Captured): void {
    entries += 1
    const recorded = readHarEntry(harEntry(captured), entries)
    const message = recorded && picker.pick(recorded)
    if (message === undefined) return
    const scrubbed = scrub(captured, message.kind)
    size += sizeOf(scrubbed)
    if (kept.length >= MAX_KEPT || size > MAX_SIZE) {
      left += 1
      return
    }
    kept.push(scrubbed)
    // What is reported is what is kept: a password is in neither.
    const shown = readHarEntry(harEntry(scrubbed), entries)
    if (shown) seen({ ...message, recorded: shown }, scrubbed)
  }

  return {
    add(captured) {
      keep(captured)
      const next = sentTo(captured)
      if (next) keep(next)
    },
    left: () => left,
    end: () => {
      const inOrder = [...kept].sort((a, b) => a.at - b.at)
      return inOrder.filter(each => !isSecond(each, inOrder))
    },
  }
}

/** Explains a recording as `explain` does when it reads the file. */
export function explainCaptured(all: readonly Captured[]): Promise<Explanation> {
  const explainer = createExplainer()
  for (const [i, captured] of all.entries()) {
    const recorded = readHarEntry(harEntry(captured), i + 1)
    if (recorded) explainer.add(recorded)
  }
  return explainer.end({ creator: 'oauth-lab record' })
}
