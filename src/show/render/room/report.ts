import type { Fact } from '../../../protocol/room/facts.js'
import { makeSafe } from '../../../protocol/safe-output/safe.js'
import type { Board, BoardLesson, BoardPerson, TaskCell } from '../../../servers/room/model.js'
import { type CsvColumns, listText } from '../text/list-text.js'

/** The place of a fact: `05-pkce/verifier`. */
const placeOf = ({ lesson, task }: Fact): string => [lesson, task].filter(Boolean).join('/')

const sentences: Readonly<Record<Fact['fact'], (fact: Fact, place: string) => string>> = {
  'lesson.opened': (_, place) => `opens ${place}`,
  'task.shown': (_, place) => `begins ${place}`,
  'task.done': (_, place) => `has done ${place}`,
  'hint.taken': (_, place) => `takes a hint at ${place}`,
  'solution.taken': (_, place) => `takes the solution of ${place}`,
  'prediction.answered': ({ answer }, place) => `predicts ${answer} in ${place}`,
  refused: ({ rule }, place) => `is refused at ${place}: ${rule}`,
  idle: () => 'does nothing',
  stuck: (_, place) => `asks for help${place === '' ? '' : ` at ${place}`}`,
}

/** A fact as a line for the teacher: `09:12:03  K7-03  Dora begins 05-pkce/verifier`. */
export function factLine(fact: Fact): string {
  const { at, who, name } = fact
  return `${at.slice(11, 19)}  ${who}  ${makeSafe(name)} ${sentences[fact.fact](fact, placeOf(fact))}`
}

/** A task of a person. */
interface ReportRow {
  readonly person: BoardPerson
  readonly lesson: string
  readonly task: string
  readonly cell?: TaskCell
}

const rowsOf = ({ people, lessons }: Board): readonly ReportRow[] =>
  people.flatMap(person =>
    lessons.flatMap(({ name: lesson, tasks }) =>
      tasks.map((task): ReportRow => {
        const cell = person.tasks[`${lesson}/${task}`]
        return { person, lesson, task, ...(cell && { cell }) }
      }),
    ),
  )

const sum = (counts: Readonly<Record<string, number>>): number =>
  Object.values(counts).reduce((all, each) => all + each, 0)

const columns: CsvColumns<ReportRow> = [
  ['who', ({ person }) => person.who],
  ['name', ({ person }) => person.name],
  ['joined', ({ person }) => person.joinedAt],
  ['left', ({ person }) => person.leftAt],
  ['lesson', ({ lesson }) => lesson],
  ['task', ({ task }) => task],
  ['state', ({ cell }) => cell?.state],
  ['seconds', ({ cell }) => (cell?.took === undefined ? undefined : Math.round(cell.took / 1000))],
  ['hints', ({ cell }) => cell?.hints],
  ['solution', ({ cell }) => cell?.solution],
  ['refused', ({ cell }) => cell && sum(cell.refused)],
  ['prediction_before', ({ person, lesson }) => person.predictions[lesson]?.first],
  ['prediction_after', ({ person, lesson }) => person.predictions[lesson]?.last],
]

/** The report as CSV: a row for each task of each person. */
export const reportCsv = (board: Board): string => listText('csv', rowsOf(board), columns)

/** A cell of a table: on one line, without the markup that Markdown reads (CommonMark §2.4). */
const cell = (text: string): string => makeSafe(text).replace(/[\\`*_{}[\]<>()#+!|~&$-]/g, '\\$&')

const table = (head: readonly string[], rows: readonly (readonly string[])[]): readonly string[] => [
  `| ${head.join(' | ')} |`,
  `|${head.map(() => '---').join('|')}|`,
  ...rows.map(each => `| ${each.join(' | ')} |`),
]

/** Returns `2 of 3`, with the help that was taken; empty for a lesson that was not begun. */
function lessonCell({ tasks }: BoardPerson, { name, tasks: all }: BoardLesson): string {
  const begun = all.flatMap(task => tasks[`${name}/${task}`] ?? [])
  if (begun.length === 0) return ''
  const hints = begun.reduce((count, each) => count + each.hints, 0)
  const help = [
    ...(hints > 0 ? [`${hints} ${hints === 1 ? 'hint' : 'hints'}`] : []),
    ...(begun.some(({ solution }) => solution) ? ['solution'] : []),
  ]
  const done = `${begun.filter(({ state }) => state === 'done').length} of ${all.length}`
  return help.length === 0 ? done : `${done} (${help.join(', ')})`
}

/** Lines about the prediction of a lesson. */
function pollLines(
  { polls }: Board,
  { name, title, question, options, right }: BoardLesson,
): readonly string[] {
  const poll = polls.find(({ lesson }) => lesson === name)
  if (poll === undefined) return []
  const rows = options.map((text, i) => {
    const letter = String.fromCharCode(97 + i)
    const answer = `${letter}${letter === right ? ' (right)' : ''}: ${cell(text)}`
    return [answer, String(poll.before[letter] ?? 0), String(poll.after[letter] ?? 0)]
  })
  return ['', `### ${cell(title)}`, '', cell(question), '', ...table(['answer', 'before', 'after'], rows)]
}

/** The report as Markdown: people and lessons, predictions, and the rules that held people. */
export function reportMarkdown(board: Board): readonly string[] {
  const { room, at, people, lessons, groups } = board
  const begun = lessons.filter(each => people.some(person => lessonCell(person, each) !== ''))
  const rows = people.map(person => [
    person.who,
    cell(person.name),
    ...begun.map(each => lessonCell(person, each)),
  ])
  const polls = lessons.flatMap(each => pollLines(board, each))
  const held = groups.map(each => [
    `${each.lesson}/${each.task}`,
    cell(each.rule),
    String(each.who.length),
    each.who.join(', '),
  ])
  return [
    `# ${cell(room)}`,
    '',
    `${people.length} ${people.length === 1 ? 'person' : 'people'}, ${at.slice(0, 16).replace('T', ' ')} UTC.`,
    '',
    '## People',
    '',
    ...table(['who', 'name', ...begun.map(({ name }) => name)], rows),
    ...(polls.length === 0 ? [] : ['', '## Predictions', ...polls]),
    ...(held.length === 0
      ? []
      : ['', '## Held at the end', '', ...table(['task', 'rule', 'people', 'who'], held)]),
  ]
}
