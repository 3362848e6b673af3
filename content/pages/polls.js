/** @import { BoardLesson, BoardPoll } from '../../src/servers/room/model.js' */
import { el, seen, total } from './elements.js'

/**
 * A bar with its number.
 * @param {string} when
 * @param {number} count
 * @param {number} of
 */
function bar(when, count, of) {
  const part = of === 0 ? 0 : count / of
  const fill = el('span', { class: `fill ${when}` })
  fill.style.width = `${part * 100}%`
  return el(
    'div',
    { class: 'bar' },
    el('span', { class: 'when' }, when),
    el('span', { class: 'track', 'aria-hidden': 'true' }, fill),
    el('span', { class: 'count' }, `${count} (${Math.round(part * 100)} %)`),
  )
}

/**
 * The answers of the room to a prediction: each option with its text, before the tasks of the lesson and, where somebody
 * answered again, after them.
 * @param {BoardLesson} lesson
 * @param {BoardPoll} poll
 * @param {boolean} reveal true to mark the right option
 */
export function pollList({ options, right }, { before, after }, reveal) {
  const [first, again] = [total(before), total(after)]
  return el(
    'ol',
    { class: 'poll' },
    ...options.map((text, i) => {
      const letter = String.fromCharCode(97 + i)
      const isRight = reveal && letter === right
      return el(
        'li',
        { class: isRight ? 'right' : undefined },
        el(
          'p',
          {},
          el('b', {}, `${letter.toUpperCase()} `),
          seen(text),
          isRight && el('strong', {}, ' ✓ right'),
        ),
        bar('before', before[letter] ?? 0, first),
        again > 0 && bar('after', after[letter] ?? 0, again),
      )
    }),
  )
}
