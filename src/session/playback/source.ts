import { createReadStream, openSync } from 'node:fs'
import { open } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { ReadStream } from 'node:tty'
import type { LabEvent } from '../../protocol/events.js'
import { unreadableFile } from '../input/input.js'
import { brokenText, createEventReader, holdsEvents } from './events.js'

/** Bytes of a file that are read to find out its kind. */
const PEEKED = 64 * 1024

async function beginningOfFile(file: string): Promise<string> {
  try {
    const handle = await open(file)
    try {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(PEEKED), 0, PEEKED)
      return buffer.toString('utf8', 0, bytesRead)
    } finally {
      await handle.close()
    }
  } catch (error) {
    throw await unreadableFile('the recording', file, error)
  }
}

/** The beginning of stdin. It is put back, so that the next reader reads it too. */
async function beginningOfStdin(): Promise<string> {
  const { stdin } = process
  if (stdin.isTTY) return ''
  const chunk = await new Promise<Buffer | null>((resolve, reject) => {
    stdin.once('error', reject)
    stdin.once('end', () => resolve(null))
    stdin.once('readable', () => resolve(stdin.read() as Buffer | null))
  })
  if (chunk === null) return ''
  stdin.unshift(chunk)
  return chunk.toString('utf8')
}

/**
 * True when a file, or stdin for `-`, holds the events of a lab and not the steps of a flow.
 * @throws UsageError for a file that cannot be read
 */
export async function isEventFile(file: string): Promise<boolean> {
  return holdsEvents(file === '-' ? await beginningOfStdin() : await beginningOfFile(file))
}

/** Opens a file, or stdin for `-`, as a stream of text. */
export function openSource(file: string): Readable {
  const source = file === '-' ? process.stdin : createReadStream(file)
  return source.setEncoding('utf8')
}

/** Opens the keyboard: stdin, or the terminal of the program when stdin is a pipe. Undefined without a terminal. */
export function openKeyboard(): NodeJS.ReadStream | undefined {
  if (process.stdin.isTTY) return process.stdin
  try {
    return new ReadStream(openSync(process.platform === 'win32' ? 'CONIN$' : '/dev/tty', 'r'))
  } catch {
    return undefined
  }
}

/** The state of a source of events. */
export interface SourceState {
  /** True when more events may come. A recorded file has ended. */
  readonly live: boolean
  /** The number of lines that are no events, in a sentence; absent when every line is one. */
  readonly broken?: string
}

/** The callbacks of a source of events. */
export interface SourceListener {
  readonly event: (event: LabEvent) => void
  readonly changed: (state: SourceState) => void
}

/** The events of a lab of another program, which may have ended. */
export interface WatchedEvents {
  readonly live: boolean
  /** The clock of the lab: the time of its latest event. While the source is live, it goes on from there. */
  readonly now: () => number
  /** Starts to read. Returns the function that ends it. */
  readonly listen: (listener: SourceListener) => () => void
}

/**
 * Watches the events of a file, or of stdin for `-`.
 * @param configured returns the event `lab.configured` for the first event of a lab
 */
export function watchEvents(
  file: string,
  configured: (ready: LabEvent) => Promise<LabEvent | undefined>,
): WatchedEvents {
  const live = file === '-'
  let state: SourceState = { live }
  let [shown, since] = [Date.now(), Date.now()]

  function listen({ event, changed }: SourceListener): () => void {
    const change = (more: Partial<SourceState>): void => {
      state = { ...state, ...more }
      changed(state)
    }
    const take = (read: LabEvent): void => {
      const at = Date.parse(read.at)
      if (!Number.isNaN(at)) [shown, since] = [at, Date.now()]
      event(read)
    }
    const reader = createEventReader({
      event(read) {
        take(read)
        if (read.type !== 'lab.ready') return
        configured(read).then(
          made => made && take(made),
          () => {},
        )
      },
      broken: broken => change({ broken: brokenText(broken) }),
    })
    const end = (): void => {
      reader.end()
      change({ live: false })
    }
    change({})
    const source = openSource(file).on('data', reader.add).once('end', end).once('error', end)
    return () => {
      source.off('data', reader.add).off('end', end)
      source.on('error', () => {})
      source.destroy()
    }
  }
  return { live, now: () => (state.live ? shown + Date.now() - since : shown), listen }
}
