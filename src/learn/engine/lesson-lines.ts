import type { Lesson, Option, Task } from '../model.js'
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

/** Comes back to the prediction. @param letter the predicted answer */
function predictionLines({ prediction }: Lesson, letter: string | undefined, names: Names): string[] {
  const { options } = prediction
  const right = options.findIndex(each => each.misconception === undefined)
  const chosen = options.findIndex((_, i) => letterOf(i) === letter)
  const reply = (index: number) => {
    const { reply: said = '', rule } = options[index] ?? {}
    return paragraphs([rule === undefined ? said : `${said} (${rule})`], names)
  }
  if (chosen === right) return [`You predicted ${letterOf(right)}, and so it was.`, ...reply(right)]
  if (chosen < 0) return [`The right prediction was ${letterOf(right)}.`, ...reply(right)]
  return [`You predicted ${letterOf(chosen)}. It was ${letterOf(right)}.`, ...reply(chosen), ...reply(right)]
}

/** Explanation, what to remember, rule, and where to go on. */
export function closingLines(lesson: Lesson, letter: string | undefined, names: Names): string[] {
  const { explanation, remember, rule, weak, stretch } = lesson
  const marked = remember.flatMap(text => listed('-', text, names))
  return [
    ...predictionLines(lesson, letter, names),
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
