import type { ProbeName } from '../model.js'

/** The checks of the client of the course, by the number of the lesson that adds each, with the probe that proves it. */
export const CHECKS = {
  login: { lesson: 2, probe: 'access-token' },
  redirect: { lesson: 3, probe: 'redirect' },
  state: { lesson: 4, probe: 'state' },
  pkce: { lesson: 5, probe: 'pkce' },
  once: { lesson: 6, probe: 'one-use' },
  userinfo: { lesson: 7, probe: 'opaque' },
  secret: { lesson: 8, probe: 'secret' },
  scope: { lesson: 9, probe: 'scope' },
  resource: { lesson: 11, probe: 'audience' },
  refresh: { lesson: 12, probe: 'rotation' },
  revoke: { lesson: 13, probe: 'logout' },
  nonce: { lesson: 14, probe: 'nonce' },
} as const satisfies Readonly<Record<string, { readonly lesson: number; readonly probe: ProbeName }>>

/** The name of a check. */
export type CheckName = keyof typeof CHECKS

/** The checks that a client has learnt. */
export type Learnt = Readonly<Record<CheckName, boolean>>

/** The checks that were added before a lesson. */
export function learntBefore(lesson: number): Learnt {
  const entries = Object.entries(CHECKS).map(([name, each]) => [name, lesson > each.lesson])
  return Object.fromEntries(entries) as Learnt
}

/** The lines of a client with these checks. */
export type Parts = (learnt: Learnt) => readonly string[]

/** Lines that stand in a client when it has learnt their check. */
export const when = (learnt: boolean, ...lines: readonly string[]): readonly string[] => (learnt ? lines : [])
