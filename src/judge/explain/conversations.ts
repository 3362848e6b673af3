import type { Fields } from '../../protocol/http/form.js'
import { type Conversation, type Draft, kindOfGrant } from './conversation.js'
import { type Documents, documentsOf } from './documents.js'
import { createDraft, finished } from './draft.js'
import { verifierBelongs } from './findings/pkce.js'
import { matchAnswer, sameAnswer, sameRequest } from './matching.js'
import {
  answeredJson,
  issuedTokens,
  type Message,
  originOf,
  placeOf,
  presentedToken,
  samlOf,
  statusOf,
  textMember,
} from './message.js'
import { ReportedOwners } from './reported-owners.js'

/** Members of a token answer, and parameters of an authorization response, that are tokens. */
const TOKENS = ['access_token', 'refresh_token', 'id_token'] as const

/** Sorts messages into conversations. Messages come in the order in which they were sent. */
class Sorter {
  readonly drafts: Draft[] = []
  readonly documents: Documents = documentsOf()
  /** The conversation that a token, code or pushed request came from, by its value. */
  readonly #owners = new Map<string, Draft>()
  readonly #reported = new ReportedOwners((kind, message) => this.#start(kind, message))

  add(message: Message): void {
    const { kind } = message
    const isDocument = kind === 'discovery' || kind === 'keys'
    if (isDocument) this.documents.add(message)
    const draft = isDocument ? undefined : this.#draftFor(message)
    if (draft === undefined) return
    draft.messages.push(message)
    if (message.answer) this.#answered(draft, message)
    this.#remember(draft, message)
  }

  #draftFor(message: Message): Draft | undefined {
    const { report } = message.recorded
    if (report) return this.#reported.ownerOf(message, report)
    switch (message.kind) {
      case 'pushed_authorization_request':
        return this.#start('code', message)
      case 'authorization_request':
        return this.#requested(message)
      case 'authorization_response':
      case 'login':
        return this.#answerOwner(message)
      case 'token_request':
        return this.#tokenOwner(message)
      case 'device_authorization_request':
        return this.#start('device', message)
      case 'logout_request':
        return this.#start('logout', message)
      case 'saml_request':
      case 'saml_response':
        return this.#samlOwner(message)
      case 'leak':
        return this.#leakOwner(message)
      case 'registration':
        return undefined
      default:
        return this.#tokenUser(message)
    }
  }

  #start(kind: Conversation['kind'], message: Message): Draft {
    const draft = createDraft(kind)
    if (kind === 'code' && message.kind !== 'token_request') draft.asked = { fields: message.fields, message }
    this.drafts.push(draft)
    return draft
  }

  /** A request that a server sends on, such as from its login page back to its authorization endpoint, stays one conversation. */
  #requested(message: Message): Draft {
    const { fields } = message
    const pushed = this.#owners.get(fields.get('request_uri') ?? '')
    if (pushed) return pushed
    const again = this.drafts.findLast(
      draft => draft.asked && draft.answers.length === 0 && sameRequest(draft.asked.fields, fields),
    )
    if (again) return again
    return this.#start('code', message)
  }

  #answerOwner(message: Message): Draft | undefined {
    const { answer } = message
    if (answer === undefined) return undefined
    const known = this.drafts.findLast(({ answers }) =>
      answers.some(each => sameAnswer(each.answer.fields, answer.fields)),
    )
    if (known) return known
    const found = matchAnswer(this.drafts, message, answer)
    if (found) return found
    // An answer without its request is kept where it is certain: a broken login may begin before the recording.
    return message.kind === 'login' ? undefined : this.#start('code', message).withoutRequest()
  }

  #tokenOwner(message: Message): Draft {
    const { fields } = message
    const grant = fields.get('grant_type') ?? 'authorization_code'
    if (grant !== 'authorization_code') {
      const handle = fields.get('refresh_token') ?? fields.get('device_code') ?? ''
      return this.#owners.get(handle) ?? this.#start(kindOfGrant(grant), message)
    }
    return (
      this.#owners.get(`code ${fields.get('code')}`) ??
      this.drafts.findLast(({ asked }) => asked && verifierBelongs(fields, asked.fields)) ??
      this.drafts.findLast(draft => awaitsTokens(draft, fields)) ??
      this.#start('code', message)
    )
  }

  #tokenUser(message: Message): Draft | undefined {
    const token = message.fields.get('token') ?? presentedToken(message)
    const owner = token === undefined ? this.#lastLoginAt(message) : this.#owners.get(token)
    if (owner || message.kind === 'userinfo_request') return owner ?? this.#start('api', message)
    const refused = statusOf(message) >= 400
    // Most calls of a page are of no interest: their token was issued before the recording began. Keys of maps have the name of a token.
    const isToken = message.fields.get('access_token')?.startsWith('ey')
    if (!refused && !isToken && message.kind === 'resource_request') return undefined
    const draft = this.#start('api', message)
    if (token !== undefined) this.#owners.set(token, draft)
    return draft
  }

  /** The last login whose tokens came from the server of a message. Browsers export without Authorization headers by default. */
  #lastLoginAt(message: Message): Draft | undefined {
    // A call that was never sent shows no token: its preflight alone was recorded.
    if (message.around?.preflight !== undefined && statusOf(message) === 0)
      return this.drafts.findLast(({ messages }) => issuedTokens(messages).length > 0)
    if (message.kind !== 'userinfo_request') return undefined
    const origin = originOf(message)
    return this.drafts.findLast(({ messages }) =>
      messages.some(each => each.kind === 'token_request' && originOf(each) === origin),
    )
  }

  /** A response belongs to the request that it names, else to one with its RelayState; what comes again, to its first. */
  #samlOwner(message: Message): Draft {
    const read = samlOf(message)
    const ids = read?.assertions.flatMap(({ confirmations }) => confirmations.map(each => each.inResponseTo))
    const named = [read?.id, read?.inResponseTo, ...(ids ?? [])].filter(each => each !== undefined)
    const same = this.drafts.findLast(
      ({ kind, messages }) =>
        kind === 'saml' && messages.some(each => named.includes(samlOf(each)?.id ?? '')),
    )
    if (same) return same
    const relay = message.fields.get('RelayState')
    const last = this.drafts.findLast(({ kind, messages }) => {
      if (kind !== 'saml' || messages.some(each => each.kind === 'saml_response')) return false
      return relay === undefined || messages.some(each => each.fields.get('RelayState') === relay)
    })
    return (message.kind === 'saml_response' ? last : undefined) ?? this.#start('saml', message)
  }

  #leakOwner({ recorded }: Message): Draft | undefined {
    const referer = recorded.exchange.request.headers.find(([name]) => /^referer$/i.test(name))?.[1] ?? ''
    return this.drafts.findLast(({ answers }) =>
      answers.some(({ answer }) => {
        const value = answer.fields.get('code') ?? answer.fields.get('access_token')
        return value !== undefined && (referer.includes(value) || referer.includes(encodeURIComponent(value)))
      }),
    )
  }

  #answered(draft: Draft, message: Message): void {
    const { answer } = message
    if (answer === undefined || draft.answers.some(each => sameAnswer(each.answer.fields, answer.fields)))
      return
    draft.answers.push({ answer, message })
    this.#own(draft, answer.fields.get('code'), 'code ')
    for (const name of TOKENS) this.#own(draft, answer.fields.get(name))
  }

  #remember(draft: Draft, message: Message): void {
    const json = answeredJson(message)
    for (const name of [...TOKENS, 'device_code', 'request_uri']) this.#own(draft, textMember(json, name))
    if (message.kind !== 'token_request') return
    this.#own(draft, message.fields.get('code'), 'code ')
    // A token that was issued before the recording began ties those who use it.
    this.#own(draft, message.fields.get('refresh_token'))
  }

  #own(draft: Draft, value: string | undefined, kind = ''): void {
    if (value !== undefined && !this.#owners.has(kind + value)) this.#owners.set(kind + value, draft)
  }
}

