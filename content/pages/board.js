/** @import { BoardLesson, ShownBoard, ShownPerson, TaskCell } from '../../src/servers/room/model.js' */
import { byId, clock, duration, el, focusNext, listen, onceAFrame, seen, total } from './elements.js'
import { followBoard } from './follow-board.js'
import { controls, lead, say, showControls } from './lead.js'
import { pollList } from './polls.js'

/** @type {ShownBoard | undefined} */
let board
/** When the board came, by the clock of this computer. */
let came = 0
let namesHidden = sessionStorage.getItem('names hidden') !== null
/** The lesson of the columns: that of the room until the teacher chooses another. */
let chosen = 'room'
let filter = ''
let order = 'stuck'
/** @type {string | undefined} The person who is shown in full. */
let open

/** @type {HTMLDialogElement} */
const dialog = byId('person')
/** @type {HTMLInputElement} */
const filterField = byId('filter')

/** The time of the room: the board’s, and what passed since it came. */
const now = () => (board === undefined ? 0 : Date.parse(board.at) + Date.now() - came)

/** @param {ShownPerson} person */
const nameOf = ({ who, name }) => (namesHidden ? who : seen(name))

/** A name that opens the person. @param {ShownPerson} person */
const nameButton = person =>
  el('button', { class: 'link', click: () => show(person.who) }, el('bdi', {}, nameOf(person)))

/** @param {string | undefined} since */
const ago = since => (since === undefined ? '' : duration(now() - Date.parse(since)))

/** The lesson of the columns; undefined for a column a lesson. @param {ShownBoard} shown */
function lessonOfColumns({ lessons, lesson }) {
  if (chosen === 'all') return undefined
  const wanted = chosen === 'room' ? lesson : chosen
  return lessons.find(({ name }) => name === wanted) ?? lessons[0]
}

/** @param {TaskCell | undefined} cell @param {boolean} here */
function cellWords(cell, here) {
  if (cell === undefined) return []
  const { state, took, hints, solution, refused } = cell
  const refusals = total(refused)
  return [
    state === 'done' ? (took === undefined ? 'done' : `done in ${duration(took)}`) : here ? 'here' : 'begun',
    hints > 0 && `${hints} hint${hints === 1 ? '' : 's'}`,
    solution && 'solution',
    refusals > 0 && `refused ${refusals} time${refusals === 1 ? '' : 's'}`,
  ].filter(word => word !== false)
}

/** @param {ShownPerson} person @param {BoardLesson} lesson @param {string} task */
function taskCell({ tasks, task: at, lesson: in_ }, lesson, task) {
  const cell = tasks[`${lesson.name}/${task}`]
  const here = in_ === lesson.name && at === task
  const words = cellWords(cell, here)
  if (cell === undefined) return el('td', {}, el('span', { class: 'sr' }, 'not begun'))
  const refusals = total(cell.refused)
  const sign = cell.state === 'done' ? '✓' : '…'
  const marks = [
    cell.hints > 0 && !cell.solution && `h${cell.hints}`,
    cell.solution && 's',
    refusals > 0 && `×${refusals}`,
  ].filter(each => each !== false)
  return el(
    'td',
    { class: cell.state, title: words.join(', ') },
    el('span', { class: 'sr' }, words.join(', ')),
    el('span', { 'aria-hidden': 'true' }, [sign, ...marks].join(' ')),
  )
}

/** @param {ShownPerson} person @param {BoardLesson} lesson */
function lessonCell({ tasks }, lesson) {
  const done = lesson.tasks.filter(task => tasks[`${lesson.name}/${task}`]?.state === 'done').length
  const begun = lesson.tasks.some(task => tasks[`${lesson.name}/${task}`] !== undefined)
  if (!begun) return el('td', {}, el('span', { class: 'sr' }, 'not begun'))
  const all = done === lesson.tasks.length
  return el('td', { class: all ? 'done' : 'shown' }, `${done}/${lesson.tasks.length}`)
}

