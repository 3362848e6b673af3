import type { BoardLesson, ShownPerson, TaskCell } from '../../../servers/room/model.js'
import { durationText } from '../../render/text/numbers.js'
import type { Signs } from '../../render/text/signs.js'
import { cutLine, foreign, type Line, line, span, spread } from '../../render/text/spans.js'
import { bar, cutEnd, fill, pad, width, wrap } from '../../render/text/text.js'
import { framed } from '../screen/frame.js'
import { positionText, visible, windowStart } from '../screen/list.js'
import { beside, boxed, type PaneContent, paneTitle } from '../screen/panes.js'
import { arrangementOf, frameHeight, type Size } from '../screen/size.js'
import {
  groupIndex,
  listed,
  nameOf,
  present,
  selected,
  selectedIndex,
  shownLesson,
  shownPolls,
  type WorkshopState,
} from './state.js'

/** The values that a frame shows besides the state. */
export interface FrameContext {
  readonly signs: Signs
  /** Milliseconds since the epoch. */
  readonly now: number
}

/** Lines of the groups and of the polls where all panes stand below each other. */
const LOWER = { normal: [3, 5], small: [2, 3], tooSmall: [1, 1] } as const

/** The part of the columns that the people have beside the others. */
const SHARE = 0.52

/** The room of each pane, and of a person in full (`whole`): columns and rows of its contents. */
function layOut(size: Size) {
  const arrangement = arrangementOf(size)
  const { columns } = size
  // The header has two lines, the hints one.
  const height = frameHeight(size) - 3
  if (arrangement === 'wide') {
    const left = Math.floor(columns * SHARE)
    const right = columns - left
    const upper = Math.max(3, Math.floor(height * 0.4))
    return {
      arrangement,
      people: { columns: left - 4, rows: height - 2 },
      groups: { columns: right - 4, rows: upper - 2 },
      polls: { columns: right - 4, rows: height - upper - 2 },
      whole: { columns: columns - 4, rows: height - 2 },
    }
  }
  const inner = columns - 2
  const [groups, polls] = LOWER[arrangement]
  return {
    arrangement,
    people: { columns: inner, rows: Math.max(1, height - groups - polls - 3) },
    groups: { columns: inner, rows: groups },
    polls: { columns: inner, rows: polls },
    whole: { columns: inner, rows: height - 1 },
  }
}

type Layout = ReturnType<typeof layOut>

/** Lines of people that are no person: the heads of the columns, and the line about the selected one. */
const HEAD = 2
const ABOUT = 1

/** Entries or lines that a page of the pane with the keys has. */
export function rowsOf({ pane, open }: WorkshopState, size: Size): number {
  const layout = layOut(size)
  if (open) return layout.whole.rows
  return pane === 'people' ? Math.max(1, layout.people.rows - HEAD - ABOUT) : layout[pane].rows
}

/** The last line of the open person, or of the polls, that may come first. */
export function scrollLimit(state: WorkshopState, size: Size, context: FrameContext): number {
  const { whole, polls } = layOut(size)
  if (!state.open) return pollLines(state, polls, context.signs).length - polls.rows
  const person = selected(state)
  return person === undefined ? 0 : personLines(person, state, whole.columns, context).length - whole.rows
}

/** Columns of a name with its number, of a task, and of the mark of somebody who is stuck. */
const WHO = { least: 14, most: 26 }
const TASK = { least: 6, most: 12 }
const MARK = 2

/** A cell in as few signs as possible: done, or not; hints, the solution, refusals. */
function cellText({ state, hints, solution, refused }: TaskCell, signs: Signs): string {
  const refusals = Object.values(refused).reduce((sum, each) => sum + each, 0)
  const help = solution ? 's' : hints > 0 ? `h${hints}` : ''
  const sign = state === 'done' ? signs.done : signs.now
  return `${sign}${help}${refusals > 0 ? `${signs.ascii ? 'x' : '×'}${refusals}` : ''}`
}

/** The columns of the tasks of a lesson, as many as fit. */
function taskColumns(lesson: BoardLesson | undefined, columns: number, signs: Signs) {
  const names = (lesson?.tasks ?? []).map(task => foreign(task, signs))
  const room = columns - WHO.least - MARK
  const each = Math.min(TASK.most, Math.max(TASK.least, Math.floor(room / Math.max(1, names.length)) - 1))
  const count = Math.min(names.length, Math.floor(room / (each + 1)))
  const who = Math.min(WHO.most, columns - MARK - count * (each + 1))
  return { names: names.slice(0, count), each, who, hidden: names.length - count }
}

