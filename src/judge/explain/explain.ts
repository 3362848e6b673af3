import { readFields } from '../../protocol/http/form.js'
import { header, splitUrl } from '../../protocol/http/message.js'
import { SamlFormatError } from '../../protocol/saml/encoding.js'
import { examineSaml } from '../../protocol/saml/examine.js'
import { defined } from '../../protocol/values.js'
import type { Conversation } from './conversation.js'
import { sortMessages } from './conversations.js'
import { type Explanation, plural, verdictOf } from './explanation.js'
import type { Finding, Judge } from './finding.js'
import { judgeDates } from './findings/dates.js'
import {
  judgeBareCalls,
  judgeBrowser,
  judgeErrors,
  judgeReported,
  refusesRequest,
} from './findings/errors.js'
import {
  judgeCache,
  judgeExposure,
  judgeForm,
  judgePresented,
  judgeRepeated,
  judgeTransport,
} from './findings/exposure.js'
import { judgeClient, judgeGrants } from './findings/grants.js'
import { judgeIdToken, judgeNonce } from './findings/id-token.js'
import { countStarts, judgeLanding, overtaken } from './findings/landing.js'
import { judgePkce } from './findings/pkce.js'
import { judgeCode, judgeIssuer, judgeRedirect, judgeState } from './findings/redirect.js'
import { judgeRelations } from './findings/relations.js'
import { judgeSaml } from './findings/saml.js'
import { type Message, type ReadSaml, statusOf } from './message.js'
import { createPicker } from './pick.js'
import type { Recorded } from './recorded.js'
import { createWatch } from './surroundings.js'
import { errorWords } from './words.js'

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
  const watch = createWatch()
  const messages: Message[] = []
  let [entries, kept, left] = [0, 0, 0]

  function add(recorded: Recorded): void {
    entries += 1
    const picked = picker.pick(recorded)
    const around = recorded.report === undefined ? watch.see(recorded, picked?.kind) : undefined
    if (picked === undefined) return
    const message = defined({ ...picked, words: errorWords(picked), around })
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

  /** Explains a preflight without its request behind it: Chrome may write the request before, and a refused one may be left out. */
  function judgeAlone(preflight: Recorded): void {
    const { url } = preflight.exchange.request
    const before = messages.findLastIndex(
      ({ recorded: { exchange } }) => exchange.request.url === url && exchange.request.method !== 'OPTIONS',
    )
    const found = messages[before]
    if (found !== undefined && statusOf(found) === 0 && found.around?.preflight === undefined) {
      messages[before] = { ...found, around: { ...(found.around ?? { lost: [] }), preflight } }
      return
    }
    if (!refusesRequest(preflight)) return
    const recorded = unsentBy(preflight)
    const picked = picker.pick(recorded) ?? apiCall(recorded, preflight)
    if (picked !== undefined) messages.push({ ...picked, around: { lost: [], preflight } })
  }

  return {
    add,
    async end({ creator, problems = [] }) {
      for (const preflight of watch.lonely()) judgeAlone(preflight)
      const conversations = sortMessages(await withSaml(messages))
      const starts = countStarts(conversations)
      const relations = await judgeRelations(conversations, creator?.startsWith('oauth-lab') === true)
      const past = overtaken(conversations)
      const flows = conversations.map(conversation => {
        const findings = judge(conversation, starts.get(conversation) ?? 1, relations.get(conversation) ?? [])
        return past.has(conversation)
          ? { conversation, findings: findings.map(harmless), isOvertaken: true as const }
          : { conversation, findings }
      })
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
      return {
        facts: defined({ entries, picked: messages.length, creator, gaps }),
        flows,
        verdict: verdictOf(flows),
      }
    },
  }
}

/** The call of an API that a refused preflight asked for; undefined where it would carry no token. */
function apiCall(recorded: Recorded, { exchange: { request } }: Recorded): Message | undefined {
  const names = header(request, 'access-control-request-headers') ?? ''
  if (!/(?:^|,)\s*authorization\s*(?:,|$)/i.test(names)) return undefined
  return { kind: 'resource_request', recorded, fields: readFields(splitUrl(request.url).query) }
}

/** The request that a refused preflight asked for, as far as the preflight shows it: it stands in its place. */
function unsentBy({ exchange, ...preflight }: Recorded): Recorded {
  const { request } = exchange
  const { response: _, ...asked } = exchange
  const method = (header(request, 'access-control-request-method') ?? 'GET').toUpperCase()
  const headers = request.headers.filter(([name]) => !/^access-control-request-/i.test(name))
  return {
    ...preflight,
    exchange: { ...asked, request: { ...request, method, headers } },
    fromPage: true,
    lacks: ['request body', 'response'],
    failure: 'the browser did not send it',
  }
}