/** The people whom the filter lets through, in the order that was asked for. @param {ShownBoard} shown */
function listed({ people }) {
  const words = filter.toLowerCase().split(/\s+/)
  const fits = people.filter(person => {
    const { who, lesson = '', task = '', stuck, presence = '' } = person
    const text = `${nameOf(person)} ${who} ${lesson} ${task} ${presence} ${stuck ? `stuck ${stuck.text}` : ''}`
    return words.every(word => text.toLowerCase().includes(word))
  })
  const done = (/** @type {ShownPerson} */ { tasks }) =>
    Object.values(tasks).filter(({ state }) => state === 'done').length
  const rank = (/** @type {ShownPerson} */ person) =>
    order === 'stuck' ? Number(person.stuck === undefined) : order === 'progress' ? done(person) : 0
  return fits.sort((a, b) => rank(a) - rank(b) || (order === 'name' ? nameOf(a).localeCompare(nameOf(b)) : 0))
}

/** The rows of the table, and what each was made of: only a row that changed is made again. @type {Map<string, { made: string, row: HTMLElement }>} */
const rows = new Map()

/** @param {ShownPerson} person @param {BoardLesson | undefined} lesson @param {readonly BoardLesson[]} lessons */
function rowOf(person, lesson, lessons) {
  const made = JSON.stringify([{ ...person, lastAt: '' }, nameOf(person), lesson?.name])
  const known = rows.get(person.who)
  if (known?.made === made) return known.row
  const away = person.presence ?? ''
  const head = el(
    'th',
    { scope: 'row' },
    nameButton(person),
    ' ',
    el('small', {}, [namesHidden ? '' : person.who, away].filter(each => each !== '').join(' · ')),
    person.stuck !== undefined && el('strong', { class: 'stuck' }, ' stuck'),
  )
  const cells = lesson
    ? lesson.tasks.map(task => taskCell(person, lesson, task))
    : lessons.map(each => lessonCell(person, each))
  const row = el('tr', { class: away === '' ? undefined : 'away' }, head, ...cells)
  rows.set(person.who, { made, row })
  return row
}

let headMade = ''

/** @param {ShownBoard} shown */
function showTable(shown) {
  const { lessons, people } = shown
  const lesson = lessonOfColumns(shown)
  const inRoom = people.filter(({ leftAt }) => leftAt === undefined)
  const count = (/** @type {(person: ShownPerson) => boolean} */ done) =>
    `${inRoom.filter(done).length}/${inRoom.length}`
  const heads = lesson
    ? lesson.tasks.map(task => [
        task,
        count(({ tasks }) => tasks[`${lesson.name}/${task}`]?.state === 'done'),
      ])
    : lessons.map(({ name, tasks }) => [
        name.slice(0, 2),
        count(person => tasks.every(task => person.tasks[`${name}/${task}`]?.state === 'done')),
      ])
  const made = JSON.stringify(heads)
  if (made !== headMade) {
    headMade = made
    byId('head').replaceChildren(
      el('th', { scope: 'col' }, 'Who'),
      ...heads.map(([name = '', done = '']) =>
        el(
          'th',
          { scope: 'col' },
          el('span', {}, seen(name)),
          el('small', {}, done, el('span', { class: 'sr' }, ' have done it')),
        ),
      ),
    )
  }
  const focused = document.activeElement?.closest('tr')
  const former = [...rows].find(([, { row }]) => row === focused)?.[0]
  const wanted = listed(shown).map(person => rowOf(person, lesson, lessons))
  const body = byId('rows')
  const kept = new Set(wanted)
  wanted.forEach((row, i) => {
    const old = body.children[i]
    if (old === row) return
    if (old !== undefined && !kept.has(/** @type {HTMLElement} */ (old))) old.replaceWith(row)
    else body.insertBefore(row, old ?? null)
  })
  while (body.children.length > wanted.length) body.lastElementChild?.remove()
  // A row that was made again, or moved, has lost the keys.
  if (former !== undefined && !body.contains(document.activeElement))
    rows.get(former)?.row.querySelector('button')?.focus()
  byId('caption').textContent = lesson ? seen(lesson.title) : 'All lessons'
  byId('shown').textContent =
    wanted.length === people.length ? '' : `${wanted.length} of ${people.length} people are listed.`
}