/** Why the selected person needs the teacher, or where the person is. */
function aboutLine(state: WorkshopState, { signs, now }: FrameContext): Line {
  const person = selected(state)
  if (person === undefined) return []
  const { stuck, task, since, lesson } = person
  const where = task === undefined ? (lesson ?? 'no lesson yet') : `${lesson?.slice(0, 2)} ${task}`
  const time = since === undefined ? '' : ` for ${durationText(Math.max(0, now - Date.parse(since)))}`
  const why = stuck === undefined ? '' : `, ${stuck.text}`
  const text = foreign(`${nameOf(state, person)}: ${where}${time}${why}`, signs)
  return line(text, stuck === undefined ? 'dim' : 'look')
}

function peoplePane(
  state: WorkshopState,
  { people: { columns, rows } }: Layout,
  context: FrameContext,
): PaneContent {
  const { signs } = context
  const { board, filter } = state
  const lesson = shownLesson(board)
  const { names, each, who, hidden } = taskColumns(lesson, columns, signs)
  const here = present(board)
  const done = (task: string) =>
    here.filter(({ tasks }) => tasks[`${lesson?.name}/${task}`]?.state === 'done').length
  const lead = ' '.repeat(who + MARK)
  const counts = (lesson?.tasks ?? []).slice(0, names.length).map(task => `${done(task)}/${here.length}`)
  const cells = (texts: readonly string[]) => texts.map(text => fill(text, each, signs.ellipsis)).join(' ')
  const list = listed(state)
  const at = selectedIndex(state)
  const room = Math.max(1, rows - HEAD - ABOUT)
  const start = windowStart(list.length, room, at, at)
  const focused = state.pane === 'people'
  const body = list.slice(start, start + room).map((person, i): Line => {
    const selectedHere = focused && start + i === at
    const away = person.presence
    const name = foreign(nameOf(state, person), signs)
    const number = state.namesHidden ? '' : ` ${person.who}`
    const label = fill(name, who - width(number) - 1, signs.ellipsis) + number
    return [
      span(selectedHere ? signs.arrowRight : ' ', 'now'),
      person.stuck === undefined
        ? span(away === undefined ? ' ' : signs.dot, 'dim')
        : span(signs.look, 'look'),
      span(
        `${fill(label, who - 1, signs.ellipsis)} `,
        away !== undefined ? 'dim' : selectedHere ? 'strong' : 'plain',
      ),
      ...names.flatMap((_, n): Line => {
        const cell = person.tasks[`${lesson?.name}/${lesson?.tasks[n]}`]
        if (cell === undefined) return [span(' '.repeat(each + 1))]
        return [
          span(
            `${fill(cellText(cell, signs), each, signs.ellipsis)} `,
            cell.state === 'done' ? 'done' : 'now',
          ),
        ]
      }),
    ]
  })
  const stuck = here.filter(person => person.stuck !== undefined).length
  const aside = [
    ...(filter === '' ? [] : [`filter ${foreign(filter, signs)}`]),
    ...(hidden === 0 ? [] : [`${hidden} more tasks`]),
    `${stuck} stuck`,
    positionText(start, room, list.length),
  ]
  const nobody =
    board.people.length === 0
      ? 'Nobody has joined yet. i shows how people join.'
      : 'Nobody has these words. esc clears the filter.'
  const filled = [...body, ...Array.from({ length: room - body.length }, (): Line => [])]
  return {
    title: paneTitle('1 People', focused),
    aside: [span(aside.filter(text => text !== '').join('  '), 'dim')],
    lines: [
      line(`${lead}${cells(names)}`, 'title'),
      line(`${lead}${cells(counts)}`, 'dim'),
      ...(body.length === 0 ? [line(nobody, 'dim'), ...filled.slice(1)] : filled),
      aboutLine(state, context),
    ],
  }
}

