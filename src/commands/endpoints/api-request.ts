import { isProtectedAddress } from '../../flows/metadata/resource-metadata.js'
import { UsageError } from '../../protocol/errors.js'
import { isUrl, quotedUrl, readAddress } from '../../protocol/http/address.js'
import { type HeaderList, type HttpRequest, header } from '../../protocol/http/message.js'
import { parsedJson } from '../../protocol/values.js'
import { readFields } from '../../servers/compression/client/ask.js'
import { readInputBytes, readStdin } from '../../session/input/input.js'

/** The options of a request to an API. */
export interface ApiOptions {
  readonly request?: string
  /** Parts of the body: text, `@FILE`, `-` or `@-` for stdin. */
  readonly data?: readonly string[]
  readonly header?: readonly string[]
}

/** Largest body of a request, in bytes. */
const LARGEST = 64 * 1024 * 1024

/** The fields that hold the token, which the command itself sends. */
const OWN = new Set(['authorization', 'dpop', 'proxy-authorization'])

/** True for a part of the body that is read from stdin. */
const onStdin = (part: string) => part === '-' || part === '@-'

/**
 * The address of an API: https, or on this computer, because a token goes there (RFC 6750 §5.3).
 * @param base the address that a path belongs to
 * @throws UsageError
 */
export function apiAddress(text: string, base?: string): string {
  const address = readAddress(base !== undefined && text.startsWith('/') ? base + text : text)
  if (address === undefined) {
    throw new UsageError(`${quotedUrl(text)} is no address`, [
      'It looks like https://api.example/records; a path such as /records belongs to the resource server of the lab',
    ])
  }
  if (address.authorization !== undefined) {
    throw new UsageError(
      'the address holds a user or a password, and the request has room for the token alone',
    )
  }
  if (!/^[\x21-\x7e]+$/.test(address.url)) {
    throw new UsageError('the address holds characters that a request line cannot carry (RFC 9112 §3.2)', [
      'Write them percent-encoded, a space as %20',
    ])
  }
  if (!isProtectedAddress(address.url)) {
    throw new UsageError(
      `${quotedUrl(text)}: tokens go to https addresses, or stay on this computer (RFC 6750 §5.3)`,
      ['Name the https address of the API'],
    )
  }
  return address.url
}

async function partOf(part: string): Promise<Buffer> {
  if (onStdin(part)) return readStdin('the body', LARGEST)
  return part.startsWith('@') ? readInputBytes('the body', part.slice(1), LARGEST) : Buffer.from(part, 'utf8')
}

/** Refuses stdin for the body beside another use of it. @throws UsageError */
export function checkStdin(data: readonly string[] = [], otherUse: string | undefined): void {
  const uses = data.filter(onStdin).length
  if (uses > 1) throw new UsageError('-d reads stdin twice', ['Leave one out'])
  if (uses === 1 && otherUse !== undefined) {
    throw new UsageError(`-d - and ${otherUse} both read stdin`, ['Put the body into a file:  -d @FILE'])
  }
}

/** The media type of a body that no option names: JSON that looks like it, else that of a form, as in curl. */
function typeOf(body: Buffer): string {
  const text = body.toString('utf8').trim()
  const isJson = /^[{[]/.test(text) && parsedJson(text) !== undefined
  return isJson ? 'application/json' : 'application/x-www-form-urlencoded'
}

function withDefaults(own: HeaderList, body: Buffer | undefined, agent: string): HeaderList {
  const defaults: HeaderList = [
    ['accept', '*/*'],
    ['user-agent', agent],
    ...(body === undefined ? [] : [['content-type', typeOf(body)] as const]),
  ]
  return [...defaults.filter(([name]) => header({ headers: own }, name) === undefined), ...own]
}

/** Makes a request to an API, without its token. Its body is sent as it is. @throws UsageError */
export async function apiRequest(
  url: string,
  { request: method, data, header: fields = [] }: ApiOptions,
  agent: string,
): Promise<HttpRequest> {
  if (method !== undefined && !/^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/.test(method)) {
    throw new UsageError(`-X ${JSON.stringify(method)} is no method (RFC 9110 §9.1)`, ['Such as:  -X DELETE'])
  }
  const own = readFields(fields)
  const taken = own.find(([name]) => OWN.has(name.toLowerCase()))
  if (taken) {
    throw new UsageError(`-H ${taken[0]}: the command itself sends the token`, [
      'With a token of your own:  curl -H "Authorization: Bearer $TOKEN"',
    ])
  }
  const parts = data && (await Promise.all(data.map(partOf)))
  const body =
    parts && Buffer.concat(parts.flatMap((part, i) => (i === 0 ? [part] : [Buffer.from('&'), part])))
  return {
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    url,
    headers: withDefaults(own, body, agent),
    body: body ?? new Uint8Array(),
  }
}

/** The next request of a redirect; the reason why it is not followed. */
export type Redirected = { readonly next: HttpRequest } | { readonly problem: string }

/**
 * The request that a redirect leads to, as browsers make it (Fetch standard). A token stays at the origin that it was sent to.
 * @returns undefined for an answer that is no redirect
 */
export function redirected(
  request: HttpRequest,
  answer: { readonly status: number; readonly headers: HeaderList },
): Redirected | undefined {
  const { status } = answer
  const location = header(answer, 'location')
  if (![301, 302, 303, 307, 308].includes(status) || location === undefined) return undefined
  if (!isUrl(location, request.url)) return { problem: 'its Location is no address' }
  const target = new URL(location, request.url)
  if (target.origin !== new URL(request.url).origin) {
    return { problem: `${target.origin} is another origin, and the token stays where it is` }
  }
  target.hash = ''
  const url = target.href
  const isPost = request.method === 'POST'
  if (status === 307 || status === 308 || (status !== 303 && !isPost) || request.method === 'HEAD') {
    return { next: { ...request, url } }
  }
  const headers = request.headers.filter(([name]) => !/^content-/i.test(name))
  return { next: { method: 'GET', url, headers, body: new Uint8Array() } }
}
