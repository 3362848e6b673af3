import { createInterface } from 'node:readline/promises'
import type { AskLogin } from '../../client/login.js'
import { makeSafe } from '../../protocol/safe-output/safe.js'
import { narrate } from '../output/output.js'

/** Largest line of a pipe, in characters. */
const LONGEST = 64 * 1024

const QUESTION = 'Paste the address at which your browser ended, and press Enter (empty: cancel)'

/** Asks the person at the terminal, or reads the next line of a pipe, for the address with the answer. */
export function pasteAtTerminal(signal: AbortSignal): AskLogin {
  const nextLine = linesOfPipe(signal)
  return async ({ pastes, message }) => {
    if (pastes === undefined) return { kind: 'cancel' }
    if (message !== undefined) narrate(makeSafe(message))
    const typed = process.stdin.isTTY ? await asked(signal) : await nextLine()
    return typed?.trim() ? { kind: 'code', code: typed } : { kind: 'cancel' }
  }
}

async function asked(signal: AbortSignal): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  try {
    return await terminal.question(`${QUESTION}\n`, { signal })
  } finally {
    terminal.close()
  }
}

/** Lets a pipe that stays open keep this program running, or not. A file as stdin has no such setting. */
function holdOpen(isHeld: boolean): void {
  const pipe: { ref?: () => unknown; unref?: () => unknown } = process.stdin
  if (isHeld) pipe.ref?.()
  else pipe.unref?.()
}

/** Reads the lines of stdin one at a time; undefined at its end. Later lines wait for later questions. */
function linesOfPipe(signal: AbortSignal): () => Promise<string | undefined> {
  let kept = ''
  let ended = false
  const take = (): string | undefined => {
    const end = kept.indexOf('\n')
    if (end < 0 && !ended && kept.length <= LONGEST) return undefined
    const line = end < 0 ? kept : kept.slice(0, end)
    kept = end < 0 ? '' : kept.slice(end + 1)
    return line
  }
  return () =>
    new Promise((resolve, reject) => {
      narrate(QUESTION)
      const finish = (settle: () => void) => {
        process.stdin.off('data', onData).off('end', onEnd).pause()
        holdOpen(false)
        signal.removeEventListener('abort', onAbort)
        settle()
      }
      const onData = (chunk: Buffer | string) => {
        kept += String(chunk)
        const line = take()
        if (line !== undefined) finish(() => resolve(line))
      }
      const onEnd = () => {
        ended = true
        finish(() => resolve(take()))
      }
      const onAbort = () => finish(() => reject(signal.reason))
      const ready = take()
      if (ready !== undefined) resolve(ready)
      else {
        signal.addEventListener('abort', onAbort, { once: true })
        holdOpen(true)
        process.stdin.on('data', onData).on('end', onEnd).resume()
      }
    })
}