function groupsPane(state: WorkshopState, { groups: { columns, rows } }: Layout, signs: Signs): PaneContent {
  const { groups, people } = state.board
  const focused = state.pane === 'groups'
  const at = groupIndex(state)
  const byWho = new Map(people.map(person => [person.who, person]))
  const blocks = groups.map(({ who, rule, demand, lesson, task }, i): Line[] => {
    const here = focused && i === at
    const names = who.flatMap(each => {
      const person = byWho.get(each)
      return person === undefined ? [] : [nameOf(state, person)]
    })
    const head: Line = [
      span(here ? `${signs.arrowRight} ` : '  ', 'now'),
      span(`${who.length} ${who.length === 1 ? 'person' : 'people'}: `, 'strong'),
      span(foreign(rule, signs), 'look'),
      span(foreign(`  ${lesson.slice(0, 2)} ${task}`, signs), 'dim'),
    ]
    const more = [...(demand === undefined ? [] : [demand]), names.join(', ')]
    const told = more.map(text => cutLine([span(`  ${foreign(text, signs)}`)], columns, signs))
    return [cutLine(head, columns, signs), ...told]
  })
  const lines = blocks.flat()
  const top = blocks.slice(0, at).flat().length
  const start = windowStart(lines.length, rows, top, top + Math.max(0, (blocks[at]?.length ?? 1) - 1))
  return {
    title: paneTitle('2 Held by one rule', focused),
    aside: [span(positionText(start, rows, lines.length), 'dim')],
    lines: lines.length === 0 ? [line('No rule holds anybody.', 'dim')] : lines.slice(start, start + rows),
  }
}

/** Lines from which on a question is shown whole. */
const ROOMY = 8

/** Columns of a bar of a poll. */
const BAR = 12

/** The answers to each prediction, that of the shown lesson first: the bars, then the text of the option. */
function pollLines({ board }: WorkshopState, { columns, rows }: Layout['polls'], signs: Signs): Line[] {
  const lines = shownPolls(board).flatMap(({ lesson: name, before, after }): Line[] => {
    const lesson = board.lessons.find(each => each.name === name)
    if (lesson === undefined) return []
    const sum = (counts: Readonly<Record<string, number>>) =>
      Object.values(counts).reduce((all, each) => all + each, 0)
    const [first, again] = [sum(before), sum(after)]
    const drawn = (count: number, of: number) =>
      pad(bar(of === 0 ? 0 : count / of, BAR, { ascii: signs.ascii }), BAR) + pad(String(count), 4, 'right')
    const asked = foreign(`${name.slice(0, 2)} ${lesson.question}`, signs)
    // A low terminal shows the question on one line, so that its answers fit.
    const question = rows < ROOMY ? [cutEnd(asked, columns, signs.ellipsis)] : wrap(asked, columns)
    return [
      ...question.map(text => line(text, 'title')),
      ...(again === 0 ? [] : [line(`   ${pad('before', BAR + 4)}  after`, 'dim')]),
      ...lesson.options.map((text, i): Line => {
        const letter = String.fromCharCode(97 + i)
        const right = letter === lesson.right
        return cutLine(
          [
            span(`${letter.toUpperCase()} ${right ? signs.done : ' '}`, right ? 'done' : 'strong'),
            span(drawn(before[letter] ?? 0, first), 'plain'),
            span(again === 0 ? '' : `  ${drawn(after[letter] ?? 0, again)}`, 'done'),
            span(`  ${foreign(text, signs)}`, 'plain'),
          ],
          columns,
          signs,
        )
      }),
      line(''),
    ]
  })
  return lines.length === 0 ? [line('Nobody has answered a prediction yet.', 'dim')] : lines.slice(0, -1)
}

function pollsPane(state: WorkshopState, { polls }: Layout, signs: Signs): PaneContent {
  const focused = state.pane === 'polls'
  const seen = visible(pollLines(state, polls, signs), focused ? state.scroll : 0, polls.rows)
  return { title: paneTitle('3 Predictions', focused), ...seen }
}

