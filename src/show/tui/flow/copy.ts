import { clipboardSequence } from '../screen/clipboard.js'
import { serverEventsAt } from './entries.js'
import type { FlowOffers } from './offers.js'
import { shownToken } from './pane-lines.js'
import type { FlowState } from './state.js'

/** Something to copy, whole, and what it is. */
export interface Copy {
  readonly what: string
  readonly text: string
}

/**
 * The text that the pane with the keys copies: of the sequence the address of the step; of the exchange the body of the
 * answer, or the address without one; the token; the events as JSON lines. Undefined when there is nothing.
 */
export function copyOf(state: FlowState): Copy | undefined {
  const step = state.steps[state.selected]
  const address = step?.exchange?.request.url ?? step?.url
  const url = address === undefined ? undefined : { what: 'the address', text: address }
  switch (state.pane) {
    case 'sequence':
      return url
    case 'exchange': {
      const body = step?.exchange?.response?.body
      return body ? { what: 'the body of the answer', text: body } : url
    }
    case 'token': {
      const token = shownToken(state)
      return token && { what: `the ${token.kind.replace('_', ' ')}`, text: token.value }
    }
    case 'server': {
      const events = serverEventsAt(state)
      if (events.length === 0) return undefined
      const text = `${events.map(event => JSON.stringify(event)).join('\n')}\n`
      return { what: events.length === 1 ? 'the event' : `${events.length} events`, text }
    }
  }
}

/** How a text gets to the clipboard. */
export interface CopyPorts {
  readonly keepCopy: FlowOffers['keepCopy']
  /** Writes a control sequence to the terminal. */
  readonly emit: (sequence: string) => void
  /** True when the terminal is known to have a clipboard for it. */
  readonly sure: boolean
}

/**
 * Puts a text on the clipboard of the terminal, and into a file when nobody knows if that worked.
 * @returns the message for the person
 */
export async function copyOut(
  { what, text }: Copy,
  ports: CopyPorts,
): Promise<{ text: string; good: boolean }> {
  const sequence = clipboardSequence(text)
  if (sequence !== undefined) ports.emit(sequence)
  const said = `${what} (${text.length.toLocaleString('en-US')} characters)`
  if (sequence !== undefined && ports.sure) return { text: `copied ${said}`, good: true }
  if ('why' in ports.keepCopy) {
    return sequence === undefined
      ? { text: `${said} is too long for the clipboard of a terminal`, good: false }
      : { text: `sent ${said} to the terminal's clipboard`, good: true }
  }
  try {
    const file = await ports.keepCopy.offer(text)
    return sequence === undefined
      ? { text: `${what}: too long for a terminal's clipboard, so in ${file}`, good: true }
      : { text: `copied ${what}, and for terminals without clipboard into ${file}`, good: true }
  } catch (error) {
    return { text: `copied ${said}, but into no file: ${(error as Error).message}`, good: false }
  }
}
