import type { WeakNameAt } from '../../rules/weak-modes.js'
import { type Defences, STRICT } from '../defences.js'
import { matchAny, matchPrefix } from './redirect-uris.js'

/** The functions that each weak mode puts in the place of strict ones. Of two for one place the later one counts. */
const REPLACED: Readonly<Record<WeakNameAt<'authorization-server'>, Partial<Defences>>> = {
  'redirect-prefix': { matchRedirectUri: matchPrefix },
  'redirect-any': { matchRedirectUri: matchAny },
  'no-iss': {
    namedIssuer: () => undefined,
    describe: metadata => ({ ...metadata, authorization_response_iss_parameter_supported: false }),
  },
}

/** Returns the defences of a server with these weak modes. */
export function weakDefences(names: readonly WeakNameAt<'authorization-server'>[]): Defences {
  const replaced = Object.entries(REPLACED)
    .filter(([name]) => names.some(each => each === name))
    .map(([, members]) => members)
  const described = replaced.flatMap(({ describe }) => describe ?? [])
  const describe: Defences['describe'] = strict =>
    described.reduce((metadata, next) => next(metadata), strict)
  return Object.assign({}, STRICT, ...replaced, { describe })
}
