import type { Lesson, Option, Task } from '../model.js'
import type { LessonProgress } from './progress.js'
import { type FilledNames, fill, wrap } from './texts.js'

export interface Names extends FilledNames {
  /** Of the terminal, where it has fewer than 76. */
  readonly width?: number
}

/** From 0. */
export const letterOf = (index: number): string => String.fromCharCode(97 + index)

const widthOf = ({ width = 76 }: Names): number => Math.max(20, Math.min(width, 76))

const paragraphs = (texts: readonly string[], names: Names): string[] =>
  texts.flatMap(text =>
    text.startsWith('  ') ? [fill(text, names)] : wrap(fill(text, names), widthOf(names)),
  )

function listed(mark: string, text: string, names: Names): string[] {
  const [first = '', ...more] = wrap(fill(text, names), widthOf(names) - mark.length - 3)
  return [`  ${mark} ${first}`, ...more.map(line => `${' '.repeat(mark.length + 3)}${line}`)]
}

function optionLines(options: readonly Option[], names: Names): string[] {
  return options.flatMap(({ text }, i) => listed(`${letterOf(i)})`, text, names))
}

/** Before the first task. */
export function openingLines(lesson: Lesson, names: Names): string[] {
  const { title, minutes, opening, prediction } = lesson
  const number = Number.parseInt(lesson.name, 10)
  return [
    `Lesson ${number}: ${fill(title, names)} (${minutes} minutes)`,
    '',
    ...paragraphs(opening, names),
    '',
    ...paragraphs([prediction.question], names),
    ...optionLines(prediction.options, names),
  ]
}

/** From 1. */
export const taskNumber = ({ tasks }: Pick<Lesson, 'tasks'>, { name }: Pick<Task, 'name'>): number =>
  tasks.findIndex(each => each.name === name) + 1

export function taskLines(lesson: Lesson, task: Task, names: Names): string[] {
  const number = taskNumber(lesson, task)
  return [`Task ${number} of ${lesson.tasks.length}`, ...paragraphs(task.say, names)]
}

/** The lines to type are to be remembered. */
export function withoutLines(task: Task): Task {
  return {
    ...task,
    say: task.say
      .filter(line => !line.startsWith('  '))
      .map(line => line.replace(/ Type:$/, '').replace(/:$/, '.')),
  }
}

/** A task of an earlier lesson again. The lines to type are to be remembered. */
export function reviewLines(lesson: Lesson, task: Task, names: Names): string[] {
  const asked = withoutLines(task)
  return [
    `Review of ${lesson.name}: ${fill(lesson.title, names)}`,
    '',
    ...taskLines({ ...lesson, tasks: [asked] }, asked, names),
  ]
}

/** The prediction once more, before the explanation says what is right. */
export const againLines = ({ prediction: { question, options } }: Lesson, names: Names): string[] => [
  ...paragraphs([`You have seen it now. ${question}`], names),
  ...optionLines(options, names),
]

type Answers = Pick<LessonProgress, 'prediction' | 'predictedAgain'>

/** The answers to a prediction beside the right one. */
interface Predicted {
  /** Index of the right option. */
  readonly right: number
  /** Index of the first answer; negative: there is none. */
  readonly first: number
  /** Index of the first wrong answer; negative: there was none. */
  readonly missed: number
  readonly text: string
}

/** Compares the answers to a prediction with the right one. */
export function predictedOf({ prediction: { options } }: Lesson, record: Answers | undefined): Predicted {
  const indexOf = (letter: string | undefined) => options.findIndex((_, i) => letterOf(i) === letter)
  const right = options.findIndex(each => each.misconception === undefined)
  const [first, last] = [indexOf(record?.prediction), indexOf(record?.predictedAgain)]
  const missed = [first, last].find(each => each >= 0 && each !== right) ?? -1
  const was = letterOf(right)
  if (first < 0) return { right, first, missed, text: `The right prediction was ${was}.` }
  if (missed < 0) return { right, first, missed, text: `You predicted ${was}, and so it was.` }
  const again = last < 0 ? '' : `, and ${letterOf(last)} after the tasks`
  return { right, first, missed, text: `You predicted ${letterOf(first)}${again}. It was ${was}.` }
}

/** Comes back to the prediction. */
function predictionLines(lesson: Lesson, record: Answers | undefined, names: Names): string[] {
  const { options } = lesson.prediction
  const { right, missed, text } = predictedOf(lesson, record)
  const reply = (index: number) => {
    const { reply: said = '', rule } = options[index] ?? {}
    return paragraphs([rule === undefined ? said : `${said} (${rule})`], names)
  }
  return [text, ...(missed < 0 ? [] : reply(missed)), ...reply(right)]
}

/** Explanation, what to remember, rule, and where to go on. */
export function closingLines(lesson: Lesson, record: Answers | undefined, names: Names): string[] {
  const { explanation, remember, rule, weak, stretch } = lesson
  const marked = remember.flatMap(text => listed('-', text, names))
  return [
    ...predictionLines(lesson, record, names),
    '',
    ...paragraphs(explanation, names),
    '',
    'Remember',
    ...marked,
    `Rule: ${rule}`,
    ...(weak === undefined
      ? []
      : ['', `The same request with this defence off (${weak.mode}):`, `  ${fill(weak.line, names)}`]),
    '',
    'If you have time',
    ...paragraphs(stretch, names),
  ]
}

/** Hints of a task: a question with the place, and the line. */
export const HINTS = 2

export function hintLines(task: Task, given: number, names: Names): string[] {
  const { question, place, line } = task.hints
  if (given === 0) return [`Hint 1 of ${HINTS}`, ...paragraphs([question, place], names)]
  return [`Hint ${HINTS} of ${HINTS}`, 'Type:', `  ${fill(line, names)}`]
}

/** @param ca path of the CA file */
export function solutionLines(task: Task, names: Names, ca: string): string[] {
  const indented = (lines: readonly string[]) => lines.map(line => `  ${fill(line, names)}`)
  const { cli, curl } = task.solutions
  const addresses = [`LAB=${names.lab}`, `RESOURCE=${names.resource}`]
  if (curl.some(line => line.includes('$CLUSTER'))) addresses.push(`CLUSTER=${names.cluster}`)
  const variables = [...addresses, `CA=${ca}`].join(' ')
  return [
    'With oauth-lab:',
    ...indented(cli),
    ...(curl.length === 0 ? [] : ['', 'With curl:', ...indented([variables, ...curl])]),
  ]
}
