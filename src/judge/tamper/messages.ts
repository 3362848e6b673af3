import { isUrl } from '../../protocol/http/address.js'
import type { Exchange } from '../../protocol/http/exchange.js'
import { encodeForm, type FormPairs, parseForm, readPairs } from '../../protocol/http/form.js'
import { bytes, type HeaderList, type HttpRequest, splitUrl, text } from '../../protocol/http/message.js'
import { basicHeader } from '../../protocol/oauth/client-auth.js'
import { parseScope } from '../../protocol/oauth/scope.js'
import { defined } from '../../protocol/values.js'
import type { ClientIdentity } from './situation.js'

/** A host name that nobody owns (RFC 2606 §3). Nothing is sent to names below this host. */
export const STRANGER = 'attacker.example'

/** A token request on its way, its form taken apart. */
export interface TokenMessage {
  readonly method: string
  readonly url: string
  readonly headers: HeaderList
  readonly pairs: FormPairs
  /** The certificate of the connection, in place of the client's own. */
  readonly identity?: HttpRequest['identity']
}

/** True for an address that a move made up to lure the answer to. */
export function isLure(url: string): boolean {
  if (!isUrl(url)) return false
  const { hostname } = new URL(url)
  return hostname === STRANGER || hostname.endsWith(`.${STRANGER}`)
}