/** @param {ShownBoard} shown */
function showStuck({ people }) {
  const stuck = people
    .filter(person => person.stuck !== undefined && person.leftAt === undefined)
    .sort((a, b) => (a.since ?? '').localeCompare(b.since ?? ''))
  byId('stuck-count').textContent = String(stuck.length)
  replace(
    'stuck',
    stuck.length === 0
      ? [el('li', { class: 'none' }, 'Nobody is stuck.')]
      : stuck.map(person =>
          el(
            'li',
            {},
            nameButton(person),
            el('span', { class: 'aside' }, ago(person.since)),
            el(
              'p',
              {},
              `${seen(person.lesson?.slice(0, 2) ?? '')} ${seen(person.task ?? '')}: ${seen(person.stuck?.text ?? '')}`,
            ),
          ),
        ),
  )
}

/** @param {ShownBoard} shown */
function showGroups({ groups, people }) {
  const byWho = new Map(people.map(person => [person.who, person]))
  replace(
    'groups',
    groups.length === 0
      ? [el('li', { class: 'none' }, 'No rule holds anybody.')]
      : groups.map(({ who, rule, demand, lesson, task }) =>
          el(
            'li',
            {},
            el('strong', {}, `${who.length} ${who.length === 1 ? 'person' : 'people'}: `),
            el('code', {}, seen(rule)),
            demand !== undefined && el('p', {}, demand),
            el('p', { class: 'aside' }, `${seen(lesson.slice(0, 2))} ${seen(task)}`),
            el(
              'p',
              { class: 'names' },
              ...who.flatMap(each => {
                const person = byWho.get(each)
                return person === undefined ? [] : [nameButton(person), ' ']
              }),
            ),
          ),
        ),
  )
}

/** @param {ShownBoard} shown */
function showPolls({ polls, lessons, phase }) {
  const present = polls.filter(({ lesson }) => lesson === phase.lesson)
  const others = polls.filter(({ lesson }) => lesson !== phase.lesson)
  replace(
    'polls',
    [...present, ...others].flatMap(poll => {
      const lesson = lessons.find(({ name }) => name === poll.lesson)
      if (lesson === undefined) return []
      return [
        el(
          'details',
          { open: poll === present[0] || polls.length === 1 },
          el('summary', {}, el('b', {}, `${seen(lesson.name.slice(0, 2))} `), seen(lesson.question)),
          pollList(lesson, poll, true),
        ),
      ]
    }),
  )
}

/**
 * Replaces the children of an element where they differ. A poll that was opened or closed stays so, and so does the focus.
 * @param {string} id
 * @param {HTMLElement[]} children
 */
function replace(id, children) {
  const place = byId(id)
  children.forEach((child, i) => {
    const old = place.children[i]
    if (old instanceof HTMLDetailsElement && child instanceof HTMLDetailsElement) child.open = old.open
    if (old === undefined) place.append(child)
    else if (!old.isEqualNode(child)) {
      const had = old.contains(document.activeElement)
      old.replaceWith(child)
      if (had) /** @type {HTMLElement | null} */ (child.querySelector('button, summary'))?.focus()
    }
  })
  while (place.children.length > children.length) place.lastElementChild?.remove()
}

