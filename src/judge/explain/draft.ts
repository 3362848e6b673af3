import { fieldsOf } from '../../protocol/http/form.js'
import { header } from '../../protocol/http/message.js'
import { parseBasic } from '../../protocol/oauth/client-auth.js'
import { defined } from '../../protocol/values.js'
import type { Conversation, ConversationKind, Draft } from './conversation.js'
import type { Documents } from './documents.js'
import { lastSeen, outcomeOf } from './ending.js'
import { readJwt } from './jwt.js'
import { issuedTokens, type Message, samlOf } from './message.js'
import { errorWords } from './words.js'

/** Creates an empty draft. */
export function createDraft(kind: ConversationKind): Draft {
  const draft: Draft = {
    kind,
    messages: [],
    answers: [],
    withoutRequest() {
      delete draft.asked
      return draft
    },
  }
  return draft
}

/** The kind of a login by its response_type, or by what came back. */
function kindOf({ kind, asked, answers, messages }: Draft): ConversationKind {
  if (kind === 'saml') {
    return messages.some(each => samlOf(each)?.kind.startsWith('Logout')) ? 'logout' : 'saml'
  }
  if (kind !== 'code') return kind
  const types = asked?.fields.get('response_type')?.split(' ')
  const front = answers.some(({ answer: { fields } }) => fields.has('access_token') || fields.has('id_token'))
  const code = types?.includes('code') ?? answers.some(({ answer }) => answer.fields.has('code'))
  const tokens = types?.some(type => type.endsWith('token')) ?? front
  if (tokens) return code ? 'hybrid' : 'implicit'
  return 'code'
}

function clientIn(messages: readonly Message[]): string | undefined {
  for (const { fields, recorded } of messages) {
    const named = fields.get('client_id')
    if (named !== undefined) return named
    const basic = parseBasic(header(recorded.exchange.request, 'authorization') ?? '')
    if (basic?.[0]) return basic[0].clientId
    if (recorded.report?.clientId !== undefined) return recorded.report.clientId
  }
  return undefined
}

/** The sender of a SAML message: the service provider of a request, the identity provider of a response. */
function samlParty(messages: readonly Message[], kind: Message['kind']): string | undefined {
  const message = messages.find(each => each.kind === kind)
  const read = message && samlOf(message)
  return read?.issuer ?? read?.assertions[0]?.issuer
}

/** The last page of the server in a login that got no answer: it is the end that the person saw. */
function shownPage({ messages, answers }: Draft): Message | undefined {
  if (answers.length > 0 || messages.some(({ kind }) => kind === 'saml_response')) return undefined
  const pages = messages.flatMap(({ around }) => around?.page ?? [])
  const recorded = pages.toSorted((a, b) => a.entry - b.entry).at(-1)
  if (recorded === undefined) return undefined
  const page = { kind: 'login' as const, recorded, fields: fieldsOf([]) }
  return defined({ ...page, words: errorWords(page) })
}

/** Completes a draft: its documents, its client and issuer, its outcome. Documents are shown with the first conversation that needs them. */
export function finished(draft: Draft, n: number, documents: Documents, used: Set<Message>): Conversation {
  const shown = shownPage(draft)
  if (shown) draft.messages.push(shown)
  const found = documents.of(draft.messages)
  const fresh = found.messages.filter(message => !used.has(message))
  for (const message of fresh) used.add(message)
  const messages = [...draft.messages, ...fresh].sort((a, b) => a.recorded.entry - b.recorded.entry)
  const { asked, answers } = draft
  const { metadata } = found.documents
  const idToken = readJwt(issuedTokens(messages).find(({ kind }) => kind === 'id_token')?.value)
  const reports = draft.messages.flatMap(({ recorded }) => recorded.report ?? [])
  const named = [
    metadata?.issuer,
    idToken?.claims.iss,
    answers[0]?.answer.fields.get('iss'),
    ...reports.map(each => each.issuer),
  ]
  const issuer = named.find(value => typeof value === 'string')
  const kind = kindOf(draft)
  const outcome = outcomeOf(draft)
  return defined({
    n,
    kind,
    messages,
    asked,
    answers,
    documents: found.documents,
    clientId: clientIn(draft.messages) ?? samlParty(draft.messages, 'saml_request'),
    username: reports.map(each => each.username).find(each => each !== undefined),
    issuer: issuer ?? samlParty(draft.messages, 'saml_response'),
    outcome,
    lastSeen: outcome === 'granted' ? undefined : lastSeen({ kind, messages: draft.messages }),
  })
}
