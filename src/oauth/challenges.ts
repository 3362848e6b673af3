/** A scheme that a server demands in WWW-Authenticate (RFC 9110 §11.6.1). */
export interface Challenge {
  /** As it was written: `Bearer`. */
  readonly scheme: string
  /** By name in lower case; of a repeated one the first. */
  readonly parameters: Readonly<Record<string, string>>
}

/** More challenges, or more parameters, than any server needs are not read. */
const MAX_PIECES = 100

const token = "[!#$%&'*+\\-.^_`|~0-9A-Za-z]+"
const blank = /[ \t,]*/y
const parameter = new RegExp(`(${token})[ \\t]*=[ \\t]*(?:"((?:[^"\\\\]|\\\\.)*)"|(${token}))`, 'y')
const scheme = new RegExp(`(${token})(?:[ \\t]+(?=[^ \\t,])|(?=[ \\t]*(?:,|$)))`, 'y')
const token68 = /[A-Za-z0-9\-._~+/]+=*(?=[ \t]*(?:,|$))/y

/**
 * Reads WWW-Authenticate headers: several challenges may share one header, with commas between them as between
 * their parameters (RFC 9110 §11.6.1). What cannot be read ends its header.
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
    // A scheme may take one value without a name instead of parameters.
    take(token68)
  }
  return found
}

/** The challenge of a scheme; the scheme's case means nothing. */
export function challengeFor(name: string, challenges: readonly Challenge[]): Challenge | undefined {
  return challenges.find(each => each.scheme.toLowerCase() === name.toLowerCase())
}