/** @param {ShownPerson} person */
function personParts(person) {
  const { who, stuck, lesson, task, since, lastAt, joinedAt, tasks, begun, presence } = person
  const lines = [
    stuck && `Stuck: ${seen(stuck.text)}.`,
    lesson !== undefined && `At ${seen(lesson)} ${seen(task ?? '')}, for ${ago(since)}.`,
    `Joined at ${clock(joinedAt)}, last seen at ${clock(lastAt)}${presence === undefined ? '' : `, ${presence}`}.`,
  ].filter(each => typeof each === 'string')
  return [
    el('p', { class: 'aside' }, who),
    ...lines.map(each => el('p', {}, each)),
    ...(board?.lessons ?? []).flatMap(each => {
      const answered = begun[each.name]
      if (answered === undefined) return []
      return [
        el('h3', {}, `${seen(each.name.slice(0, 2))} ${seen(each.title)}`),
        el('p', { class: 'aside' }, answered),
        el(
          'ul',
          { class: 'plain' },
          ...each.tasks.flatMap(name => {
            const cell = tasks[`${each.name}/${name}`]
            if (cell === undefined) return []
            const refused = Object.entries(cell.refused).map(([rule, times]) =>
              el('li', {}, el('code', {}, seen(rule)), ` ${times} time${times === 1 ? '' : 's'}`),
            )
            return [
              el(
                'li',
                {},
                el('b', {}, seen(name)),
                ` ${cellWords(cell, lesson === each.name && task === name).join(', ')}`,
                refused.length > 0 && el('ul', {}, ...refused),
              ),
            ]
          }),
        ),
      ]
    }),
  ]
}

function showPerson() {
  const person = board?.people.find(({ who }) => who === open)
  if (person === undefined) return
  byId('person-name').textContent = nameOf(person)
  replace('person-parts', personParts(person))
}

/** Shows one person in full. @param {string} who */
function show(who) {
  open = who
  showPerson()
  dialog.showModal()
}

function showAll() {
  if (board === undefined) return
  const { room, people, phase, lessons } = board
  const lesson = lessons.find(({ name }) => name === phase.lesson)
  const inRoom = people.filter(({ leftAt }) => leftAt === undefined)
  byId('room').textContent = seen(room)
  byId('count').textContent =
    `${inRoom.length} ${inRoom.length === 1 ? 'person' : 'people'}, ${inRoom.filter(({ online }) => online).length} connected`
  byId('phase').textContent =
    `${lesson === undefined ? 'Each at a lesson of their own' : seen(lesson.title)} · ${board.pace}`
  const columns = /** @type {HTMLSelectElement} */ (byId('columns'))
  if (columns.options.length !== lessons.length + 2) {
    columns.replaceChildren(
      el('option', { value: 'room' }, 'that of the room'),
      el('option', { value: 'all' }, 'all, in short'),
      ...lessons.map(({ name, title }) =>
        el('option', { value: name }, seen(`${name.slice(0, 2)} ${title}`)),
      ),
    )
  }
  showControls(board)
  showStuck(board)
  showGroups(board)
  showTable(board)
  showPolls(board)
  if (dialog.open) showPerson()
}

const draw = onceAFrame(showAll)

function toggleNames() {
  namesHidden = !namesHidden
  if (namesHidden) sessionStorage.setItem('names hidden', 'true')
  else sessionStorage.removeItem('names hidden')
  byId('names').setAttribute('aria-pressed', String(namesHidden))
  draw()
}

byId('names').setAttribute('aria-pressed', String(namesHidden))
byId('names').onclick = toggleNames
filterField.oninput = () => {
  filter = filterField.value
  draw()
}
byId('columns').onchange = event => {
  chosen = /** @type {HTMLSelectElement} */ (event.target).value
  draw()
}
byId('order').onchange = event => {
  order = /** @type {HTMLSelectElement} */ (event.target).value
  draw()
}
byId('person-form').onsubmit = event => {
  event.preventDefault()
  const name = byId('person-name').textContent ?? ''
  if (open !== undefined) say(byId('person-say'), open, name)
}
byId('person-hint').onclick = () => {
  if (open !== undefined)
    lead({ do: 'hint', who: open }, `${byId('person-name').textContent} has the next hint.`)
}
byId('person-close').onclick = () => dialog.close()

controls(() => board)
listen([
  ['n', 'hide or show the names', toggleNames],
  ['/', 'list only some people', () => filterField.focus()],
  ['j', 'the next person', () => focusNext(byId('rows'), 1, 0)],
  ['k', 'the person before', () => focusNext(byId('rows'), -1, -1)],
  ['s', 'say something to all', () => byId('say').focus()],
])
followBoard(shown => {
  board = shown
  came = Date.now()
  draw()
})
// Times go on while nothing happens.
setInterval(draw, 20_000)
