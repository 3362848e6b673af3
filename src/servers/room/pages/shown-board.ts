import type { Pace } from '../../../protocol/room/messages.js'
import { type RuleDocuments, ruleDemand } from '../../../protocol/rules/documents.js'
import { defined } from '../../../protocol/values.js'
import { nextAction } from '../lead.js'
import type { Board, BoardPerson, Lane, LeadAction, ShownBoard, ShownPerson, Stuck } from '../model.js'
import { taskKey } from '../person.js'

/** Returns the reason for which somebody needs the teacher as a text. */
function stuckText(stuck: Stuck): string {
  if (stuck.why === 'refused') return `refused three times by ${stuck.rule}`
  return {
    said: 'asks for help',
    hints: 'took the last hint, or the solution',
    slow: 'needs twice as long as most',
  }[stuck.why]
}

/** Returns the pace of a room as a text. */
function paceText(pace: Pace): string {
  if (pace.kind === 'free') return 'each at their own pace'
  if (pace.kind === 'until') return `goes on at ${pace.at.slice(11, 16)} UTC`
  return pace.share === 1 ? 'goes on together' : `goes on once ${Math.round(pace.share * 100)} % are done`
}

/** Returns the action that "next" means as a text. */
function nextText(action: LeadAction, lessons: Board['lessons']): string {
  if (action.do === 'open') return `people go on after ${action.task.slice(action.task.indexOf('/') + 1)}`
  const lesson = action.do === 'phase' ? action.lesson : undefined
  return `lesson ${lesson?.slice(0, 2)} ${lessons.find(({ name }) => name === lesson)?.title ?? ''}`.trimEnd()
}

/** The lesson that board and screen show by its tasks. */
function shownLesson({ lessons, phase, people }: Board): string | undefined {
  const at = new Map(lessons.map(({ name }) => [name, 0]))
  for (const { lesson = '' } of people) at.set(lesson, (at.get(lesson) ?? 0) + 1)
  const present = lessons.find(({ name }) => name === phase.lesson)
  return (present ?? lessons.toSorted((a, b) => at.get(b.name)! - at.get(a.name)!)[0])?.name
}

/** Returns the answers to a prediction as a text. */
function predictionText(answers: BoardPerson['predictions'][string] | undefined, right: string): string {
  if (answers === undefined) return 'no prediction'
  const { first, last } = answers
  const again = last === undefined ? '' : `, then ${last.toUpperCase()}`
  return `predicted ${first.toUpperCase()}${again}; right is ${right.toUpperCase()}`
}

function presenceOf({ leftAt, online, idle }: BoardPerson): ShownPerson['presence'] {
  if (leftAt !== undefined) return 'left'
  if (!online) return 'offline'
  return idle ? 'idle' : undefined
}

function shownPerson({ stuck, predictions, ...person }: BoardPerson, lessons: Board['lessons']): ShownPerson {
  const begun = lessons.filter(({ name, tasks }) => tasks.some(task => person.tasks[taskKey(name, task)]))
  const presence = presenceOf({ ...person, predictions })
  return {
    ...person,
    ...(stuck && { stuck: { ...stuck, text: stuckText(stuck) } }),
    ...(presence && { presence }),
    begun: Object.fromEntries(
      begun.map(({ name, right }) => [name, predictionText(predictions[name], right)]),
    ),
  }
}

/**
 * Makes the function that adds the sentences that board and screen show: reasons, the demands of rules, the pace, what comes next. A person who is the same
 * object as before is shown by the same object. The boards have to be those of one room.
 * @returns a function of the board, and of the flows of a room with a lab
 */
export function boardShower(documents: RuleDocuments): (board: Board, lanes?: readonly Lane[]) => ShownBoard {
  const shown = new WeakMap<BoardPerson, ShownPerson>()

  function personOf(person: BoardPerson, lessons: Board['lessons']): ShownPerson {
    const made = shown.get(person) ?? shownPerson(person, lessons)
    shown.set(person, made)
    return made
  }

  return (board, lanes) => {
    const action = nextAction(board)
    return {
      ...board,
      ...(action && { next: { action, text: nextText(action, board.lessons) } }),
      ...defined({ lesson: shownLesson(board), lanes }),
      pace: paceText(board.phase.pace),
      groups: board.groups.map(group => ({
        ...group,
        ...defined({ demand: ruleDemand(documents, group.rule) }),
      })),
      people: board.people.map(person => personOf(person, board.lessons)),
    }
  }
}
