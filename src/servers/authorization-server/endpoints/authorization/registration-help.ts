import { bounded } from '../../../../protocol/events.js'
import type { HttpResponse } from '../../../../protocol/http/message.js'
import { type Html, html } from '../../../../protocol/http/page.js'
import { nearest } from '../../../../protocol/nearest.js'
import { type Client, redirectUriRules } from '../../../../protocol/oauth/client.js'
import { OAuthError } from '../../../../protocol/oauth/oauth-error.js'
import {
  compareRedirectUri,
  describeDifference,
  parseLoopback,
  type RedirectUriProblem,
  redirectUriProblem,
} from '../../../../protocol/oauth/redirect-uri.js'
import { defined } from '../../../../protocol/values.js'
import { errorFacts, refusedPage } from '../../pages/page.js'
import type { Registry } from '../../stores/registry.js'

/** The facts about an address that is not registered, and the ways to register it. */
export interface RegistrationHelp {
  readonly clientId: string
  /** Undefined when the request has no redirect_uri. */
  readonly sent: string | undefined
  readonly registered: readonly string[]
  /** The registered address that comes closest to the sent one. */
  readonly closest?: string
  /** The differences from the closest address, a phrase for each part. */
  readonly differences: readonly string[]
  /** Absent for an address that cannot be registered. */
  readonly ways?: RegistrationWays
}

interface RegistrationWays {
  /** A command line that starts the lab with the address. */
  readonly serve: string
  /** The member of the client in the lab file. */
  readonly labFile: string
  readonly remark?: string
}

/** The clients to which `serve --redirect-uri URI` adds an address when it names no client. */
export const DEMO_CLIENTS: readonly string[] = ['demo', 'demo-spa', 'demo-native']

/** Most addresses that are listed. */
const MAX_LISTED = 20