function personLines(
  person: ShownPerson,
  state: WorkshopState,
  columns: number,
  { signs, now }: FrameContext,
): Line[] {
  const { lesson, task, since, stuck, tasks, begun, presence: away, lastAt, joinedAt } = person
  const ago = (at: string) => durationText(Math.max(0, now - Date.parse(at)))
  const at = task === undefined ? lesson : `${lesson} ${task}`
  const lines: Line[] = [
    ...(stuck === undefined ? [] : [line(foreign(`Stuck: ${stuck.text}`, signs), 'look')]),
    line(
      foreign(
        at === undefined ? 'At no lesson yet' : `At ${at}${since === undefined ? '' : ` for ${ago(since)}`}`,
        signs,
      ),
    ),
    line(
      `Joined ${ago(joinedAt)} ago, last seen ${ago(lastAt)} ago${away === undefined ? '' : `, ${away}`}`,
      'dim',
    ),
    ...state.board.lessons.flatMap((each): Line[] => {
      const answered = begun[each.name]
      if (answered === undefined) return []
      return [
        line(''),
        [
          span(foreign(`${each.name.slice(0, 2)} ${each.title}`, signs), 'title'),
          span(`   ${answered}`, 'dim'),
        ],
        ...each.tasks.flatMap(name => {
          const cell = tasks[`${each.name}/${name}`]
          if (cell === undefined) return []
          return [cellLine(name, cell, signs), ...refusedLines(cell, signs)]
        }),
      ]
    }),
  ]
  return lines.map(each => cutLine(each, columns, signs))
}

function cellLine(name: string, { state, hints, solution, took }: TaskCell, signs: Signs): Line {
  const words = [
    state === 'done' ? (took === undefined ? 'done' : `done in ${durationText(took)}`) : 'begun',
    ...(hints > 0 ? [`${hints} hint${hints === 1 ? '' : 's'}`] : []),
    ...(solution ? ['the solution'] : []),
  ]
  const done = state === 'done'
  return [
    span(`  ${done ? signs.done : signs.now} `, done ? 'done' : 'now'),
    span(`${pad(foreign(name, signs), 20)}  ${words.join(', ')}`),
  ]
}

const refusedLines = ({ refused }: TaskCell, signs: Signs): Line[] =>
  Object.entries(refused).map(([rule, times]) =>
    line(`      ${foreign(rule, signs)}  ${times} time${times === 1 ? '' : 's'}`, 'look'),
  )

/** The first two lines: the room with its people, the phase with its pace. */
function header({ board }: WorkshopState, columns: number, signs: Signs): Line[] {
  const { room, phase, lessons, pace } = board
  const here = present(board)
  const online = here.filter(each => each.online).length
  const count = `${here.length} ${here.length === 1 ? 'person' : 'people'}, ${online} connected `
  const lesson = lessons.find(({ name }) => name === phase.lesson)
  const at =
    lesson === undefined ? 'Each at a lesson of their own' : `${lesson.name.slice(0, 2)} ${lesson.title}`
  return [
    spread(
      [span(' oauth-lab  ', 'dim'), span('workshop ', 'title'), span(foreign(room, signs), 'name')],
      [span(count)],
      columns,
      signs,
    ),
    spread(
      [span(` ${foreign(at, signs)}`, 'strong')],
      [span(`${foreign(pace, signs)} `, 'dim')],
      columns,
      signs,
    ),
  ]
}

/** The panes with the header, one less than the lines of the frame. */
export function panes(state: WorkshopState, size: Size, context: FrameContext): Line[] {
  const layout = layOut(size)
  const { signs } = context
  const { columns } = size
  const { arrangement, people, groups, polls, whole } = layout
  const person = state.open ? selected(state) : undefined
  const top = header(state, columns, signs)
  const drawn = (pane: PaneContent, rows: number) => framed(arrangement, pane, columns, rows, signs)
  if (person !== undefined) {
    const lines = personLines(person, state, whole.columns, context)
    const title = [span(foreign(`${nameOf(state, person)}  ${person.who}`, signs), 'title')]
    return [...top, ...drawn({ title, ...visible(lines, state.scroll, whole.rows) }, whole.rows)]
  }
  const [left, upper, lower]: Readonly<[PaneContent, PaneContent, PaneContent]> = [
    peoplePane(state, layout, context),
    groupsPane(state, layout, signs),
    pollsPane(state, layout, signs),
  ]
  if (arrangement === 'wide') {
    const right = columns - people.columns - 4
    const column = [...boxed(upper, right, groups.rows, signs), ...boxed(lower, right, polls.rows, signs)]
    const table = boxed(left, people.columns + 4, people.rows, signs)
    return [...top, ...beside(table, column)]
  }
  return [...top, ...drawn(left, people.rows), ...drawn(upper, groups.rows), ...drawn(lower, polls.rows)]
}
