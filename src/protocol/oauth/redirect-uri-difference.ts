import { parseLoopback, type RedirectUriRules } from './redirect-uri.js'

/** A part of an address. `case` and `slash`: the addresses differ in capitals, or in the slash at the end of the path. */
export type AddressPart = 'scheme' | 'host' | 'port' | 'path' | 'query' | 'case' | 'slash'

/** A part in which two addresses differ, with both texts. */
export interface PartDifference {
  readonly part: AddressPart
  readonly sent: string
  readonly registered: string
}

/** The registered address that comes closest to the sent one, and the parts in which the two differ. */
export interface AddressDifference {
  readonly closest: string
  readonly differences: readonly PartDifference[]
}

/** The parts of an address, byte for byte. A parser of URLs would hide differences that count here. */
function split(uri: string) {
  const [, scheme = '', authority = '', path = '', query = ''] =
    /^([^:/?]*):(?:\/\/([^/?]*))?([^?]*)(.*)$/s.exec(uri) ?? []
  const [, host = authority, port = ''] = /^(.*?)(?::(\d*))?$/s.exec(authority) ?? []
  return { scheme, host, port, path, query }
}

/** How much a difference counts: another host is further away than another port. */
const WEIGHTS: Readonly<Record<AddressPart, number>> = {
  host: 8,
  scheme: 4,
  path: 3,
  query: 2,
  port: 2,
  slash: 1,
  case: 1,
}

function kindOf(part: AddressPart, sent: string, registered: string): AddressPart {
  if (sent.toLowerCase() === registered.toLowerCase()) return 'case'
  return part === 'path' && sent.replace(/\/$/, '') === registered.replace(/\/$/, '') ? 'slash' : part
}

function differencesOf(sent: string, registered: string, rules: RedirectUriRules): PartDifference[] {
  const [a, b] = [split(sent), split(registered)]
  const anyPort = parseLoopback(registered, rules) !== undefined
  return (['scheme', 'host', 'port', 'path', 'query'] as const)
    .filter(part => a[part] !== b[part] && !(part === 'port' && anyPort))
    .map(part => ({ part: kindOf(part, a[part], b[part]), sent: a[part], registered: b[part] }))
}

/** Compares an address that matches none of the registered ones with the closest. Undefined: none is registered. */
export function compareRedirectUri(
  sent: string,
  registered: readonly string[],
  rules: RedirectUriRules,
): AddressDifference | undefined {
  const distance = (differences: readonly PartDifference[]) =>
    differences.reduce((sum, { part }) => sum + WEIGHTS[part], 0)
  return registered
    .map(closest => ({ closest, differences: differencesOf(sent, closest, rules) }))
    .sort((a, b) => distance(a.differences) - distance(b.differences))[0]
}

const names: Readonly<Record<AddressPart, string>> = {
  scheme: 'the scheme',
  host: 'the host',
  port: 'the port',
  path: 'the path',
  query: 'the query',
  case: 'capitals and small letters',
  slash: 'the slash at the end of the path',
}

/** Describes a difference for a person, such as `the port: 9876, registered is 80`. */
export function describeDifference({ part, sent, registered }: PartDifference): string {
  const text = (value: string) => (value === '' ? 'none' : value)
  return `${names[part]}: ${text(sent)}, registered is ${text(registered)}`
}
