import type { Exchange } from '../../../protocol/http/exchange.js'
import { percentEncode, readPairs } from '../../../protocol/http/form.js'
import { mediaType, splitUrl } from '../../../protocol/http/message.js'
import { maskExchange } from '../../../protocol/safe-output/mask.js'
import { isSecretName } from '../../../protocol/safe-output/secret-names.js'
import { joined, type Piece, shellWord } from '../../../protocol/safe-output/shell.js'

/** The source of a value in a replay. */
export interface Source {
  readonly variable: string
  /** The variable holds it percent-encoded. */
  readonly encoded: boolean
}

/** How values of the recorded request are written. */
export interface CurlContext {
  readonly showSecrets: boolean
  /** The variable that holds a value by then; undefined for one that stays as it is. */
  source(name: string, value: string): Source | undefined
  /** The variable that holds the client secret form-encoded; absent: the secret is used as it is. */
  readonly basicSecret?: string
  /** Collects the environment variables that have to hold secrets. */
  readonly secrets?: Set<string>
  /** The owner of the secrets. Left out: the resource owner and the client. */
  readonly owner?: 'attacker'
  /** The address of the request where it is not the recorded one. */
  readonly url?: Piece
  /** Variables for the beginnings of addresses. */
  readonly servers?: readonly ServerVariable[]
}

/** The variable that holds the beginning of a server's addresses. */
export interface ServerVariable {
  readonly origin: string
  readonly variable: string
}

/** Writes an address, its beginning by the variable of its server where it has one. */
export function addressPieces(text: string, servers: readonly ServerVariable[] = []): Piece[] {
  const found = servers.find(({ origin }) => text === origin || text.startsWith(`${origin}/`))
  return found === undefined ? [text] : [{ variable: found.variable }, text.slice(found.origin.length)]
}

/** The characters that replace a masked secret. */
const MASK = /[•…]/

const environment: Readonly<Record<string, string>> = {
  password: 'OAUTH_PASSWORD',
  client_secret: 'OAUTH_CLIENT_SECRET',
  client_password: 'OAUTH_CLIENT_SECRET',
}

/** The environment variable for the secret in a parameter. */
function secretVariable(name: string, { owner }: Pick<CurlContext, 'owner'>): string {
  if (owner === 'attacker' && name === 'password') return 'OAUTH_ATTACKER_PASSWORD'
  if (Object.hasOwn(environment, name)) return environment[name]!
  return `OAUTH_${name.toUpperCase().replace(/\W/g, '_')}`
}

function sourceOf(name: string, value: string, context: CurlContext): Source | undefined {
  const known = context.source(name, value)
  if (known !== undefined || value === '') return known
  // Good for one request: sent again, the recorded one would only be refused.
  if (['assertion', 'client_assertion', 'request', 'otp'].includes(name))
    return secret(secretVariable(name, context), context)
  const hidden = MASK.test(value) || (!context.showSecrets && isSecretName(name))
  return hidden && isSecretName(name) ? secret(secretVariable(name, context), context) : undefined
}

function secret(variable: string, { secrets }: CurlContext): Source {
  secrets?.add(variable)
  return { variable, encoded: false }
}

/** Everything but printable ASCII percent-encoded; what is encoded already stays. */
function printable(text: string): string {
  return text.toWellFormed().replace(/[^\x21-\x7e]+/g, percentEncode)
}

const simple = /^[\w.~-]+$/

function formArguments(body: string, context: CurlContext): string[] {
  if (body === '') return ["--data ''"]
  return body.split('&').map(part => {
    const [pair] = readPairs(part)
    if (pair === undefined || !simple.test(pair[0])) {
      // A leading @ would name a file.
      return `--data ${shellWord(printable(part).replace(/^@/, '%40'))}`
    }
    const [name, value] = pair
    const source = sourceOf(name, value, context)
    if (source) return `--data${source.encoded ? '' : '-urlencode'} ${shellWord(`${name}=`, source)}`
    if (/^[\x20-\x7e]*$/.test(value)) return `--data-urlencode ${shellWord(`${name}=${value}`)}`
    return `--data ${shellWord(`${name}=${percentEncode(value)}`)}`
  })
}

function address(url: string, { servers }: CurlContext): Piece[] {
  return addressPieces(printable(url), servers)
}

