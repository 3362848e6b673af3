import { header } from '../../protocol/http/message.js'
import { defined } from '../../protocol/values.js'
import { sortMessages } from './conversations.js'
import type { Explanation } from './explanation.js'
import { judge } from './judge.js'
import type { Message } from './message.js'
import { createPicker } from './pick.js'
import { plural } from './plural.js'
import type { Recorded } from './recorded.js'
import { withSaml } from './saml-read.js'

/** Most exchanges that are kept of a recording. */
const MAX_MESSAGES = 20_000

/** Most characters of kept bodies. */
const MAX_KEPT = 128 * 1024 * 1024

/** Collects the exchanges of a recording, and explains them at its end. */
export interface Explainer {
  readonly add: (recorded: Recorded) => void
  readonly end: (source: {
    readonly creator?: string
    readonly problems?: readonly string[]
  }) => Promise<Explanation>
}

function sizeOf({ recorded: { exchange } }: Message): number {
  const { request, response } = exchange
  return request.url.length + request.body.length + (response?.body.length ?? 0)
}

/** Exchanges that make room at once for newer ones. */
const ROOM = 1000

/**
 * Creates an explainer. It keeps what belongs to OAuth, and only that.
 * @param options.keep the end of a recording that is kept where both do not fit: a lab runs for weeks, and its last logins are asked about
 */
export function createExplainer({ keep = 'first' }: { readonly keep?: 'first' | 'last' } = {}): Explainer {
  const picker = createPicker()
  const messages: Message[] = []
  let [entries, kept, left] = [0, 0, 0]

  function add(recorded: Recorded): void {
    entries += 1
    const message = picker.pick(recorded)
    if (message === undefined) return
    const size = sizeOf(message)
    if (messages.length >= MAX_MESSAGES || kept + size > MAX_KEPT) {
      if (keep === 'first') {
        left += 1
        return
      }
      const oldest = messages.splice(0, ROOM)
      left += oldest.length
      kept -= oldest.reduce((sum, each) => sum + sizeOf(each), 0)
    }
    kept += size
    messages.push(message)
  }

  return {
    add,
    async end({ creator, problems = [] }) {
      const flows = sortMessages(await withSaml(messages)).map(conversation => ({
        conversation,
        findings: judge(conversation),
      }))
      const gaps = [
        ...problems,
        ...(left === 0
          ? []
          : [
              `${plural(left, keep === 'first' ? 'more exchange' : 'earlier exchange')} would not fit into the memory and were left out.`,
            ]),
        ...gapsOf(messages.filter(({ recorded }) => recorded.report === undefined)),
        ...(messages.some(({ recorded }) => recorded.report) ? [UNREPORTED] : []),
      ]
      return { facts: defined({ entries, picked: messages.length, creator, gaps }), flows }
    },
  }
}

/** The parts of exchanges that events do not have. */
const UNREPORTED =
  'A lab reports what it checked, and no headers or bodies: what a client checks, such as state, nonce and ID tokens, was not seen.'

/** Kinds of messages that are sent with a body. */
const POSTED = new Set([
  'token_request',
  'pushed_authorization_request',
  'revocation_request',
  'introspection_request',
])

/** Returns what recordings leave out, and why it cannot be judged. */
function gapsOf(messages: readonly Message[]): string[] {
  const gaps: string[] = []
  const posted = messages.filter(({ kind }) => POSTED.has(kind))
  const unsent = posted.filter(({ recorded }) => recorded.lacks.includes('request body'))
  const unanswered = posted.filter(({ recorded }) => recorded.lacks.includes('response body'))
  if (unsent.length > 0) {
    gaps.push(
      `${plural(unsent.length, 'request')} of the back channel came without body: verifier, code and redirect_uri are not judged.`,
    )
  }
  if (unanswered.length > 0) {
    gaps.push(
      `${plural(unanswered.length, 'token answer')} came without body: tokens are not judged. Record with response bodies ("with content").`,
    )
  }
  const bare = messages.filter(({ kind }) => kind === 'userinfo_request' || kind === 'token_request')
  const hidden =
    messages.length > 0 &&
    messages.every(({ recorded: { exchange } }) => {
      return ['cookie', 'authorization'].every(name => header(exchange.request, name) === undefined)
    })
  if (hidden && bare.length === 0 && messages.some(({ kind }) => kind === 'login')) {
    gaps.push(
      'No request has a cookie or an Authorization header: the recording was sanitized, so sessions and credentials are not judged.',
    )
  }
  const front = messages.some(({ answer }) => answer?.fields.has('code'))
  if (front && posted.length === 0) {
    gaps.push('The token request is not in this recording: a server sent it. The code was not seen redeemed.')
  }
  return gaps
}
