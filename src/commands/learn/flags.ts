import type { CourseName } from '../../learn/courses.js'
import type { SkeletonName } from '../../learn/skeleton/skeletons.js'

/** The options of every subcommand of `learn`. */
export interface LearnFlags {
  readonly lessons?: string
  readonly learner?: string
  readonly plain?: true
  readonly screenReader?: true
  readonly course?: CourseName
}

/** The options of `learn start`. */
export interface StartFlags extends LearnFlags {
  readonly client?: string
  readonly user?: string
  readonly watch?: boolean
  /** The seed of a capstone, or of a lesson that hides something. */
  readonly seed?: number
  /** True to begin a capstone again. */
  readonly reset?: true
}

/** The options of `learn check`. */
export interface CheckFlags extends LearnFlags {
  readonly answer?: string
  readonly watch?: boolean
}

/** The options of `learn new`. */
export interface NewFlags extends LearnFlags {
  readonly language: SkeletonName
  readonly lesson?: string
  readonly output?: string
}