function urlPieces(url: string, context: CurlContext): Piece[] {
  if (context.url !== undefined) return [context.url]
  const [before = ''] = url.split(/[?#]/, 1)
  const { query } = splitUrl(url)
  const pieces = address(before, context)
  for (const [i, part] of (query === '' ? [] : query.split('&')).entries()) {
    const [name, value] = readPairs(part)[0] ?? ['', '']
    const source = name === '' ? undefined : sourceOf(name, value, context)
    const sign = i === 0 ? '?' : '&'
    if (source && simple.test(name)) pieces.push(`${sign}${name}=`, source)
    else pieces.push(`${sign}${printable(part)}`)
  }
  return joined(pieces)
}

function authorizationArgument(value: string, context: CurlContext): string {
  const [, scheme = '', credentials = ''] = /^(\S+)\s+(.*)$/.exec(value) ?? []
  const masked = MASK.test(value) || !context.showSecrets
  const whole = context.source('authorization', value)
  if (whole) return `-H ${shellWord('authorization: ', whole)}`
  const token = context.source('access_token', credentials)
  if (token) return `-H ${shellWord(`authorization: ${printable(scheme)} `, token)}`
  if (!masked) return `-H ${shellWord(`authorization: ${value}`)}`
  if (/^bearer$/i.test(scheme)) {
    return `-H ${shellWord(`authorization: ${scheme} `, secret('OAUTH_ACCESS_TOKEN', context))}`
  }
  if (!/^basic$/i.test(scheme)) {
    return `-H ${shellWord('authorization: ', secret('OAUTH_AUTHORIZATION', context))}`
  }
  const pair = Buffer.from(credentials.split('•', 1)[0]!, 'base64').toString('utf8')
  const { variable } = secret('OAUTH_CLIENT_SECRET', context)
  return `-u ${shellWord(`${pair.split(':', 1)[0]}:`, { variable: context.basicSecret ?? variable })}`
}

/** Headers that curl writes itself, or that belong to the recorded connection and jar. */
const leftOut =
  /^(host|connection|content-length|transfer-encoding|accept-encoding|user-agent|cookie|referer)$/i

function headerArguments({ headers }: Exchange['request'], form: boolean, context: CurlContext): string[] {
  return headers.flatMap(([name, value]) => {
    if (leftOut.test(name) || !/^[\w!#$%&'*+.^`|~-]+$/.test(name)) return []
    if (/^authorization$/i.test(name)) return [authorizationArgument(value, context)]
    if (form && /^content-type$/i.test(name)) return []
    const made = /^dpop$/i.test(name) ? context.source('dpop', value) : undefined
    if (made) return [`-H ${shellWord('dpop: ', made)}`]
    if (/^origin$/i.test(name))
      return [`-H ${shellWord(...joined([`${name}: `, ...address(value, context)]))}`]
    return [`-H ${shellWord(`${name}: ${value}`)}`]
  })
}

function methodArguments({ method, body }: Exchange['request'], posts: boolean): string[] {
  if (method === 'HEAD') return ['--head']
  if (method === (posts ? 'POST' : 'GET') && (posts || body === '')) return []
  return [`-X ${shellWord(method)}`]
}

/** The arguments of curl that send a recorded request again, one or two words each. */
export function curlArguments(exchange: Exchange, context: CurlContext): string[] {
  const { request } = exchange
  const form = mediaType(request) === 'application/x-www-form-urlencoded'
  const posts = request.body !== '' || request.method === 'POST'
  const data = () => {
    if (form || request.body === '') return formArguments(request.body, context)
    const shown = context.showSecrets ? request : maskExchange(exchange, 'all').request
    return [`--data-raw ${shellWord(shown.body)}`]
  }
  return [
    ...methodArguments(request, posts),
    ...headerArguments(request, form, context),
    ...(posts ? data() : []),
    `--url ${shellWord(...urlPieces(request.url, context))}`,
  ]
}

/** True for a server on this machine, which has the certificate of the lab. */
export function isLocal(origin: string): boolean {
  return /^https:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/i.test(origin)
}

/**
 * One exchange as a curl command. Secrets are environment variables (`OAUTH_CLIENT_SECRET`, …) unless they are to be
 * shown.
 */
export function curlCommand(exchange: Exchange, { showSecrets }: { readonly showSecrets: boolean }): string {
  const ca = isLocal(splitUrl(exchange.request.url).origin) ? ['--cacert "$(oauth-lab ca path)"'] : []
  const words = curlArguments(exchange, { showSecrets, source: () => undefined })
  return ['curl --globoff', ...ca, ...words].join(' \\\n  ')
}
