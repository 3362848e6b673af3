import type { Pace } from '../../../protocol/room/messages.js'
import { type RuleDocuments, ruleDemand } from '../../../protocol/rules/documents.js'
import { defined } from '../../../protocol/values.js'
import { nextAction } from '../lead.js'
import type { Board, Lane, ShownBoard, Stuck } from '../model.js'

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
function nextText(
  action: { readonly do: string; readonly task?: string; readonly lesson?: string },
  lessons: readonly { readonly name: string; readonly title: string }[],
): string {
  const { task, lesson } = action
  if (task !== undefined) return `people go on after ${task.slice(task.indexOf('/') + 1)}`
  return `lesson ${lesson?.slice(0, 2)} ${lessons.find(({ name }) => name === lesson)?.title ?? ''}`.trimEnd()
}

/**
 * Adds the sentences that the pages show: reasons, the demands of rules, the pace, what comes next.
 * @param lanes the flows of a room with a lab
 */
export function shownBoard(board: Board, documents: RuleDocuments, lanes?: readonly Lane[]): ShownBoard {
  const action = nextAction(board)
  return {
    ...board,
    ...(action && { next: { action, text: nextText(action, board.lessons) } }),
    ...(lanes && { lanes }),
    pace: paceText(board.phase.pace),
    groups: board.groups.map(group => ({
      ...group,
      ...defined({ demand: ruleDemand(documents, group.rule) }),
    })),
    people: board.people.map(({ stuck, ...person }) =>
      stuck === undefined ? person : { ...person, stuck: { ...stuck, text: stuckText(stuck) } },
    ),
  }
}
