/** @import { BoardMessage, ShownBoard } from '../../src/servers/room/model.js' */
import { follow } from './elements.js'

/**
 * Follows the board of the room: the whole of it comes first, then what changes.
 * @param {(board: ShownBoard) => void} show
 */
export function followBoard(show) {
  /** @type {ShownBoard | undefined} */
  let board
  follow(
    () => '/board/events',
    (/** @type {BoardMessage} */ message) => {
      if (message.type === 'board') board = message
      else if (board !== undefined) {
        const people = new Map([...board.people, ...message.people].map(person => [person.who, person]))
        board = { ...message, lessons: board.lessons, people: [...people.values()] }
      }
      if (board !== undefined) show(board)
    },
  )
}
