/** @import { BoardLesson, ShownBoard } from '../../src/servers/room/model.js' */
import { byId, el, listen, seen } from './elements.js'
import { followBoard } from './follow-board.js'
import { showLanes } from './lanes.js'
import { pollList } from './polls.js'

/** @type {ShownBoard | undefined} */
let board
let codeShown = false
/** The right option and the answers after the tasks are shown. */
let reveal = false
/** The flows of a room with a lab, in the place of tasks and poll. */
let flowsShown = true
let paused = false
let namesShown = false

/** The task that most people of the lesson are at. @param {ShownBoard} shown @param {BoardLesson} lesson */
function presentTask({ people }, lesson) {
  const at = (/** @type {string} */ name) =>
    people.filter(
      ({ lesson: in_, task, leftAt }) => leftAt === undefined && in_ === lesson.name && task === name,
    ).length
  return lesson.tasks.toSorted((a, b) => at(b) - at(a))[0]
}

/** @param {string} task @param {number} done @param {number} of @param {boolean} present */
function taskBar(task, done, of, present) {
  const fill = el('span', { class: 'fill after' })
  fill.style.width = `${of === 0 ? 0 : (done / of) * 100}%`
  return el(
    'li',
    { class: present ? 'present' : undefined },
    el('span', {}, seen(task), present && el('span', { class: 'sr' }, ' (the present task)')),
    el('span', { class: 'track', 'aria-hidden': 'true' }, fill),
    el('b', {}, `${done} of ${of}`),
  )
}

/** Shows the flows, if the room has a lab. @param {ShownBoard} shown */
function drawFlows({ lanes, people }) {
  byId('lane-tools').hidden = lanes === undefined
  byId('flows').hidden = lanes === undefined || !flowsShown
  byId('lesson').hidden = lanes !== undefined && flowsShown
  byId('shown').setAttribute('aria-pressed', String(flowsShown))
  byId('pause').setAttribute('aria-pressed', String(paused))
  byId('names').setAttribute('aria-pressed', String(namesShown))
  if (lanes === undefined || paused) return
  const names = new Map(people.map(({ who, name }) => [who, name]))
  showLanes(lanes, who => (namesShown ? seen(names.get(who) ?? who) : who))
}

function draw() {
  if (board === undefined) return
  const { room, code, people, phase, lessons, polls } = board
  const lesson = lessons.find(({ name }) => name === phase.lesson)
  const here = people.filter(({ leftAt }) => leftAt === undefined)
  byId('room').textContent = seen(room)
  byId('phase').textContent = lesson === undefined ? 'Each at a lesson of their own' : seen(lesson.title)
  drawFlows(board)
  byId('pace').textContent = `${board.pace} · ${here.length} ${here.length === 1 ? 'person' : 'people'}`
  byId('join').textContent =
    `npx oauth-lab join ${location.host} ${codeShown ? code : code.replace(/[^-]/g, '•')}`
  byId('code').setAttribute('aria-pressed', String(codeShown))
  byId('reveal').setAttribute('aria-pressed', String(reveal))
  const present = lesson && presentTask(board, lesson)
  byId('tasks').replaceChildren(
    ...(lesson?.tasks ?? []).map(task => {
      const done = here.filter(({ tasks }) => tasks[`${lesson?.name}/${task}`]?.state === 'done').length
      return taskBar(task, done, here.length, task === present)
    }),
  )
  const poll = polls.find(({ lesson: name }) => name === lesson?.name)
  byId('question').textContent = lesson && poll ? seen(lesson.question) : ''
  byId('poll').replaceChildren(
    ...(lesson && poll ? [pollList(lesson, reveal ? poll : { ...poll, after: {} }, reveal)] : []),
  )
}

function toggleCode() {
  codeShown = !codeShown
  draw()
}

function toggleReveal() {
  reveal = !reveal
  draw()
}

function toggleFlows() {
  flowsShown = !flowsShown
  draw()
}

function togglePause() {
  paused = !paused
  draw()
}

function toggleNames() {
  namesShown = !namesShown
  draw()
}

byId('code').onclick = toggleCode
byId('reveal').onclick = toggleReveal
byId('shown').onclick = toggleFlows
byId('pause').onclick = togglePause
byId('names').onclick = toggleNames
listen([
  ['c', 'show or hide the code', toggleCode],
  ['r', 'show or hide what is right, and the answers after the tasks', toggleReveal],
  ['f', 'the flows of the room, or tasks and prediction', toggleFlows],
  ['p', 'pause or continue the flows', togglePause],
  ['n', 'show or hide the names at the flows', toggleNames],
])
followBoard(shown => {
  if (board !== undefined && shown.phase.lesson !== board.phase.lesson) reveal = false
  board = shown
  draw()
})
