import type { Exchange } from '../http/exchange.js'
import { readPairs } from '../http/form.js'
import { type HttpRequest, header, mediaType, splitUrl, text } from '../http/message.js'
import type { Citation } from '../rules/rule.js'
import { describable } from './oauth-error.js'

/** The content of a request's Authorization header. */
export type PresentedToken =
  | { readonly kind: 'none' }
  | { readonly kind: 'malformed'; readonly problem: string }
  | { readonly kind: 'bearer'; readonly token: string }

/**
 * Reads `Authorization: Bearer b64token` (RFC 6750 §2.1), or the same with the scheme DPoP (RFC 9449 §7.1). The scheme
 * is case-insensitive (RFC 9110 §11.1).
 */
export function parseBearer(values: readonly string[], wanted: 'Bearer' | 'DPoP' = 'Bearer'): PresentedToken {
  if (values.length === 0) return { kind: 'none' }
  if (values.length > 1) return { kind: 'malformed', problem: 'the Authorization header is repeated' }
  const [scheme = '', ...rest] = values[0]!.trim().split(/ +/)
  if (scheme.toLowerCase() !== wanted.toLowerCase()) return { kind: 'none' }
  const token = rest[0]
  if (rest.length !== 1 || token === undefined || !/^[A-Za-z0-9\-._~+/]+=*$/.test(token)) {
    return { kind: 'malformed', problem: `${wanted} must be followed by one token` }
  }
  return { kind: 'bearer', token }
}

/** Writes a WWW-Authenticate value (RFC 6750 §3), without parameters whose value is undefined. */
export function challenge(
  scheme: string,
  parameters: ReadonlyArray<readonly [name: string, value: string | undefined]>,
): string {
  const written = parameters
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}="${describable(value ?? '')}"`)
  return written.length === 0 ? scheme : `${scheme} ${written.join(', ')}`
}

/** A scheme that a server demands in WWW-Authenticate (RFC 9110 §11.6.1). */
export interface Challenge {
  /** The scheme as it was written, such as `Bearer`. */
  readonly scheme: string
  /** Parameters by name in lower case. The first of repeated parameters counts. */
  readonly parameters: Readonly<Record<string, string>>
}

/** Most challenges of a response, and most parameters of a challenge, that are read. Real servers send fewer. */
const MAX_PIECES = 100

const token = "[!#$%&'*+\\-.^_`|~0-9A-Za-z]+"
const blank = /[ \t,]*/y
const parameter = new RegExp(`(${token})[ \\t]*=[ \\t]*(?:"((?:[^"\\\\]|\\\\.)*)"|(${token}))`, 'y')
const scheme = new RegExp(`(${token})(?:[ \\t]+(?=[^ \\t,])|(?=[ \\t]*(?:,|$)))`, 'y')
const token68 = /[A-Za-z0-9\-._~+/]+=*(?=[ \t]*(?:,|$))/y

/**
 * Reads WWW-Authenticate headers. Challenges may share one header; commas separate both challenges and parameters
 * (RFC 9110 §11.6.1). Reading stops at a malformed part of a header.
 */
export function parseChallenges(values: readonly string[]): Challenge[] {
  return values.flatMap(parseHeader)
}

function parseHeader(value: string): Challenge[] {
  const found: { scheme: string; parameters: Record<string, string> }[] = []
  let at = 0
  const take = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at
    const match = pattern.exec(value)
    if (match !== null) at = pattern.lastIndex
    return match
  }
  for (let pieces = 0; pieces < MAX_PIECES; pieces++) {
    take(blank)
    const current = found.at(-1)
    const read = current && take(parameter)
    if (current && read) {
      const [, name = '', quoted, plain = ''] = read
      const key = name.toLowerCase()
      if (!Object.hasOwn(current.parameters, key)) {
        current.parameters[key] = quoted === undefined ? plain : quoted.replace(/\\(.)/g, '$1')
      }
      continue
    }
    const begun = take(scheme)
    if (begun === null) return found
    found.push({ scheme: begun[1] ?? '', parameters: Object.create(null) as Record<string, string> })
    // Instead of parameters, a scheme may have one value without a name (token68, RFC 9110 §11.2).
    take(token68)
  }
  return found
}

/** Returns the challenge of a scheme, in any case. */
export function challengeFor(name: string, challenges: readonly Challenge[]): Challenge | undefined {
  return challenges.find(each => each.scheme.toLowerCase() === name.toLowerCase())
}

/** True for a 401 without WWW-Authenticate, which does not say what the server asks for (RFC 9110 §11.6.1). */
export function lacksChallenge({ response }: Exchange): boolean {
  return response?.status === 401 && header(response, 'www-authenticate') === undefined
}

/** A place in a request that holds a token. */
interface TokenPlace {
  /** The name of the place, such as `the query`. */
  readonly place: string
  readonly rule: Citation
}

function holdsToken(form: string): boolean {
  // A readable token counts even when the rest of the form cannot be decoded.
  return /(?:^|&)access_token=/.test(form) || readPairs(form).some(([name]) => name === 'access_token')
}

/** Returns the tokens of a request outside of the Authorization header, in the other places of RFC 6750 §2. */
export function otherTokenPlaces(request: HttpRequest): readonly TokenPlace[] {
  const form = mediaType(request) === 'application/x-www-form-urlencoded'
  const places: TokenPlace[] = []
  if (holdsToken(splitUrl(request.url).query)) places.push({ place: 'the query', rule: 'RFC 6750 §2.3' })
  if (form && holdsToken(text(request.body))) places.push({ place: 'the form body', rule: 'RFC 6750 §2.2' })
  return places
}
