import type { KeptEvent } from '../../../lab/state/event-file.js'
import { nextLesson } from '../../../learn/engine/find-lesson.js'
import {
  HINTS,
  letterOf,
  type Names,
  predictedOf,
  solutionLines,
  taskNumber,
  withoutLines,
} from '../../../learn/engine/lesson-lines.js'
import { FRESH_TASK, type LessonProgress, type Progress, shownHints } from '../../../learn/engine/progress.js'
import { fill } from '../../../learn/engine/texts.js'
import { beliefBehind } from '../../../learn/misconceptions.js'
import type { Lesson, Option, Task } from '../../../learn/model.js'
import { eventDecision, isRefusal } from '../../../protocol/event-catalogue.js'
import type { LabEvent } from '../../../protocol/events.js'
import { eventDetails } from '../../../show/render/events/event-line.js'
import type { LessonPage, Phase, Section, SeenEvent } from '../../../show/tui/learn/content.js'
import { COMMAND } from '../../../show/tui/learn/texts.js'

/** The sections that are shown until the next key. */
export interface Passing {
  /** The result of the task that was just done. */
  readonly passed?: Section
  /** The events behind the verdict, as somebody asked for them. */
  readonly explained?: Section
}

/** Everything that a page is made of. */
interface PageSource extends Passing {
  readonly lesson: Lesson
  /** The task to do, or the one that was just done; undefined at the end of the lesson. */
  readonly task: Task | undefined
  readonly progress: Progress
  /** Lines about the step of the learner's own client. */
  readonly client: readonly string[]
  /** True when the task is a review of a lesson that is done. */
  readonly review: boolean
  /** True when the prediction is asked once more, before the end of the lesson. */
  readonly again: boolean
  /** The lessons of the course, for the next one. */
  readonly course: readonly Lesson[]
  readonly names: Names
  /** Path of the CA file. */
  readonly ca: string
}

const titled = (title: string, texts: readonly string[]): Section => ({ title, texts })

/** The line to type in a text of a lesson; undefined for other texts. */
const typedLine = (text: string): string | undefined =>
  text.startsWith('  ') && COMMAND.test(text) ? text.trim() : undefined

/** The lines of a solution as they are typed: one by one, or as one script where a shell keeps its variables. */
const typedLines = (lines: readonly string[]): readonly string[] =>
  lines.every(text => text.startsWith('oauth-lab ')) ? lines : [lines.join('\n')]

/** The belief behind a wrong answer, and what is true. */
function beliefTexts(option: Option): string[] {
  const found = beliefBehind(option)
  if (found === undefined) return []
  const { belief, truth, rule } = found
  const against = rule === undefined ? '' : ` (${rule})`
  // The reply says what is true where a lesson states the belief itself.
  const said = truth === option.reply ? [] : [`${truth}${against}`]
  return [`The belief behind it: “${belief}”`, ...said]
}

const against = ({ rule }: Option): string => (rule === undefined ? '' : ` (${rule})`)

/** The prediction again: what was expected, what it was, and the belief behind a wrong answer. */
function predictionSection(lesson: Lesson, record: LessonProgress | undefined): Section {
  const { question, options } = lesson.prediction
  const { right, first, missed, text: title } = predictedOf(lesson, record)
  const text = (at: number) => `${letterOf(at)}) ${options[at]?.text ?? ''}`
  const reply = (at: number) => options[at]?.reply ?? ''
  if (first < 0)
    return titled('Your prediction', [question, `The right answer was ${text(right)}`, reply(right)])
  if (missed < 0)
    return { tone: 'done', ...titled('You predicted it', [question, `- ${text(right)}`, reply(right)]) }
  return {
    tone: 'look',
    ...titled(title, [
      question,
      `- You: ${text(missed)}`,
      reply(missed) + against(options[missed]!),
      ...beliefTexts(options[missed]!),
      `- It was: ${text(right)}`,
      reply(right),
    ]),
  }
}

/** The end of a lesson. */
function endSections(source: PageSource, record: LessonProgress | undefined): Section[] {
  const { lesson, client } = source
  const { tasks, explanation, remember, rule, weak, stretch } = lesson
  const happened = tasks.flatMap(({ name }) => {
    const { events } = record?.tasks[name] ?? FRESH_TASK
    return events.length === 0 ? [] : [`Task ${name} was done. The servers saw:`, ...events.map(toldEvent)]
  })
  return [
    predictionSection(lesson, record),
    ...(happened.length === 0 ? [] : [titled('What really happened', happened)]),
    titled('Why', explanation),
    titled('Remember', [...remember.map(text => `- ${text}`), `Rule: ${rule}`]),
    ...(weak === undefined
      ? []
      : [
          titled(`The same without the defence (${weak.mode})`, [
            'w runs it, and one key there switches the defence on again:',
            `  ${weak.line}`,
          ]),
        ]),
    titled('If you have time', stretch),
    ...(client.length === 0 ? [] : [titled('Your own client', client)]),
  ]
}

/** The hints that were given. */
function hintSections({ hints }: Task, given: number): Section[] {
  const all = [
    titled(`Hint 1 of ${HINTS}: a question, and the place`, [hints.question, hints.place]),
    titled(`Hint ${HINTS} of ${HINTS}: the line`, [`  ${hints.line}`]),
  ]
  return all.slice(0, given)
}

/** The chosen answer, without a verdict: the lesson comes back to it. */
function predictedSections({ prediction }: Lesson, letter: string | undefined): Section[] {
  const at = prediction.options.findIndex((_, i) => letterOf(i) === letter)
  if (at < 0) return []
  const text = `${letterOf(at)}) ${prediction.options[at]?.text ?? ''}`
  return [titled('You predict', [text, 'The lesson comes back to it at its end.'])]
}

