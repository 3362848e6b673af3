import { isIP, type LookupFunction } from 'node:net'

/** Returns the addresses to connect to in place of those of a name; undefined where the system resolves the name. */
export type Resolve = (host: string, port: number) => readonly string[] | undefined

/** Makes a lookup that answers fixed addresses for any name. */
function fixedLookup(addresses: readonly string[]): LookupFunction {
  const found = addresses.map(address => ({ address, family: isIP(address) }))
  return (_name, options, done) => {
    const [first] = found
    if (options.all) done(null, [...found])
    else done(null, first?.address ?? '', first?.family)
  }
}

/** Returns the lookup for a connection; undefined where the system resolves the name. */
export function lookupFor(
  resolve: Resolve | undefined,
  host: string,
  port: number,
): LookupFunction | undefined {
  const addresses = resolve?.(host, port)
  return addresses && fixedLookup(addresses)
}
