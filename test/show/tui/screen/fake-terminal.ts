import { EventEmitter } from 'node:events'
import { PassThrough } from 'node:stream'

/** A terminal's two ends: what is written is kept, what is typed is read. */
export interface FakeTerminal {
  readonly stdin: NodeJS.ReadStream
  readonly stdout: NodeJS.WriteStream
  readonly written: () => string
  /** Returns the text of the screen without colours. Its lines do not end with blanks. */
  readonly shown: () => string
  readonly type: (text: string) => void
  readonly resize: (columns: number, rows: number) => void
  /** Raw mode as it was switched, oldest first. */
  readonly rawModes: readonly boolean[]
}

/** The screen after what was written to it, where places inside a line are behind narrow characters alone. */
export function shownBy(written: string): string {
  let screen: string[] = []
  let [row, column] = [0, 0]
  for (const [, move, erase, , text] of written.matchAll(
    /\x1b\[(\d+;\d+)H|\x1b\[(2J|K)|(\x1b\[[?\d;]*[A-Za-z]|\x1b\][^\x07]*\x07)|([^\x1b]+)/g,
  )) {
    if (move !== undefined) [row = 0, column = 0] = move.split(';').map(each => Number(each) - 1)
    else if (erase === '2J') screen = []
    else if (erase === 'K') screen[row] = (screen[row] ?? '').padEnd(column).slice(0, column)
    else if (text !== undefined) screen[row] = `${(screen[row] ?? '').padEnd(column)}${text}`
  }
  return Array.from(screen, each => (each ?? '').trimEnd()).join('\n')
}

export function fakeTerminal(columns = 80, rows = 24): FakeTerminal {
  const rawModes: boolean[] = []
  const input = Object.assign(new PassThrough(), {
    isTTY: true,
    setRawMode: (on: boolean) => rawModes.push(on),
    ref: () => {},
    unref: () => {},
  })
  let written = ''
  const output = Object.assign(new EventEmitter(), {
    isTTY: true,
    columns,
    rows,
    destroyed: false,
    write: (chunk: string, done?: () => void) => {
      written += chunk
      done?.()
      return true
    },
  })
  return {
    stdin: input as unknown as NodeJS.ReadStream,
    stdout: output as unknown as NodeJS.WriteStream,
    written: () => written,
    shown: () => shownBy(written),
    type: text => input.write(text),
    resize: (wide, high) => {
      Object.assign(output, { columns: wide, rows: high })
      output.emit('resize')
    },
    rawModes,
  }
}
