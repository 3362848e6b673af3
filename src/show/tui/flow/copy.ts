import { clipboardSequence } from '../screen/clipboard.js'
import { type FlowPress, report } from './menus.js'
import { shownToken } from './panes.js'
import { type FlowState, serverEventsAt } from './state.js'

/** Something to copy, whole, and what it is. */
interface Copy {
  readonly what: string
  readonly text: string
}

/**
 * The text that the pane with the keys copies: of the sequence the address of the step; of the exchange the body of the
 * answer, or the address without one; the token; the events as JSON lines. Undefined when there is nothing.
 */
function copyOf(state: FlowState): Copy | undefined {
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

/** Puts a text into a file, for terminals without a clipboard. `sent`: it went to the clipboard too. */
async function keepCopied({ what, text }: Copy, said: string, sent: boolean, on: FlowPress): Promise<void> {
  const { keepCopy } = on.context().offers
  if ('why' in keepCopy) {
    if (sent) report(on, `sent ${said} to the terminal's clipboard`, true)
    else report(on, `${said} is too long for the clipboard of a terminal`, false)
    return
  }
  try {
    const file = await keepCopy.offer(text)
    report(
      on,
      sent
        ? `copied ${what}, and for terminals without clipboard into ${file}`
        : `${what}: too long for a terminal's clipboard, so in ${file}`,
      true,
    )
  } catch (error) {
    report(on, `copied ${said}, but into no file: ${(error as Error).message}`, false)
  }
}

/** Puts the text of the pane on the clipboard of the terminal, and into a file when nobody knows if that worked. */
export function copy(on: FlowPress): void {
  const copied = copyOf(on.state)
  if (copied === undefined) {
    report(on, 'there is nothing to copy in this pane', false)
    return
  }
  const sequence = clipboardSequence(copied.text)
  if (sequence !== undefined) on.emit(sequence)
  const said = `${copied.what} (${copied.text.length.toLocaleString('en-US')} characters)`
  if (sequence !== undefined && on.hasClipboard) report(on, `copied ${said}`, true)
  else void keepCopied(copied, said, sequence !== undefined, on)
}
