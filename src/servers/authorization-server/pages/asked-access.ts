import { type Html, html, policySources } from '../../../protocol/http/page.js'
import type {
  AuthorizationDetail,
  AuthorizationDetails,
  DetailSchema,
  DetailTypes,
} from '../../../protocol/oauth/authorization-details.js'
import type { Client } from '../../../protocol/oauth/client.js'
import { parseLoopback } from '../../../protocol/oauth/redirect-uri.js'
import { isJsonObject } from '../../../protocol/values.js'
import { type AllowedBefore, NOTHING_ALLOWED } from '../logins/consents.js'
import type { ClaimsRequest } from '../parameters/claims-request.js'

/** The access that a sentence names. */
interface NamedAccess {
  readonly client: Pick<Client, 'client_id' | 'client_name'>
  readonly scope: readonly string[]
  /** Names of single claims. Absent: none. */
  readonly claimNames?: readonly string[]
  readonly details?: AuthorizationDetails | undefined
}

interface Asked extends NamedAccess {
  readonly client: Client
  readonly to: { readonly redirectUri: string }
  readonly claims: ClaimsRequest
  readonly claimNames: readonly string[]
}

/** Descriptions of what can be asked for. */
interface Descriptions {
  /** By scope. */
  readonly scopes: Readonly<Record<string, string>>
  /** By type of authorization details. */
  readonly detailTypes?: DetailTypes | undefined
}

/** The verbs that descriptions begin with. `Access to calendars` and `View of …` begin with a noun. */
const VERB =
  /^(?:accept|access|act|add|approve|archive|browse|buy|call|change|check|choose|collect|compose|connect|control|copy|create|delete|deploy|download|edit|export|fetch|find|follow|get|import|install|invite|keep|know|list|look|make|manage|modify|move|open|organi[sz]e|pay|place|post|print|publish|read|receive|register|remove|rename|reply|request|run|save|schedule|search|see|send|set|share|show|sign|start|stop|store|submit|subscribe|sync|tell|transfer|update|upload|use|verify|view|write)\b(?! (?:to|of|for)\b|[:-])/i

/** A description as it continues "wants to". Undefined for one that begins with no verb, such as `Your photos`. */
function phraseOf(description: string | undefined, name: string): Html | undefined {
  if (!description) return html`use <code>${name}</code>`
  const text = description.replace(/\.$/, '')
  return VERB.test(text) ? html`${text.charAt(0).toLowerCase() + text.slice(1)}` : undefined
}

/** Joins parts as English does: "a, b and c". */
function listed(parts: readonly Html[]): Html {
  return html`${parts.map((part, i) => html`${i === 0 ? '' : i < parts.length - 1 ? ', ' : ' and '}${part}`)}`
}

/**
 * The access that a client asks for, as one sentence: "Photo Printer wants to read your records and know who you are."
 * A scope without a description stands as it is. Descriptions without a verb stand in the list below the sentence.
 * @param again true when the person allowed other access before
 */
export function askedSentence(
  { client, scope, claimNames = [], details = [] }: NamedAccess,
  { scopes, detailTypes = {} }: Descriptions,
  again = false,
): Html {
  const named = [
    ...scope.map(token => phraseOf(scopes[token], token)),
    ...(claimNames.length === 0
      ? []
      : [html`see your ${listed(claimNames.map(name => html`<code>${name}</code>`))}`]),
    ...[...new Set(details.map(({ type }) => type))].map(type =>
      phraseOf(detailTypes[type]?.description, type),
    ),
  ]
  const name = html`<strong>${client.client_name ?? client.client_id}</strong>`
  const phrases = named.filter(each => each !== undefined)
  const isListed = phrases.length < named.length
  if (phrases.length === 0 && isListed) return html`${name} ${again ? 'now also asks' : 'asks'} for:`
  if (phrases.length === 0) {
    return again ? html`${name} wants to use what you allowed before.` : html`${name} wants you to log in.`
  }
  return html`${name} ${again ? 'now also wants to' : 'wants to'} ${listed(phrases)}${isListed ? ', and asks for more:' : '.'}`
}

/**
 * Names the scopes, the single claims and the authorization details that a client asks for, together (OpenID Connect Core
 * §3.1.2.4, §5.5; RFC 9396 §3.1). What the person allowed before comes apart, because it is not the question. A client that
 * nobody vouches for is shown with the host it introduced itself from.
 */
export function askedAccess(
  { client, to, scope, claims, claimNames, details }: Asked,
  descriptions: Descriptions,
  allowed: AllowedBefore = NOTHING_ALLOWED,
): Html {
  const before = [...allowed.scope, ...allowed.claims]
  const added = scope.filter(token => !allowed.scope.includes(token))
  const addedClaims = claimNames.filter(name => !allowed.claims.includes(name))
  const asked = { client, scope: added, claimNames: addedClaims, details }
  const needed = (name: string) =>
    claims.userinfo.get(name)?.essential || claims.idToken.get(name)?.essential ? ', which it needs' : ''
  const claimItems = addedClaims.map(name => html`<li>See your <code>${name}</code>${needed(name)}</li>\n`)
  return html`${logoOf(client)}<p>${askedSentence(asked, descriptions, before.length > 0)}</p>
${askedList(asked, descriptions, claimItems)}${before.length > 0 ? html`\n<p>You allowed it before: ${before.map((name, i) => html`${i > 0 ? ', ' : ''}<code>${name}</code>`)}</p>` : undefined}${introduction(client, to.redirectUri)}${linksOf(client)}`
}