interface TaskText {
  readonly sections: readonly Section[]
  readonly anchor: number
  readonly newest: number
}

/** The text around a task: the opening above it, hints and solution below. */
function taskText(source: PageSource, task: Task, record: LessonProgress | undefined): TaskText {
  const { lesson, review, names, ca, passed, explained } = source
  const { solution } = record?.tasks[task.name] ?? FRESH_TASK
  const above = review
    ? [titled('Review', [`A task of this lesson again, for ${names.user} and without its lines.`])]
    : [titled('The lesson', lesson.opening), ...predictedSections(lesson, record?.prediction)]
  const number = taskNumber(lesson, task)
  const said = titled(
    review ? 'The task' : `Task ${number} of ${lesson.tasks.length}`,
    (review ? withoutLines(task) : task).say,
  )
  const given = hintSections(task, shownHints(record?.tasks[task.name]))
  const solved = solution ? [titled('Solution', solutionLines(task, names, ca))] : []
  const sections = [
    ...above,
    said,
    ...given,
    ...solved,
    ...(explained ? [explained] : []),
    ...(passed ? [passed] : []),
  ]
  return { sections, anchor: above.length, newest: sections.length - 1 }
}

/** The lines that Tab offers: those of the task, of the last hint, and of the solution, as far as they were shown. */
function offeredLines(task: Task, record: LessonProgress | undefined, review: boolean): string[] {
  const { solution } = record?.tasks[task.name] ?? FRESH_TASK
  const { cli, curl } = task.solutions
  const shown = [
    ...(review ? [] : task.say.flatMap(text => typedLine(text) ?? [])),
    ...(shownHints(record?.tasks[task.name]) >= HINTS
      ? [task.hints.line].flatMap(text => typedLine(`  ${text}`) ?? [])
      : []),
    ...(solution ? [...typedLines(cli), ...(curl.length > 0 ? typedLines(curl) : [])] : []),
  ]
  return [...new Set(shown)]
}

/** A lesson as the screen shows it. */
export function lessonPage(source: PageSource): LessonPage {
  const { lesson, task, progress, review, again, course, names, passed } = source
  const { name, title, minutes, opening, prediction, tasks, after } = lesson
  const record = progress.lessons[name]
  const filled = (text: string) => fill(text, names)
  const number = Number.parseInt(name, 10)
  const clients = task?.clients?.join(' or ') ?? names.client
  const known = {
    name,
    title: filled(`${number}: ${title}`),
    who: `client ${clients}, user ${names.user}`,
  }
  const made = (phase: Phase, place: string, { sections, anchor, newest }: TaskText) => ({
    ...known,
    phase,
    place,
    sections: sections.map(each => ({ ...each, texts: each.texts.map(filled) })),
    anchor,
    newest,
    options: phase === 'predict' ? prediction.options.map(({ text }) => filled(text)) : [],
    lines: task === undefined ? [] : offeredLines(task, record, review).map(filled),
  })
  if (again) {
    const sections = [titled('You have seen it: predict once more', [prediction.question])]
    return made('predict', 'once more', { sections, anchor: 0, newest: 0 })
  }
  if (task === undefined) {
    const next = nextLesson(course, progress)?.name
    return {
      ...made('end', 'done', { sections: endSections(source, record), anchor: 0, newest: 0 }),
      ...(lesson.weak && { weakLine: filled(lesson.weak.line) }),
      ...(next !== undefined && { next }),
    }
  }
  const place = review ? 'review' : `task ${taskNumber(lesson, task)} of ${tasks.length}`
  if (record?.prediction === undefined && !review && passed === undefined) {
    const missing = after.filter(each => progress.lessons[each]?.doneAt === undefined)
    const builds = missing.length === 0 ? [] : [`This lesson builds on ${missing.join(' and ')}.`]
    const sections = [
      titled(`Lesson ${known.title} (${minutes} minutes)`, [...builds, ...opening]),
      titled('First predict', [prediction.question]),
    ]
    return made('predict', `${minutes} min`, { sections, anchor: 0, newest: 0 })
  }
  return made(passed ? 'passed' : 'task', place, taskText(source, task, record))
}

/** Most events that the screen keeps; older ones are in the event file. */
const MOST = 200

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`

/** An event as the screen shows it. @param behind events that the verdict was made from */
function seenEvent(kept: KeptEvent, behind: readonly KeptEvent[]): SeenEvent {
  const { lab: _, ...rest } = kept
  const event = rest as LabEvent
  const answer = event.type === 'request.answered'
  const { says, rule } = eventDecision(event.type)
  return {
    time: event.at.slice(11, 19),
    type: event.type,
    says: answer ? '' : `${sentence(says)}${rule === undefined ? '' : ` ${rule}.`}`,
    details: eventDetails(event),
    refused: isRefusal(event),
    behind: behind.some(({ lab, at, type, request }) => {
      return lab === kept.lab && at === kept.at && type === kept.type && request === kept.request
    }),
  }
}

/** An event as an item of a list, with the error or the outcome that it names. Its other members are in the pane of events. */
export function toldEvent(kept: KeptEvent): string {
  const { time, type, says } = seenEvent(kept, [])
  const named = [kept.error, kept.outcome].filter(each => typeof each === 'string')
  const head = ['-', time, type, ...named].join(' ')
  return says === '' ? head : `${head}: ${says}`
}

/** The latest events as the screen shows them. */
export const seenEvents = (events: readonly KeptEvent[], behind: readonly KeptEvent[]): SeenEvent[] =>
  events.slice(-MOST).map(event => seenEvent(event, behind))