/** True for a login of the same client whose code was not redeemed yet. */
function awaitsTokens({ asked, answers, messages }: Draft, fields: Fields): boolean {
  if (asked === undefined || answers.length === 0) return false
  if (messages.some(({ kind }) => kind === 'token_request')) return false
  // The body of the request was not recorded.
  if (fields.pairs.length === 0) return true
  const clientId = fields.get('client_id')
  if (clientId !== undefined) return asked.fields.get('client_id') === clientId
  const redirect = fields.get('redirect_uri')
  return redirect !== undefined && placeOf(redirect) === placeOf(asked.fields.get('redirect_uri') ?? '')
}

/** Sorts the messages of a recording into conversations, by what ties them: state, code, verifier, client, address, tokens. */
export function sortMessages(messages: readonly Message[]): readonly Conversation[] {
  const sorter = new Sorter()
  // The clock of a lab may stand still; its requests are numbered in their order. Without times the order of the file holds.
  const numbered = messages.some(({ recorded }) => recorded.report !== undefined)
  const timed = !numbered && messages.every(({ recorded }) => !Number.isNaN(recorded.sent))
  // Some programs write an entry when it ends.
  const inOrder = timed ? [...messages].sort(bySent) : [...messages].sort(byEntry)
  for (const message of inOrder) sorter.add(message)
  const used = new Set<Message>()
  return sorter.drafts.map((draft, i) => finished(draft, i + 1, sorter.documents, used))
}

const byEntry = (a: Message, b: Message): number => a.recorded.entry - b.recorded.entry

function bySent(a: Message, b: Message): number {
  return a.recorded.sent - b.recorded.sent || byEntry(a, b)
}
