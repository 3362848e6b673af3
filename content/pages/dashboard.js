import { byId, clock, el, focusNext, follow, listen, onceAFrame, seen } from './elements.js'

/**
 * An event of the lab, and its text for people.
 * @typedef {{ readonly event: Readonly<Record<string, unknown>>, readonly text: string, readonly refused: boolean }} ShownEvent
 * @typedef {{ readonly id: string, readonly events: ShownEvent[], answered?: Readonly<Record<string, unknown>> }} Request
 */

/** Requests that are kept; the oldest go. */
const MOST = 500

/** By number; events without a request each have an entry of their own. @type {Map<string, Request>} */
const requests = new Map()
/** @type {string | undefined} */
let open
let paused = false
let filter = ''
let lonely = 0
/** @type {HTMLInputElement} */
const filterField = byId('filter')

/** A value of an event as text. @param {unknown} value */
const textOf = value => seen(typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))

/** @param {Request} request */
const isRefused = ({ events }) => events.some(({ refused }) => refused)

/** @param {Request} request */
function summary({ answered, events }) {
  if (answered === undefined) return textOf(events[0]?.event.type)
  return `${textOf(answered.method)} ${textOf(answered.path)}`
}

/** @param {Request} request */
function fits(request) {
  const { answered, events } = request
  const text = `${summary(request)} ${textOf(answered?.status ?? '')} ${textOf(answered?.client_id ?? '')} ${events.map(each => each.text).join(' ')}`
  return filter
    .toLowerCase()
    .split(/\s+/)
    .every(word => text.toLowerCase().includes(word))
}

/** @param {Request} request */
function row(request) {
  const { id, answered, events } = request
  const refusal = events.find(({ refused, event }) => refused && event.type !== 'request.answered')
  return el(
    'tr',
    { class: isRefused(request) ? 'refused' : undefined },
    el('td', {}, el('time', {}, clock(String(events[0]?.event.at)))),
    el(
      'th',
      { scope: 'row' },
      el(
        'button',
        { class: 'link', 'aria-pressed': String(id === open), 'data-id': id, click: () => show(id) },
        summary(request),
      ),
      refusal !== undefined && el('small', {}, refusal.text),
    ),
    el('td', {}, answered === undefined ? '' : textOf(answered.status)),
    el('td', {}, textOf(answered?.client_id ?? '')),
    el('td', {}, answered === undefined ? '' : `${Math.round(Number(answered.ms))} ms`),
  )
}

/** @param {ShownEvent} shown */
function eventPart({ event, text, refused }) {
  const members = Object.entries(event).filter(([name]) => !['type', 'at', 'request'].includes(name))
  return el(
    'li',
    { class: refused ? 'refused' : undefined },
    el('p', {}, el('time', {}, clock(String(event.at))), ' ', el('code', {}, textOf(event.type))),
    el('p', {}, seen(text)),
    el(
      'dl',
      {},
      ...members.flatMap(([name, value]) => [
        el('dt', {}, seen(name)),
        el('dd', {}, el('code', {}, textOf(value))),
      ]),
    ),
  )
}

function draw() {
  if (paused) return
  const focused = document.activeElement?.getAttribute('data-id')
  const listed = [...requests.values()].reverse().filter(fits)
  byId('rows').replaceChildren(...listed.map(row))
  if (focused) /** @type {HTMLElement | null} */ (document.querySelector(`[data-id="${focused}"]`))?.focus()
  byId('count').textContent =
    `${requests.size} ${requests.size === 1 ? 'entry' : 'entries'}, ${[...requests.values()].filter(isRefused).length} refused`
  drawDetails()
}

function drawDetails() {
  const request = open === undefined ? undefined : requests.get(open)
  byId('details-heading').textContent = request === undefined ? 'No request is selected' : summary(request)
  byId('details').replaceChildren(...(request?.events.map(eventPart) ?? []))
}

/** @param {string} id */
function show(id) {
  open = id
  for (const button of byId('rows').querySelectorAll('button'))
    button.setAttribute('aria-pressed', String(button.dataset.id === id))
  drawDetails()
}

/** @param {ShownEvent} shown */
function add(shown) {
  const { request, type } = shown.event
  const id = typeof request === 'number' ? String(request) : `alone-${++lonely}`
  const entry = requests.get(id) ?? { id, events: [] }
  entry.events.push(shown)
  if (type === 'request.answered') entry.answered = shown.event
  requests.set(id, entry)
  const oldest = requests.keys().next().value
  if (requests.size > MOST && oldest !== undefined) requests.delete(oldest)
  plan()
}

const plan = onceAFrame(draw)

function pause() {
  paused = !paused
  byId('pause').setAttribute('aria-pressed', String(paused))
  draw()
}

/** @param {1 | -1} by */
function step(by) {
  const id = focusNext(byId('rows'), by, 0)?.dataset.id
  if (id !== undefined) show(id)
}

byId('pause').onclick = pause
filterField.oninput = () => {
  filter = filterField.value
  draw()
}
listen([
  ['j', 'the next request, which is older', () => step(1)],
  ['k', 'the request before', () => step(-1)],
  ['/', 'list only some requests', () => filterField.focus()],
  ['p', 'pause or continue', pause],
])
follow(last => `/web/events${last === '' ? '' : `?after=${last}`}`, add)
