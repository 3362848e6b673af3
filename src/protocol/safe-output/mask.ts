import type { Exchange } from '../http/exchange.js'
import type { Header, HeaderList } from '../http/message.js'
import { withoutEnd } from '../values.js'
import { secretKind } from './secret-names.js'

/**
 * The values that are hidden when exchanges are shown.
 * - `all` (text output and screens): passwords, one-time codes, client secrets, cookies, csrf values, codes, verifiers and tokens.
 * - `lasting` (`--json`): only what outlives the flow, so passwords, one-time codes, client secrets, cookies and csrf values. Codes
 * and tokens are the flow's result and stay whole.
 * - `none` (`--show-secrets`).
 */
export type Masking = 'all' | 'lasting' | 'none'

const DOTS = '•••••••••'

/** The beginning of a JWT, such as a response with a code in it (JARM). */
const JWT = /^ey[\w-]+\./

/** A value of which a mask left the two ends or nothing, in its signs or in those of an ASCII export (HAR). */
const CUT = /^(?:.{4}(?:…|\.{3}).{3}|…|\.{3}|[•*]{9})$/s

/** True for a value that a mask hid: of an exchange, of the events of a lab, or of an export. Nobody can say what it was. */
export const isCut = (value: string): boolean => CUT.test(value)

/** A token, code or verifier with its middle cut out: `k3V9…Qm1`. Short ones are hidden whole. */
export function maskValue(value: string): string {
  if (value.includes('…') && isCut(value)) return value
  return value.length < 12 ? DOTS : `${value.slice(0, 4)}…${value.slice(-3)}`.toWellFormed()
}

/** The value to show for a parameter or member called `name`. */
export function masked(name: string, value: string, masking: Masking = 'all'): string {
  if (masking === 'none' || value === '') return value
  const kind = secretKind(name)
  if (kind === 'lasting') return DOTS
  const isSecret =
    kind === 'flow' ||
    (name === 'response' && JWT.test(value)) ||
    // A pushed request (RFC 9126); an address is no secret.
    (name === 'request_uri' && /^urn(?::|%3a)/i.test(value))
  return masking === 'all' && isSecret ? maskValue(value) : value
}

