import { nextText, paceText, stuckText } from '../../../protocol/room/texts.js'
import { type RuleDocuments, ruleDemand } from '../../../protocol/rules/documents.js'
import { defined } from '../../../protocol/values.js'
import { nextAction } from '../lead.js'
import type { Board, ShownBoard } from '../model.js'

/** Adds the sentences that the pages show: reasons, the demands of rules, the pace, what comes next. */
export function shownBoard(board: Board, documents: RuleDocuments): ShownBoard {
  const action = nextAction(board)
  return {
    ...board,
    ...(action && { next: { action, text: nextText(action, board.lessons) } }),
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