/** Returns text as one word of a POSIX shell. Addresses and client ids are printable ASCII. */
function shellWord(text: string): string {
  return /^[\w/.:@%+=,-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}

function waysToRegister(client: Client, uri: string): RegistrationWays {
  const { client_id: id, redirect_uris: registered } = client
  const word = shellWord(DEMO_CLIENTS.includes(id) ? uri : `${id}=${uri}`)
  const ways = {
    serve: `oauth-lab serve --redirect-uri ${word}`,
    labFile: `redirect_uris: [${[...registered, uri].map(each => JSON.stringify(each)).join(', ')}]`,
  }
  const named = parseLoopback(uri, { anyLocalhostPort: true })?.base === 'http://localhost'
  if (!named || redirectUriRules(client).anyLocalhostPort) return ways
  const remark =
    'localhost matches any port only for public clients, and for application_type: native (RFC 9700 §4.1.3)'
  return { ...ways, remark }
}

/** Compares the redirect_uri of a request with those of its client, and says how to register it. */
export function registrationHelp(client: Client, sent: string | undefined): RegistrationHelp {
  const registered = client.redirect_uris.slice(0, MAX_LISTED)
  const known = { clientId: client.client_id, sent, registered }
  if (sent === undefined || redirectUriProblem(sent) !== undefined) return { ...known, differences: [] }
  const compared = compareRedirectUri(sent, client.redirect_uris, redirectUriRules(client))
  const ways = waysToRegister(client, sent)
  if (compared === undefined) return { ...known, differences: [], ways }
  const { closest, differences } = compared
  return { ...known, closest, differences: differences.map(describeDifference), ways }
}

/** Returns the members of an event about an address that is not registered. Empty without help. */
export const registrationFacts = (help?: RegistrationHelp) =>
  defined({
    registered: help?.registered,
    differences: help?.differences,
    to_register: help?.ways?.serve,
  })

/** Returns the error for an address that is not registered, with its difference from the closest one. */
export function unregistered(
  { problem, rule }: RedirectUriProblem,
  { sent, closest, differences }: RegistrationHelp,
): OAuthError<'invalid_request'> {
  const comparison = closest === undefined ? '' : `; it differs from ${closest} in ${differences.join('; ')}`
  const description = `redirect_uri is refused: ${problem}${comparison}`
  return new OAuthError('invalid_request', { description, rule, evidence: sent })
}

const codes = (texts: readonly string[]): readonly Html[] =>
  texts.map(each => html`<dd><code>${each}</code></dd>\n`)

function waysHtml({ serve, labFile, remark }: RegistrationWays, clientId: string): Html {
  return html`<p>To register it, start the lab with it:</p>
<p><code>${serve}</code></p>
<p>Or write this into the entry of <code>${clientId}</code> in the lab file:</p>
<p><code>${labFile}</code></p>
${remark === undefined ? undefined : html`<p class="mark">${remark}</p>\n`}`
}

/**
 * The error page for a redirect_uri that is not registered. It shows the addresses as text: the browser is neither
 * redirected nor offered a link to them (RFC 6749 §4.1.2.1).
 */
export function registrationPage(error: OAuthError, help: RegistrationHelp): HttpResponse {
  const { clientId, sent, registered, closest, differences, ways } = help
  return refusedPage(
    400,
    html`<p role="alert" class="alert">${error.description}</p>
<dl>
${errorFacts(error)}${sent === undefined ? undefined : html`<dt>redirect_uri of the request</dt>\n${codes([sent])}`}<dt>Registered for <code>${clientId}</code></dt>
${registered.length === 0 ? html`<dd>none</dd>\n` : codes(registered)}${closest === undefined ? undefined : html`<dt>Different from <code>${closest}</code></dt>\n${differences.map(each => html`<dd>${each}</dd>\n`)}`}</dl>
${ways === undefined ? undefined : waysHtml(ways, clientId)}`,
  )
}

/** The facts about a client_id that is not registered. */
export interface UnknownClient {
  /** The client_id of the request, cut where it is long. */
  readonly sent: string
  /** The id of the lab file that comes closest. */
  readonly nearest?: string
  /** The entry of `clients` in the lab file. Absent for an id that cannot be registered. */
  readonly labFile?: string
}

/** An address that a client may be registered with, when the request has none that can be. */
const USUAL_ADDRESS = 'http://127.0.0.1/callback'

/**
 * Compares an unknown client_id with those of the lab file, and says how to register it. Clients that introduced themselves
 * are left out: there may be thousands, and their ids are random.
 */
export function unknownClient(
  id: string,
  redirectUri: string | undefined,
  registry: Registry,
): UnknownClient {
  const sent = bounded(id)
  const known = registry.clients().filter(({ introduced }) => introduced === undefined)
  const near = nearest(
    id,
    known.map(each => each.client_id),
  )
  // VSCHAR (RFC 6749 Appendix A.1).
  const isRegistrable = sent === id && /^[\x20-\x7e]+$/.test(id)
  const isAddress = redirectUri !== undefined && redirectUriProblem(redirectUri) === undefined
  const addresses = JSON.stringify([isAddress ? redirectUri : USUAL_ADDRESS])
  const line = `- { client_id: ${JSON.stringify(id)}, redirect_uris: ${addresses} }`
  return defined({ sent, nearest: near, labFile: isRegistrable ? line : undefined })
}

/** The error page for a client_id that is not registered. It has no link, as no address is verified (RFC 6749 §4.1.2.1). */
export function unknownClientPage(
  error: OAuthError,
  { sent, nearest, labFile }: UnknownClient,
): HttpResponse {
  return refusedPage(
    400,
    html`<p role="alert" class="alert">${error.description}</p>
<dl>
${errorFacts(error)}<dt>client_id of the request</dt>
${codes([sent])}${nearest === undefined ? undefined : html`<dt>Nearest registered client</dt>\n${codes([nearest])}`}</dl>
${labFile === undefined ? undefined : html`<p>To register it as a public client, write this line into <code>clients</code> of the lab file:</p>\n<p><code>${labFile}</code></p>\n`}`,
  )
}
