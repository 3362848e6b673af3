import { CAPSTONE_NAMES } from '../capstones/capstone.js'

type Test = (value: unknown) => boolean

const isText: Test = value => typeof value === 'string'
const isCount: Test = value => Number.isSafeInteger(value) && (value as number) >= 0
const isTime: Test = value => isText(value) && !Number.isNaN(Date.parse(value as string))
const isFlag: Test = value => typeof value === 'boolean'
const listOf =
  (test: Test): Test =>
  value =>
    Array.isArray(value) && value.every(test)
const optional =
  (test: Test): Test =>
  value =>
    value === undefined || test(value)

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const mapOf =
  (test: Test): Test =>
  value =>
    isObject(value) && Object.values(value).every(test)
const shape =
  (members: Readonly<Record<string, Test>>): Test =>
  value =>
    isObject(value) && Object.entries(members).every(([name, test]) => test(value[name]))

const isMark = shape({ generation: isCount, offset: isCount })
const isEvent = shape({ type: isText, at: isText, lab: isText })
const isRun = shape({ finished: isFlag, expected: isText, received: isText, wrong: optional(isText) })
const isReport = shape({ probe: isText, runs: listOf(isRun), failed: optional(isText) })

const isTask = shape({
  // A test marks earlier tasks with a word.
  doneAt: optional(isText),
  hints: isCount,
  solution: isFlag,
  answers: listOf(isText),
  events: listOf(isEvent),
  probe: optional(isReport),
})

const isLesson = shape({
  title: isText,
  startedAt: isTime,
  doneAt: optional(isTime),
  prediction: optional(isText),
  since: optional(isMark),
  seed: optional(isCount),
  tasks: mapOf(isTask),
  reviews: listOf(isTime),
})

const started = {
  lesson: isText,
  mark: isMark,
  client: isText,
  user: isText,
  folder: optional(isText),
}
const isCurrent = shape({ ...started, review: optional(isText), before: optional(shape(started)) })

const isCapstone = shape({
  seed: isCount,
  startedAt: isTime,
  doneAt: optional(isTime),
  file: optional(isText),
  found: listOf(isText),
  falseAlarms: listOf(isText),
  failedChecks: isCount,
})

/** Members of later versions do no harm. */
export const hasProgressShape = shape({
  version: value => value === 1,
  current: optional(isCurrent),
  lessons: mapOf(isLesson),
  capstone: optional(value => CAPSTONE_NAMES.some(each => each === value)),
  capstones: optional(mapOf(isCapstone)),
})