/** A refusal that nobody missed. */
const harmless = (found: Finding): Finding =>
  found.severity === 'fault' && REFUSED.has(found.name)
    ? { ...found, severity: 'remark', text: `${found.text}; what came after it succeeded` }
    : found

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

/** Judges of requests and of redirects. */
const requestJudges: readonly Judge[] = [
  judgeTransport,
  judgeRepeated,
  judgeForm,
  judgePresented,
  judgeState,
  judgeIssuer,
  judgeRedirect,
  judgeClient,
  judgePkce,
  judgeCode,
  judgeExposure,
  judgeGrants,
  judgeSaml,
]

/** Judges of token answers. */
const answerJudges: readonly Judge[] = [judgeBareCalls, judgeNonce, judgeCache, judgeIdToken, judgeDates]

/** Names of findings that say only that a server refused: a fault in the same exchange says why. */
const REFUSED = new Set(['request-refused', 'authorization-error', 'request-shown-error', 'token-refused'])

/** The findings of the server and of the judges, each once. */
function causesOf(
  conversation: Conversation,
  starts: number,
  related: readonly Finding[],
): readonly Finding[] {
  const reported = judgeReported(conversation)
  const asked = requestJudges.flatMap(each => each(conversation))
  const faults = asked.filter(({ severity }) => severity === 'fault')
  // A mistake of a request explains why its answer was of no use, and what a page never read was not judged by it.
  const kept = judgeBrowser(conversation).filter(({ entry }) => !faults.some(each => each.entry <= entry))
  const unread = new Set(kept.map(({ entry }) => entry))
  const answered = answerJudges.flatMap(each => each(conversation)).filter(({ entry }) => !unread.has(entry))
  const own = [...kept, ...asked, ...answered, ...judgeLanding(conversation, starts)]
  // A token that breaks a rule by what it says is refused for that, whatever its signature is.
  const isRefused = (entry: number) => own.some(each => each.severity === 'fault' && each.entry === entry)
  const same = (a: Finding) => (b: Finding) => a.name === b.name && a.entry === b.entry
  const judged = [
    ...own.filter(each => !related.some(same(each))),
    ...related.filter(each => own.some(same(each)) || !isRefused(each.entry)),
  ].filter(({ name, entry }) => !reported.some(each => each.name === name && each.entry === entry))
  const broken = new Set(judged.filter(({ severity }) => severity === 'fault').map(({ entry }) => entry))
  return [...reported.filter(({ name, entry }) => !REFUSED.has(name) || !broken.has(entry)), ...judged]
}

const isRedemption = ({ messages }: Conversation, entry: number): boolean =>
  messages.some(({ kind, recorded }) => kind === 'token_request' && recorded.entry === entry)

/** Returns the findings of a conversation in the order of its entries. */
function judge(conversation: Conversation, starts: number, related: readonly Finding[]): readonly Finding[] {
  const causes = causesOf(conversation, starts, related)
  const errors = judgeErrors(conversation, causes)
  const refused = errors.find(
    ({ severity, entry }) => severity === 'fault' && isRedemption(conversation, entry),
  )
  const kept = causes.filter(({ name }) => name !== 'callback-refused' || refused === undefined)
  return [...kept, ...errors].sort((a, b) => a.entry - b.entry)
}

/** The part of an exchange that carries the message: a form, or the query with the signature beside it. */
function carried({ recorded, fields }: Message): string {
  const { request } = recorded.exchange
  const name = fields.has('SAMLResponse') ? 'SAMLResponse' : 'SAMLRequest'
  if (request.url.includes(`${name}=`)) return request.url
  // A raw plus sign, which a form has for a space, is one of base64.
  return (fields.get(name) ?? '').replaceAll(' ', '+')
}

async function readSaml(message: Message): Promise<ReadSaml> {
  const { sent } = message.recorded
  const artifact = message.fields.get('SAMLart')
  if (artifact !== undefined && !message.fields.has('SAMLResponse')) return { artifact }
  try {
    return await examineSaml(carried(message), { now: Number.isNaN(sent) ? Date.now() : sent }, undefined)
  } catch (error) {
    if (error instanceof SamlFormatError) return { problem: error.message }
    throw error
  }
}

/** Returns the messages with what their SAML says. Nothing is verified: a recording has no keys. */
function withSaml(messages: readonly Message[]): Promise<readonly Message[]> {
  return Promise.all(
    messages.map(async message =>
      message.kind === 'saml_request' || message.kind === 'saml_response'
        ? { ...message, saml: await readSaml(message) }
        : message,
    ),
  )
}
