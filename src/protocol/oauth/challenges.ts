import type { Exchange } from '../http/exchange.js'
import { header } from '../http/message.js'

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
