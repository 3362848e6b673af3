import { learntBefore, type Parts } from './checks.js'
import { go } from './go.js'
import { javascript } from './javascript.js'
import { python } from './python.js'
import { shell } from './shell.js'

/** A language that the client is written in. */
export interface Skeleton {
  readonly file: string
  /** The command that runs it. */
  readonly command: readonly string[]
  readonly lines: Parts
}

/** The client in each language. */
export const SKELETONS = {
  javascript: { file: 'client.mjs', command: ['node', 'client.mjs'], lines: javascript },
  python: { file: 'client.py', command: ['python3', 'client.py'], lines: python },
  shell: { file: 'client.sh', command: ['sh', 'client.sh'], lines: shell },
  go: { file: 'client.go', command: ['go', 'run', 'client.go'], lines: go },
} as const satisfies Readonly<Record<string, Skeleton>>

/** The name of a language. */
export type SkeletonName = keyof typeof SKELETONS

/** The languages, for options. */
export const SKELETON_NAMES = Object.keys(SKELETONS) as SkeletonName[]

/**
 * The text of the client as it is at the start of a lesson.
 * @param lesson number of the lesson: the checks of the lessons before it are there
 */
export function skeletonText(name: SkeletonName, lesson: number): string {
  return `${SKELETONS[name].lines(learntBefore(lesson)).join('\n')}\n`
}
