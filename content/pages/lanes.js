/** @import { Lane, LaneStep } from '../../src/servers/room/model.js' */
import { byId, el, seen } from './elements.js'

/** Milliseconds between two steps of a lane: as quick as a room can follow. */
const PACE = 600

/** The columns of a lane: the step's number leads the eye through them. */
const COLUMNS = /** @type {const} */ ([
  ['Browser', ['browser']],
  ['Authorization server', ['authorization']],
  ['Resource, cluster, DNS', ['resource', 'cluster', 'dns']],
])

/**
 * A row: how many of its steps are drawn, and where.
 * @typedef {{ readonly row: HTMLElement, readonly name: HTMLElement, readonly why: HTMLElement, readonly cells: readonly HTMLElement[], drawn: number }} Row
 */

/** By person and beginning. @type {Map<string, Row>} */
const rows = new Map()
/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer
let isFirst = true
/** @type {readonly Lane[]} */
let wanted = []
/** @type {(who: string) => string} */
let nameOf = who => who

/** @returns {Row} */
function newRow() {
  const name = el('h3')
  const why = el('p', { class: 'why' })
  const cells = COLUMNS.map(([title]) => el('ol', { 'aria-label': title }))
  const parts = COLUMNS.map(([title], i) =>
    el('div', { class: 'part' }, el('span', { class: 'column', 'aria-hidden': 'true' }, title), cells[i]),
  )
  return { row: el('li', {}, name, ...parts, why), name, why, cells, drawn: 0 }
}

/** The reason and the rule of a refused step. @param {number} number @param {LaneStep} step */
const whyOf = (number, { reason, rule, status }) => [
  el('b', {}, `✗ ${number} `),
  seen(reason ?? `the answer is ${status}`),
  el('b', {}, rule === undefined ? '' : ` ${seen(rule)}`),
]

/** Draws the next step of a lane. @param {Row} shown @param {LaneStep} next */
function drawStep(shown, next) {
  const { cells, why } = shown
  const { part, step, text, status, refused } = next
  const number = ++shown.drawn
  const column = COLUMNS.findIndex(([, parts]) => parts.some(each => each === part))
  cells[column]?.append(
    el(
      'li',
      { class: refused ? 'refused new' : 'new' },
      el('b', {}, String(number)),
      el('span', {}, seen(text)),
      refused && el('span', { 'aria-label': 'refused', role: 'img' }, '✗'),
      (refused || step === 'token' || step === 'api') && el('small', {}, String(status)),
    ),
  )
  // A reason stays until the flow goes on.
  why.replaceChildren(...(refused ? whyOf(number, next) : []))
}

/** Draws one more step of each lane, and says the newest. */
function advance() {
  timer = undefined
  let left = false
  let newest = ''
  for (const { who, at, steps } of wanted) {
    const shown = rows.get(`${who} ${at}`)
    const step = shown && steps[shown.drawn]
    if (shown === undefined || step === undefined) continue
    drawStep(shown, step)
    const refusal = step.refused ? `, refused: ${step.reason ?? step.status} ${step.rule ?? ''}` : ''
    newest = `${nameOf(who)} ${seen(step.text + refusal)}`
    left ||= shown.drawn < steps.length
  }
  if (newest !== '') byId('newest').textContent = newest
  if (left) timer = setTimeout(advance, PACE)
}

/**
 * Draws the flows of the room, newest first. New steps appear one after the other; those of the first call are there at once.
 * @param {readonly Lane[]} lanes
 * @param {(who: string) => string} name the name of a person as the room may see it
 */
export function showLanes(lanes, name) {
  const list = byId('lanes')
  wanted = lanes
  nameOf = name
  const keys = new Set(lanes.map(({ who, at }) => `${who} ${at}`))
  for (const [key, { row }] of rows) {
    if (keys.has(key)) continue
    row.remove()
    rows.delete(key)
  }
  for (const { who, at, steps } of lanes.toReversed()) {
    const key = `${who} ${at}`
    const shown = rows.get(key) ?? newRow()
    shown.name.textContent = name(who)
    if (rows.has(key)) continue
    rows.set(key, shown)
    list.prepend(shown.row)
    if (!isFirst) continue
    for (const step of steps) drawStep(shown, step)
  }
  isFirst = false
  byId('none').hidden = lanes.length > 0
  if (timer === undefined) advance()
}
