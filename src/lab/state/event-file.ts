import { randomBytes } from 'node:crypto'
import { fstatSync, writeSync } from 'node:fs'
import { type FileHandle, open, readdir, stat, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { LabEvent } from '../../protocol/events.js'
import { escapeUnprintable } from '../../protocol/safe-output/json-line.js'
import { parsedJson } from '../../protocol/values.js'
import { checkOwner, ensureHome } from './state-folder.js'

/** Bytes. Two generations are kept: 8 MB at most. */
const GENERATION_BYTES = 3_700_000

/** Bytes of one write, and milliseconds that an event may wait for it. */
const BATCH_BYTES = 256 * 1024
const PAUSE = 20

/** Further events are dropped on a slow disk: requests do not wait. */
const MAX_WAITING = 20_000

export interface EventMark {
  /** From 1. */
  readonly generation: number
  /** Bytes before the mark. */
  readonly offset: number
}

/** With the run of `serve`: request ids repeat between runs. */
export type KeptEvent = LabEvent & { readonly lab: string }

export interface EventsRead {
  readonly events: readonly KeptEvent[]
  /** After the last whole line. */
  readonly mark: EventMark
  /** Events after the given mark are gone: the file is bounded. */
  readonly lost: boolean
}

export interface EventFile {
  /** @param json returns the JSON of the event */
  add(event: LabEvent, json?: () => string): void
  /** Waits until no event waits for its write. */
  flush(): Promise<void>
  close(): Promise<void>
  /** For a program that is about to exit. */
  closeNow(): void
}

const fileOf = (home: string, generation: number): string => join(home, `events-${generation}.jsonl`)

/** Oldest first. */
async function generations(home: string): Promise<number[]> {
  const names = await readdir(home).catch(() => [])
  return names
    .map(name => Number(/^events-([1-9]\d{0,8})\.jsonl$/.exec(name)?.[1]))
    .filter(number => number > 0)
    .sort((a, b) => a - b)
}

interface Generation {
  readonly number: number
  readonly handle: FileHandle
}

/** Closed to other users. */
async function openNewest(home: string, limit: number): Promise<Generation> {
  for (let number = (await generations(home)).at(-1) ?? 1; ; number++) {
    const handle = await open(fileOf(home, number), 'a', 0o600)
    const { size } = await handle.stat()
    if (size < limit) {
      // A killed writer may leave a torn line. Empty lines mean nothing.
      if (size > 0) await handle.write('\n')
      for (const old of await generations(home)) {
        if (old < number - 1) await unlink(fileOf(home, old)).catch(() => {})
      }
      return { number, handle }
    }
    await handle.close()
  }
}

/**
 * Appends whole lines at once, so that several labs do not tear each other's lines.
 * @param failed called once, when events cannot be written any longer
 * @throws UsageError for a state folder that cannot be used
 */
export async function openEventFile(
  home: string,
  { limit = GENERATION_BYTES, failed = () => {} }: { limit?: number; failed?: (error: Error) => void } = {},
): Promise<EventFile> {
  await ensureHome(home)
  let current = await openNewest(home, limit)
  const lab = randomBytes(6).toString('base64url')
  let waiting: (() => string)[] = []
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> | undefined
  let broken = false

  function takeLines(): string {
    const lines: string[] = []
    let length = 0
    while (lines.length < waiting.length && length < BATCH_BYTES) {
      const json = waiting[lines.length]!()
      lines.push(json.slice(0, -1))
      length += json.length
    }
    waiting = waiting.slice(lines.length)
    return escapeUnprintable([...lines, ''].join(`,"lab":"${lab}"}\n`))
  }

  async function writeBatch(): Promise<void> {
    try {
      // Of an open file the system knows both at once. A thread for them costs more than writing the events.
      const { size, nlink } = fstatSync(current.handle.fd)
      if (size >= limit || nlink === 0) {
        await current.handle.close()
        current = await openNewest(home, limit)
      }
      await current.handle.appendFile(takeLines())
    } catch (error) {
      broken = true
      waiting = []
      failed(error as Error)
    }
  }

  /** Events that come during a write wait for the next pause: a write for each few of them costs more than the requests. */
  function writeSoon(): void {
    timer ??= setTimeout(() => {
      writing = writeBatch().finally(() => {
        timer = undefined
        if (waiting.length > 0) writeSoon()
      })
    }, PAUSE)
  }

  return {
    add(event, json = () => JSON.stringify(event)) {
      if (broken || waiting.length >= MAX_WAITING) return
      waiting.push(json)
      writeSoon()
    },
    async flush() {
      while (timer !== undefined && !broken) await new Promise(resolve => setTimeout(resolve, PAUSE))
    },
    async close() {
      await writing
      clearTimeout(timer)
      while (waiting.length > 0) await writeBatch()
      broken = true
      await current.handle.close().catch(() => {})
    },
    closeNow() {
      clearTimeout(timer)
      try {
        while (!broken && waiting.length > 0) writeSync(current.handle.fd, takeLines())
      } catch {
        // The program ends, so nothing can be reported.
      }
      broken = true
      // Node 26 throws for a handle that is collected while open.
      current.handle.close().catch(() => {})
    },
  }
}

export async function eventMark(home: string): Promise<EventMark> {
  const generation = (await generations(home)).at(-1)
  if (generation === undefined) return { generation: 1, offset: 0 }
  const file = await stat(fileOf(home, generation)).catch(() => undefined)
  return { generation, offset: file?.size ?? 0 }
}

/** None when the generation is gone. */
async function bytesFrom(home: string, generation: number, offset: number): Promise<Buffer> {
  const handle = await open(fileOf(home, generation), 'r').catch(() => undefined)
  if (handle === undefined) return Buffer.alloc(0)
  try {
    const { size } = await handle.stat()
    const buffer = Buffer.alloc(Math.max(0, size - offset))
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, offset)
    return buffer.subarray(0, bytesRead)
  } finally {
    await handle.close()
  }
}