/** A name, its mark and its value, such as `code=x` or `"code": "x"`. The value is no name of a secret, whose own value follows. */
const ASSIGNED =
  /\b([\w-]{3,30})(=>?\\?["']?|\\?["']?(?::|=>) ?\\?["']?)(?!(?:\w{1,20}_)?(?:token|code|secret|password|assertion|cookie): )([^\s&"',;\\]{6,})/g

/** A sentence of a server, or a line of a log, with the tokens and the secret parameters in it hidden. */
export function maskText(text: string): string {
  return text
    .replace(/\bey[\w-]{8,}\.[\w.-]+/g, maskValue)
    .replace(/\b(bearer|dpop|basic) +([\w.~+/-]{8,}=*)/gi, (_, scheme: string, value: string) =>
      /^basic$/i.test(scheme) ? `${scheme} ${DOTS}` : `${scheme} ${maskValue(value)}`,
    )
    .replace(ASSIGNED, (all, name: string, mark: string, value: string) =>
      /^: ?["']?$/.test(mark) && isProse(name, value) ? all : `${name}${mark}${masked(name, value)}`,
    )
}

/** Names behind whose colon a sentence may go on. */
const TALKED_OF = /(?:^|_)(?:jwt|bearer|credentials?|code|token|assertion|ticket|cookie)$/i

/** The next error of a chain, its class, or the answer that had it: `oauth2:`, `OAuth2::Error`, `HTTP/1.1`. */
const NEXT_ERROR = /^(?:[[{(]?[A-Za-z_.]{2,24}\d?\]?:|\w+(?:::\w+)+|HTTP\/[\d.]+)$/

/** True where a sentence or the next error goes on behind a colon: `cannot decode the Jwt: Signed JWT rejected`, `failed to get token: oauth2: expired`. */
const isProse = (name: string, value: string): boolean =>
  (/(?:Error|Exception)$/.test(name) && /^(?:[A-Za-z_.]+:?|AADSTS\d+:)$/.test(value)) ||
  (TALKED_OF.test(name) &&
    (NEXT_ERROR.test(value) || (!name.includes('_') && /^[A-Z]?[a-z]+(?:_[a-z]+)*\.?$/.test(value))))

/** A form or query as it was written, secret values hidden. */
function maskForm(form: string, masking: Masking): string {
  return form
    .split('&')
    .map(part => {
      const mark = part.indexOf('=')
      if (mark < 0) return part
      const name = part.slice(0, mark)
      return `${name}=${masked(name, part.slice(mark + 1), masking)}`
    })
    .join('&')
}

/** A URL with the secret values of its query and fragment hidden. */
export function maskUrl(url: string, masking: Masking): string {
  if (masking === 'none') return url
  const [, before = '', query = '', fragment = ''] = /^([^?#]*)(\?[^#]*)?(#.*)?$/s.exec(url) ?? []
  return (
    before +
    (query && `?${maskForm(query.slice(1), masking)}`) +
    (fragment && `#${maskForm(fragment.slice(1), masking)}`)
  )
}

/** The beginning of a Basic value up to the client's name stays, as in `Basic ZGVtbzo•••••••••`. */
function maskBasic(encoded: string): string {
  const pair = Buffer.from(encoded, 'base64').toString('latin1')
  const name = pair.slice(0, pair.indexOf(':') + 1)
  return withoutEnd(Buffer.from(name, 'latin1').toString('base64'), '=') + DOTS
}

function maskAuthorization(value: string, masking: Masking): string {
  const [, scheme = '', credentials = ''] = /^(\S+)\s+(.*)$/.exec(value) ?? []
  if (scheme === '') return DOTS
  if (/^basic$/i.test(scheme)) return `${scheme} ${maskBasic(credentials)}`
  // A MAC is used up once it was sent; its id is a token without worth of its own.
  if (/^mac$/i.test(scheme)) return value
  if (!/^(bearer|dpop)$/i.test(scheme)) return `${scheme} ${DOTS}`
  return masking === 'all' ? `${scheme} ${maskValue(credentials)}` : value
}

function maskHeader([name, value]: Header, masking: Masking): Header {
  switch (name.toLowerCase()) {
    case 'authorization':
    case 'proxy-authorization':
      return [name, maskAuthorization(value, masking)]
    case 'x-auth-key':
      return [name, DOTS]
    case 'cookie':
      return [name, value.replace(/=[^;]*/g, `=${DOTS}`)]
    case 'set-cookie':
      return [name, value.replace(/=[^;]*/, `=${DOTS}`)]
    case 'location':
    case 'referer':
      return [name, maskUrl(value, masking)]
    default:
      return [name, value]
  }
}

/** Headers with their secrets hidden. */
export function maskHeaders(headers: HeaderList, masking: Masking): HeaderList {
  return masking === 'none' ? headers : headers.map(header => maskHeader(header, masking))
}

/** The string members of a JSON text, its layout kept. */
function maskJson(body: string, masking: Masking): string {
  return body.replace(
    /"([^"\\]*)"(\s*:\s*)"((?:[^"\\]|\\.)*)"/g,
    (_whole, name: string, colon: string, value: string) =>
      `"${name}"${colon}"${masked(name, value, masking)}"`,
  )
}

/** The values of secret fields in a page. */
function maskPage(body: string, masking: Masking): string {
  return body.replace(/<input\b[^<>]*>/gi, tag => {
    const name = /\bname\s{0,9}=\s{0,9}["']?([^"'\s>]*)/i.exec(tag)?.[1] ?? ''
    return tag.replace(
      /(\bvalue\s{0,9}=\s{0,9})(?:"([^"]*)"|'([^']*)'|([^\s>"']+))/i,
      (all, start: string, ...values: (string | undefined)[]) => {
        const value = values.slice(0, 3).find(each => each !== undefined) ?? ''
        const shown = masked(name, value, masking)
        return shown === value ? all : `${start}"${shown}"`
      },
    )
  })
}

function maskBody(headers: HeaderList, body: string, masking: Masking): string {
  const type = headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? ''
  if (/x-www-form-urlencoded/i.test(type)) return maskForm(body, masking)
  if (/[/+]json\b/i.test(type)) return maskJson(body, masking)
  return /html/i.test(type) ? maskPage(body, masking) : body
}

/** An exchange with its secrets hidden. Sizes and times stay those of what travelled. */
export function maskExchange(exchange: Exchange, masking: Masking): Exchange {
  if (masking === 'none') return exchange
  const { request, response } = exchange
  return {
    ...exchange,
    request: {
      ...request,
      url: maskUrl(request.url, masking),
      headers: maskHeaders(request.headers, masking),
      body: maskBody(request.headers, request.body, masking),
    },
    ...(response && {
      response: {
        ...response,
        headers: maskHeaders(response.headers, masking),
        body: maskBody(response.headers, response.body, masking),
      },
    }),
  }
}
