import { EventEmitter } from 'node:events'
import { PassThrough } from 'node:stream'

/** A terminal's two ends: what is written is kept, what is typed is read. */
export interface FakeTerminal {
  readonly stdin: NodeJS.ReadStream
  readonly stdout: NodeJS.WriteStream
  readonly written: () => string
  readonly type: (text: string) => void
  readonly resize: (columns: number, rows: number) => void
  /** Raw mode as it was switched, oldest first. */
  readonly rawModes: readonly boolean[]
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
    type: text => input.write(text),
    resize: (wide, high) => {
      Object.assign(output, { columns: wide, rows: high })
      output.emit('resize')
    },
    rawModes,
  }
}
