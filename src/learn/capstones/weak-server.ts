import { HIDDEN, type ShownWeak, type WeakName } from '../../protocol/rules/weak-modes.js'
import { drawsOf } from './draw.js'
import type { Quiz } from './quiz.js'

/**
 * The weak modes that can be found from outside with the tools of the course, by site. Left out: `consent-skipped`, which
 * an event names; `no-mask` and `saml-wrapping`, which need a program of their own; and the modes of the client that need
 * a second account or a second server.
 */
const FINDABLE = [
  [
    'redirect-prefix',
    'redirect-any',
    'code-reuse',
    'code-not-bound',
    'pkce-ignored',
    'plain-downgrade',
    'no-iss',
    'no-rotation',
    'framable',
    'referrer',
    'device-no-warning',
  ],
  ['alg-none', 'hs-rs', 'any-audience', 'id-token-as-access-token', 'no-expiry', 'bearer-for-dpop'],
  ['no-state', 'no-nonce', 'token-in-url', 'implicit-login', 'open-redirect'],
] as const satisfies readonly (readonly WeakName[])[]

/** Returns the three defences that the server of a seed does not have: one of each site, so that none hides another. */
export function missingDefences(seed: number): readonly WeakName[] {
  const draw = drawsOf(seed, 'server')
  return FINDABLE.map(names => draw.one<WeakName>(names))
}

/** The weak modes that an examination by the doctor shows as faults, by site. */
const EXAMINABLE = [
  ['redirect-prefix', 'redirect-any', 'code-reuse', 'code-not-bound', 'pkce-ignored'],
  ['alg-none', 'hs-rs', 'any-audience', 'id-token-as-access-token'],
] as const satisfies readonly (readonly WeakName[])[]

/** Returns the two defences that the server of a lesson does not have: one of each site. */
export function examinedDefences(seed: number): readonly WeakName[] {
  const draw = drawsOf(seed, 'examine')
  return EXAMINABLE.map(names => draw.one<WeakName>(names))
}

/** The weak modes of a lab that does not name them. */
export const hiddenModes = (names: readonly WeakName[]): readonly ShownWeak[] => [HIDDEN, ...names]

/** A question for each missing defence. */
export const defenceQuiz = (names: readonly WeakName[]): Quiz =>
  names.map(name => ({ key: name, right: [name] }))

/** The questions of the capstone: one for each missing defence. */
export function serverQuiz(seed: number): Quiz {
  return defenceQuiz(missingDefences(seed))
}
