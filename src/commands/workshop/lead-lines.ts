import { MAX_SENTENCE, type Pace } from '../../protocol/room/messages.js'
import { nextAction } from '../../servers/room/lead.js'
import type { Board, LeadAction } from '../../servers/room/model.js'

/** Commands of a teacher without a screen. */
export const LEAD_WORDS = 'say TEXT, hint, next, open, free, together, most, report, end'

const paces: Readonly<Record<string, Pace>> = {
  free: { kind: 'free' },
  together: { kind: 'together', share: 1 },
  most: { kind: 'together', share: 0.8 },
}

/** A line that the teacher typed: an action, the wish for the report, or a sentence that says why it is neither. */
type LeadLine =
  | { readonly kind: 'action'; readonly action: LeadAction }
  | { readonly kind: 'report' }
  | { readonly kind: 'problem'; readonly problem: string }

const act = (action: LeadAction): LeadLine => ({ kind: 'action', action })

/** Reads a line of the teacher. */
export function readLeadLine(line: string, board: Pick<Board, 'lessons' | 'phase'>): LeadLine {
  const [, word = '', text = ''] = /^(\S*)\s*(.*)$/.exec(line.trim()) ?? []
  const pace = Object.hasOwn(paces, word) ? paces[word] : undefined
  const { lesson } = board.phase
  if (pace !== undefined) return act({ do: 'phase', pace, ...(lesson !== undefined && { lesson }) })
  if (word === 'say' && text !== '' && text.length <= MAX_SENTENCE) return act({ do: 'say', text })
  if (word === 'say')
    return { kind: 'problem', problem: `say takes a sentence of up to ${MAX_SENTENCE} characters` }
  if (word === 'hint' || word === 'end') return act({ do: word })
  if (word === 'report') return { kind: 'report' }
  const next = nextAction(board)
  if (word === 'next') return next ? act(next) : { kind: 'problem', problem: 'this was the last lesson' }
  if (word !== 'open') return { kind: 'problem', problem: `Type one of: ${LEAD_WORDS}` }
  return next?.do === 'open' ? act(next) : { kind: 'problem', problem: 'no task of this lesson holds people' }
}
