/** @import { Pace } from '../../src/protocol/room/messages.js' */
/** @import { ShownBoard } from '../../src/servers/room/model.js' */
import { byId, el, seen } from './elements.js'

/**
 * Sends a move of the teacher, and says how it went in `#done`.
 * @param {object} move
 * @param {string} done a sentence
 */
export async function lead(move, done) {
  const answer = await fetch('/board/lead', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(move),
  }).catch(() => undefined)
  const status = byId('done')
  status.classList.toggle('lost', answer?.ok !== true)
  if (answer?.ok) status.textContent = done
  else if (answer === undefined) status.textContent = 'Not sent: the room does not answer. Try again.'
  else status.textContent = `Not done: ${answer.status} ${seen(await answer.text())}`
  return answer?.ok === true
}

/**
 * Sends a sentence to one person, or to all.
 * @param {HTMLInputElement} field
 * @param {string | undefined} who
 * @param {string} name of the person
 */
export async function say(field, who, name) {
  const text = field.value.trim()
  if (text === '') return
  if (await lead({ do: 'say', text, ...(who && { who }) }, `Said to ${name}: ${text}`)) field.value = ''
}

/** @param {string} value @returns {Pace} */
function paceOf(value) {
  if (value === 'all') return { kind: 'together', share: 1 }
  if (value === 'most') return { kind: 'together', share: 0.8 }
  if (value === 'free') return { kind: 'free' }
  return { kind: 'until', at: new Date(Date.now() + Number(value) * 60_000).toISOString() }
}

/** The value of the field for a pace; a time that was set stays one. @param {Pace} pace */
export function paceValue(pace) {
  if (pace.kind === 'together') return pace.share === 1 ? 'all' : 'most'
  return pace.kind === 'free' ? 'free' : '10'
}

/**
 * Makes the controls of the page work.
 * @param {() => ShownBoard | undefined} now the board
 */
export function controls(now) {
  /** @type {HTMLSelectElement} */
  const lesson = byId('lesson')
  /** @type {HTMLSelectElement} */
  const pace = byId('pace')
  /** @type {HTMLInputElement} */
  const text = byId('say')
  /** @type {HTMLDialogElement} */
  const ending = byId('ending')
  byId('phase-form').onsubmit = event => {
    event.preventDefault()
    const name = lesson.value
    const title = now()?.lessons.find(each => each.name === name)?.title
    lead(
      { do: 'phase', pace: paceOf(pace.value), ...(name !== '' && { lesson: name }) },
      title === undefined ? 'Everybody is at a lesson of their own.' : `The room is at: ${seen(title)}`,
    )
  }
  byId('next').onclick = () => {
    const next = now()?.next
    if (next !== undefined) lead(next.action, next.text)
  }
  byId('say-form').onsubmit = event => {
    event.preventDefault()
    say(text, undefined, 'all')
  }
  byId('hint').onclick = () => lead({ do: 'hint' }, 'Everybody has the next hint.')
  byId('end').onclick = () => ending.showModal()
  byId('end-no').onclick = () => ending.close()
  byId('end-yes').onclick = async () => {
    await lead({ do: 'end' }, 'The room has ended.')
    ending.close()
  }
}

let shownPhase = ''

/** Shows the phase in the controls. It leaves a field alone that the teacher is about to change. @param {ShownBoard} board */
export function showControls(board) {
  /** @type {HTMLSelectElement} */
  const lesson = byId('lesson')
  /** @type {HTMLSelectElement} */
  const pace = byId('pace')
  if (lesson.options.length !== board.lessons.length + 1) {
    lesson.replaceChildren(
      el('option', { value: '' }, 'each its own'),
      ...board.lessons.map(({ name, title }) =>
        el('option', { value: name }, seen(`${name.slice(0, 2)} ${title}`)),
      ),
    )
  }
  const phase = JSON.stringify(board.phase)
  if (phase !== shownPhase) {
    shownPhase = phase
    lesson.value = board.phase.lesson ?? ''
    pace.value = paceValue(board.phase.pace)
  }
  /** @type {HTMLButtonElement} */
  const next = byId('next')
  next.disabled = board.next === undefined
  next.textContent = board.next === undefined ? 'Next' : `Next: ${seen(board.next.text)}`
}
