import type { FaultName } from './capstones/client/faults.js'
import { contentText } from './content.js'
import type { ProbeName } from './model.js'

/** Checks of the client of the course, by the lesson that adds each, with the probe that proves it. */
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

/** Its file, and the command that runs it. */
export const SKELETONS = {
  javascript: { file: 'client.mjs', command: ['node', 'client.mjs'] },
  python: { file: 'client.py', command: ['python3', 'client.py'] },
  shell: { file: 'client.sh', command: ['sh', 'client.sh'] },
  go: { file: 'client.go', command: ['go', 'run', 'client.go'] },
} as const

export type SkeletonName = keyof typeof SKELETONS

export const SKELETON_NAMES = Object.keys(SKELETONS) as SkeletonName[]

/** A line that begins with `{state,!pkce} ` stands in a text with the first name and without the second one. */
const CONDITION = /^\{([!a-z,-]+)\} ?/

/** The lines of a skeleton that stand in a text with these names. */
async function textWith(names: readonly string[], skeleton: string): Promise<string> {
  const stands = (condition: string) =>
    condition.startsWith('!') ? !names.includes(condition.slice(1)) : names.includes(condition)
  const lines = (await contentText(`skeletons/${skeleton}.txt`)).split('\n').flatMap(line => {
    const conditions = CONDITION.exec(line)?.[1]?.split(',') ?? []
    return conditions.every(stands) ? line.replace(CONDITION, '') : []
  })
  return lines.join('\n')
}

/** The client at the start of a lesson, with the checks of the lessons before. */
export const skeletonText = (name: SkeletonName, lesson: number): Promise<string> =>
  textWith(
    Object.entries(CHECKS).flatMap(([check, each]) => (lesson > each.lesson ? check : [])),
    name,
  )

const LAST = Math.max(...Object.values(CHECKS).map(({ lesson }) => lesson)) + 1

/** Returns true for a client as this program writes it for a later lesson: its check is not the learner's work. */
export async function isWritten(text: string, lesson: number): Promise<boolean> {
  for (let later = lesson + 1; later <= LAST; later++) {
    for (const name of SKELETON_NAMES) if ((await skeletonText(name, later)) === text) return true
  }
  return false
}

/** The client of the capstone with these faults, in JavaScript for Node.js without packages. */
export const clientText = (faults: readonly FaultName[]): Promise<string> => textWith(faults, 'capstone')