/** Undefined for a torn line, and for anything else. */
function eventOf(line: string): KeptEvent | undefined {
  const value = parsedJson(line) as Partial<KeptEvent> | null | undefined
  const whole =
    typeof value?.type === 'string' && typeof value.at === 'string' && typeof value.lab === 'string'
  return whole ? (value as KeptEvent) : undefined
}

/** Compares two marks of one event file. */
export const isAfter = (a: EventMark, b: EventMark): boolean =>
  a.generation === b.generation ? a.offset > b.offset : a.generation > b.generation

/**
 * A last line without its end is left for the next read.
 * @param until the end of the events; left out: the end of the file
 * @throws UsageError for a state folder of another user
 */
export async function readEvents(
  home: string,
  mark: EventMark = { generation: 1, offset: 0 },
  until: EventMark = { generation: Number.POSITIVE_INFINITY, offset: 0 },
): Promise<EventsRead> {
  await checkOwner(home)
  const all = await generations(home)
  const there = all.includes(mark.generation)
  const newer = all.filter(each => each > mark.generation)
  // An emptied state folder counts generations from 1 again.
  const wanted = there ? [mark.generation, ...newer] : newer.length > 0 ? newer : all
  const lost = !there && (mark.generation > 1 || mark.offset > 0 || (all[0] ?? 1) > 1)
  const events: KeptEvent[] = []
  let end = mark
  for (const generation of wanted) {
    if (generation > until.generation) break
    const start = there && generation === mark.generation ? mark.offset : 0
    const read = await bytesFrom(home, generation, start)
    const bytes = generation === until.generation ? read.subarray(0, Math.max(0, until.offset - start)) : read
    const whole = bytes.lastIndexOf(0x0a) + 1
    for (const line of bytes.toString('utf8', 0, whole).split('\n')) {
      const event = eventOf(line)
      if (event) events.push(event)
    }
    end = { generation, offset: start + whole }
  }
  return { events, mark: end, lost }
}
