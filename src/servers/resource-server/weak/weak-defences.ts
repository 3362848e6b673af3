import type { WeakNameAt } from '../../../protocol/rules/weak-modes.js'
import { type Defences, STRICT } from '../defences.js'
import { acceptingNone, confusingAlgorithms, readingKeyFiles } from './signatures.js'

/** Returns a check of claims without the checks of one name. */
const withoutCheck =
  (name: string, checkAccessClaims: Defences['checkAccessClaims']): Defences['checkAccessClaims'] =>
  (...given) =>
    checkAccessClaims(...given).filter(each => each.name !== name)

/** An ID token has no scope of its own: taken for an access token, it allows everything. */
const scopeOfAnyone: Defences['requireScope'] = (token, needed) => {
  const { scope, scp } = token.claims
  if (scope !== undefined || scp !== undefined) STRICT.requireScope(token, needed)
}

/** The members that each weak mode puts in the place of those before it. */
const REPLACED: Readonly<Record<WeakNameAt<'resource-server'>, (before: Defences) => Partial<Defences>>> = {
  'alg-none': ({ verifyJwt }) => ({ verifyJwt: acceptingNone(verifyJwt) }),
  'hs-rs': ({ verifyJwt }) => ({ verifyJwt: confusingAlgorithms(verifyJwt) }),
  'kid-path': ({ verifyJwt }) => ({ verifyJwt: readingKeyFiles(verifyJwt) }),
  'any-audience': ({ checkAccessClaims }) => ({ checkAccessClaims: withoutCheck('aud', checkAccessClaims) }),
  'id-token-as-access-token': ({ checkKind }) => ({
    checkKind: token => checkKind(token).filter(({ name }) => name !== 'use'),
    requireScope: scopeOfAnyone,
  }),
  'no-expiry': ({ checkAccessClaims }) => ({ checkAccessClaims: withoutCheck('exp', checkAccessClaims) }),
  'bearer-for-dpop': () => ({ checkBearer: () => {} }),
}

/** Returns the defences of a resource server with these weak modes. */
export function weakDefences(names: readonly WeakNameAt<'resource-server'>[]): Defences {
  let defences = STRICT
  for (const name of names) defences = { ...defences, ...REPLACED[name](defences) }
  return defences
}