/** True for a page that leads on to an address that a move made up, by a link, a refresh or a script. */
export function leadsToLure({ status, body }: { readonly status: number; readonly body: string }): boolean {
  return status < 400 && /(?:href|url|location)\s*=\s*["']?https:\/\/attacker\.example/i.test(body)
}

/** The pairs without those of these names. */
export function without(pairs: FormPairs, ...names: readonly string[]): FormPairs {
  return pairs.filter(([name]) => !names.includes(name))
}

/** The pairs with another value for `name`, in its place. An absent name is added at the end; its old value is ''. */
export function withValue(pairs: FormPairs, name: string, change: (value: string) => string): FormPairs {
  if (!pairs.some(([each]) => each === name)) return [...pairs, [name, change('')]]
  return pairs.map(([each, value]) => (each === name ? [each, change(value)] : [each, value]))
}

/** A scope with `openid`, so that an ID token is issued. */
export function withOpenId(scope: string = ''): string {
  const asked = parseScope(scope) ?? []
  return asked.includes('openid') ? asked.join(' ') : ['openid', ...asked].join(' ')
}

/** Returns `value` with one character in its middle changed. */
export function altered(value: string): string {
  const middle = value.length >> 1
  const other = value[middle] === 'A' ? 'B' : 'A'
  return `${value.slice(0, middle)}${other}${value.slice(middle + 1)}`
}

/** An address with its query changed. */
export function changeQuery(url: string, change: (pairs: FormPairs) => FormPairs): string {
  const { origin, path, query } = splitUrl(url)
  const changed = encodeForm(change(readPairs(query)))
  return changed === '' ? `${origin}${path}` : `${origin}${path}?${changed}`
}

/** True for a long value of letters and digits, which a foreign page cannot guess. */
function isUnguessable(value: string): boolean {
  return value.length >= 16 && /\d/.test(value) && /[a-z]/i.test(value)
}

/**
 * The address of a login form as a foreign page knows it. A foreign page knows the authorization request. It does not know
 * random values that the server added, in the query (`session_code`) or in the path (`/interaction/…`).
 */
export function withoutGuesses(action: string, asked: string): string {
  const { origin, path, query } = splitUrl(action)
  const request = splitUrl(asked)
  const parts = request.path.split('/')
  const values = readPairs(request.query).map(([, value]) => value)
  const added = (known: readonly string[], value: string) => !known.includes(value) && isUnguessable(value)
  const pairs = readPairs(query)
  const kept = pairs.filter(([, value]) => !added(values, value))
  const guessed = path
    .split('/')
    .map(part => (added(parts, part) ? altered(part) : part))
    .join('/')
  const rest = kept.length === pairs.length ? query : encodeForm(kept)
  return `${origin}${guessed}${rest === '' ? '' : `?${rest}`}`
}

/** Changes the answer in an address: in its fragment where there is one, else in its query. */
export async function changeAnswer(
  url: string,
  change: (pairs: FormPairs) => Promise<FormPairs>,
): Promise<string> {
  const mark = url.indexOf('#')
  if (mark >= 0) return `${url.slice(0, mark)}#${encodeForm(await change(readPairs(url.slice(mark + 1))))}`
  const changed = await change(readPairs(splitUrl(url).query))
  return changeQuery(url, () => changed)
}

/** Changes the fields of a form request. */
export function changeBody(request: HttpRequest, change: (pairs: FormPairs) => FormPairs): HttpRequest {
  return { ...request, body: bytes(encodeForm(change(parseForm(text(request.body))))) }
}

/** Takes a token request apart. */
export function readTokenMessage({ method, url, headers, body }: HttpRequest): TokenMessage {
  return { method, url, headers, pairs: parseForm(text(body)) }
}

/** Puts a token request together. */
export function writeTokenMessage({ method, url, headers, pairs, identity }: TokenMessage): HttpRequest {
  return defined({ method, url, headers, body: bytes(encodeForm(pairs)), identity })
}

/** The request without any credentials; `client_id` goes too. */
export function withoutCredentials(message: TokenMessage): TokenMessage {
  return {
    ...message,
    headers: withoutHeader(message.headers, 'authorization'),
    pairs: without(message.pairs, 'client_id', 'client_secret', 'client_assertion', 'client_assertion_type'),
  }
}

/** The request that names a client, and shows no credentials. */
export function withNameAlone(
  message: TokenMessage,
  { clientId }: Pick<ClientIdentity, 'clientId'>,
): TokenMessage {
  const bare = withoutCredentials(message)
  return { ...bare, pairs: [...bare.pairs, ['client_id', clientId]] }
}

/** The value of a parameter; empty for an absent one. */
export function valueIn(pairs: FormPairs, name: string): string {
  return pairs.find(([each]) => each === name)?.[1] ?? ''
}

/** The headers without those of a name, in lower case. */
export function withoutHeader(headers: HeaderList, name: string): HeaderList {
  return headers.filter(([each]) => each.toLowerCase() !== name)
}

/** An address with more parameters behind those that it has. */
export function withQuery(url: string, pairs: Parameters<typeof encodeForm>[0]): string {
  return `${url}${url.includes('?') ? '&' : '?'}${encodeForm(pairs)}`
}

/** The request as another client sends it, authenticated by the methods named. */
export function asClient(
  message: TokenMessage,
  { clientId, clientSecret = '', auth }: ClientIdentity,
  methods: readonly ClientIdentity['auth'][] = [auth],
): TokenMessage {
  const bare = withoutCredentials(message)
  const basic = methods.includes('client_secret_basic')
  const post = methods.includes('client_secret_post')
  return {
    ...bare,
    headers: basic ? [...bare.headers, basicHeader(clientId, clientSecret)] : bare.headers,
    pairs: [
      ...bare.pairs,
      ...(post || !basic ? [['client_id', clientId] as const] : []),
      ...(post ? [['client_secret', clientSecret] as const] : []),
    ],
  }
}

/** Headers that belong to a connection, and not to the message. */
const ofConnection = /^(host|connection|content-length|transfer-encoding|accept-encoding|user-agent)$/i

/** The bytes of a request that was sent. */
export function sameBytes({ request }: Exchange, body: Uint8Array): HttpRequest {
  const { method, url, headers } = request
  return { method, url, headers: headers.filter(([name]) => !ofConnection.test(name)), body }
}

/** True for two addresses that differ in their query alone. */
export function sameAddress(url: string, other: string): boolean {
  const [a, b] = [splitUrl(url), splitUrl(other)]
  return a.origin === b.origin && a.path === b.path
}

/** The redirect_uris of a request, beside the one that was registered. */
export function lures(asked: FormPairs, registered: string): string[] {
  return asked.flatMap(([name, value]) => (name === 'redirect_uri' && value !== registered ? [value] : []))
}