/** The access as a list, with the names that the client sent. Nothing for no access. */
export function askedList(
  { scope, details = [] }: NamedAccess,
  { scopes, detailTypes }: Descriptions,
  claimItems: readonly Html[] = [],
): Html | undefined {
  if (scope.length + details.length + claimItems.length === 0) return undefined
  return html`<ul>
${scope.map(token => html`<li>${scopes[token] || token}<small><code>${token}</code></small></li>\n`)}${claimItems}${askedDetails(details, detailTypes)}</ul>`
}

/** Names of the common members (RFC 9396 §2.2) as people read them. */
const COMMON_NAMES: Readonly<Record<string, string>> = {
  locations: 'Where',
  actions: 'Actions',
  datatypes: 'Kinds of data',
  identifier: 'Which one',
  privileges: 'Privileges',
}

/** List items that show each detail with all its members: the person allows these, and nothing else (RFC 9396 §3.1). */
function askedDetails(details: AuthorizationDetails, types: DetailTypes = {}): Html {
  return html`${details.map(each => html`<li>${askedDetail(each, types)}</li>\n`)}`
}

function askedDetail({ type, ...members }: AuthorizationDetail, types: DetailTypes): Html {
  const { description, properties } = Object.hasOwn(types, type) ? types[type]! : {}
  return html`${description ?? type}<small><code>${type}</code></small>${membersOf(members, properties)}`
}

function membersOf(
  members: Readonly<Record<string, unknown>>,
  schemas: Readonly<Record<string, DetailSchema>> = {},
): Html {
  const schemaOf = (name: string) => (Object.hasOwn(schemas, name) ? schemas[name] : undefined)
  const rows = Object.entries(members).map(([name, value]) => {
    const schema = schemaOf(name)
    return html`<dt>${label(name, schema)}</dt><dd>${shownValue(value, schema)}</dd>\n`
  })
  return rows.length === 0 ? html`` : html`<dl>\n${rows}</dl>`
}

function label(name: string, schema: DetailSchema | undefined): Html {
  const common = Object.hasOwn(COMMON_NAMES, name) ? COMMON_NAMES[name] : undefined
  return html`<bdi>${schema?.description ?? common ?? name}</bdi>`
}

/** A value in an element of its own, so that text of another writing direction does not reorder the page. */
function shownValue(value: unknown, schema: DetailSchema | undefined): Html {
  if (isJsonObject(value)) return membersOf(value, schema?.properties)
  if (Array.isArray(value)) {
    const items = value.map(
      (each, i) => html`${i === 0 ? undefined : ', '}${shownValue(each, schema?.items)}`,
    )
    return html`${items}`
  }
  return html`<bdi>${typeof value === 'string' ? value : JSON.stringify(value)}</bdi>`
}

/** True for an http address of this computer, where any program may listen. */
const isLoopback = (redirectUri: string) =>
  parseLoopback(redirectUri, { anyLocalhostPort: true }) !== undefined

/** Name and picture of a client that registered itself are its own words alone (RFC 7591 §5). */
const SELF_REGISTERED = html`
<p role="note" class="alert" id="self-registered">This application registered itself. Nobody who runs this server checked it, and its name may be that of another one.</p>`

/**
 * Says how a client introduced itself. The host of a document is all that is proven of its client. Every program on a
 * computer can use the document of a client with a loopback address, so the page warns of those
 * (draft-ietf-oauth-client-id-metadata-document-02 §8.5; MCP 2026-07-28 Security §7.2).
 * @param redirectUri absent: the answer goes to no address
 */
export function introduction(
  { client_id: id, introduced }: Pick<Client, 'client_id' | 'introduced'>,
  redirectUri?: string,
): Html | undefined {
  if (introduced === 'registration') return SELF_REGISTERED
  if (introduced === undefined) return undefined
  const warned = redirectUri !== undefined && isLoopback(redirectUri)
  return html`
<p>This application introduced itself from <strong id="client-host">${new URL(id).host}</strong>. Nobody who runs this server checked it.</p>${
    warned
      ? html`
<p role="note" class="alert" id="loopback">The answer goes to a program on this computer (<code>${new URL(redirectUri).host}</code>), and any program can use this name. Continue only if you started it yourself just now.</p>`
      : undefined
  }`
}

/** The pages that a client may name, with their words for people (OpenID Connect Registration §2). */
const PAGES = [
  ['client_uri', 'About it'],
  ['policy_uri', 'What it does with your data'],
  ['tos_uri', 'Its terms of service'],
] as const

/** Returns the origins that a page about a client loads a picture from. */
export function imageOrigins({ logo_uri: logo }: Client): readonly string[] {
  return logo === undefined ? [] : policySources([new URL(logo).origin])
}

/** Returns the logo of a client. It has no text of its own: the name stands beside it. */
function logoOf(client: Client): Html | undefined {
  const { logo_uri: logo } = client
  if (logo === undefined || imageOrigins(client).length === 0) return undefined
  return html`<p><img src="${new URL(logo).href}" alt="" width="64" height="64" referrerpolicy="no-referrer"></p>\n`
}

/** Returns links to the pages that a client names about itself. The host of each is shown, because nothing proves the client. */
function linksOf(client: Client): Html | undefined {
  const named = PAGES.flatMap(([member, words]) => {
    const address = client[member]
    return address === undefined ? [] : [{ words, url: new URL(address) }]
  })
  if (named.length === 0) return undefined
  const link = ({ words, url }: (typeof named)[number]) =>
    html`<li><a href="${url.href}" target="_blank" rel="noopener noreferrer">${words}</a><small>${url.host}</small></li>\n`
  return html`\n<ul>
${named.map(link)}</ul>`
}
