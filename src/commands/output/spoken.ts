import { type TypedLines, typedLines } from '../../session/input/input.js'
import type { SpokenItem } from '../../show/render/spoken/spoken-item.js'
import type { Interruption } from '../program/exit.js'
import { print, prompt } from './output.js'

/** The prompt after an item. */
const PROMPT = 'Press Enter for the next, r to repeat, d for details, q to quit: '

/** Writes an item again, or its details. Returns false for any other key. */
export function repeatItem(key: string, item: SpokenItem | undefined, none: string): boolean {
  if (key !== 'r' && key !== 'd') return false
  if (item === undefined) print(none)
  else if (key === 'r') print(item.say)
  else print(...item.details)
  return true
}

/** Asks what comes after an item. Returns undefined at the end of the input. */
async function answerTo(item: SpokenItem, keys: TypedLines): Promise<string | undefined> {
  for (;;) {
    prompt(PROMPT)
    const typed = await keys.next()
    if (typed === undefined) prompt('\n')
    if (typed === undefined || !repeatItem(typed, item, '')) return typed
  }
}

/**
 * Reads items aloud and waits for Enter after each: `r` repeats an item, `d` reads its details, `q` ends. After the end
 * of the input all remaining items are read. A signal ends the reading, and sets the exit code.
 */
export async function speakItems(
  items: AsyncIterable<SpokenItem> | Iterable<SpokenItem>,
  { signal, exitCode, ignore }: Interruption,
): Promise<void> {
  const keys = typedLines(signal)
  let listening = true
  try {
    for await (const item of items) {
      if (signal.aborted) break
      print(item.say)
      const typed: string | undefined = listening ? await answerTo(item, keys) : undefined
      listening = typed !== undefined
      if (typed === 'q') break
    }
  } finally {
    keys.close()
    ignore()
  }
  process.exitCode = exitCode()
}
