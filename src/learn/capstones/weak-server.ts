import { HIDDEN, type ShownWeak, type WeakName } from '../../protocol/rules/weak-modes.js'
import { drawsOf } from './draw.js'
import type { Quiz } from './quiz.js'

/**
 * Weak modes that can be found from outside with the tools of the course, by site. `consent-skipped` is named by an event;
 * the modes that are left out need a program, a second account or a second server.
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

/** Three missing defences, one of each site, so that none hides another. */
export function missingDefences(seed: number): readonly WeakName[] {
  const draw = drawsOf(seed, 'server')
  return FINDABLE.map(names => draw.one<WeakName>(names))
}

/** The doctor shows these modes as faults. */
const EXAMINABLE = [
  ['redirect-prefix', 'redirect-any', 'code-reuse', 'code-not-bound', 'pkce-ignored'],
  ['alg-none', 'hs-rs', 'any-audience', 'id-token-as-access-token'],
] as const satisfies readonly (readonly WeakName[])[]

/** Two missing defences of a lesson, one of each site. */
export function examinedDefences(seed: number): readonly WeakName[] {
  const draw = drawsOf(seed, 'examine')
  return EXAMINABLE.map(names => draw.one<WeakName>(names))
}

/** A lab with these modes does not name them. */
export const hiddenModes = (names: readonly WeakName[]): readonly ShownWeak[] => [HIDDEN, ...names]

export const defenceQuiz = (names: readonly WeakName[]): Quiz =>
  names.map(name => ({ key: name, right: [name] }))

export function serverQuiz(seed: number): Quiz {
  return defenceQuiz(missingDefences(seed))
}
