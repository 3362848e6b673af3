import { appendFile, mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { eventMark, openEventFile, readEvents } from '../../../src/lab/state/event-file.js'
import type { LabEvent } from '../../../src/protocol/events.js'

let home: string
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'oauth-lab-events-'))
})
afterEach(() => rm(home, { recursive: true, force: true }))

const event = (n: number, text = '') => ({ type: 'code.issued', at: '2026-11-22T10:00:00Z', n, text })
const numbers = (events: readonly LabEvent[]) => events.map(each => each.n)

describe('the event file', () => {
  it('returns what was written after a mark, also across a restart of the lab', async () => {
    const first = await openEventFile(home)
    first.add(event(1))
    await first.close()
    const mark = await eventMark(home)
    const second = await openEventFile(home)
    second.add(event(2))
    second.add(event(3))
    await second.flush()
    const read = await readEvents(home, mark)
    expect(numbers(read.events)).toEqual([2, 3])
    expect(read.lost).toBe(false)
    expect((await readEvents(home, read.mark)).events).toEqual([])
    expect(new Set((await readEvents(home)).events.map(each => each.lab)).size).toBe(2)
    await second.close()
  })

  it('is closed to other users', async () => {
    await (await openEventFile(home)).close()
    const mode = (await stat(join(home, 'events-1.jsonl'))).mode & 0o777
    expect(mode).toBe(process.platform === 'win32' ? mode : 0o600)
  })

  it('takes no other file of the state folder for a generation', async () => {
    for (const name of ['ca.pem', 'learn.json', 'events-x.jsonl']) await writeFile(join(home, name), '')
    const before = await eventMark(home)
    expect(before).toEqual({ generation: 1, offset: 0 })
    const file = await openEventFile(home)
    file.add({ type: 'code.issued', at: '2026-01-05T14:03:11Z' } as LabEvent)
    await file.close()
    expect((await readEvents(home, before)).events).toHaveLength(1)
  })

  it('keeps two generations of bounded size, and reports what was lost', async () => {
    const file = await openEventFile(home, { limit: 2000 })
    for (let n = 0; n < 60; n++) {
      file.add(event(n, 'x'.repeat(500)))
      await new Promise(resolve => setTimeout(resolve, n % 5 === 0 ? 30 : 0))
    }
    await file.close()
    const names = (await readdir(home)).filter(each => each.startsWith('events-'))
    expect(names).toHaveLength(2)
    expect(names).not.toContain('events-1.jsonl')
    const { events, lost } = await readEvents(home)
    expect(events.at(-1)?.n).toBe(59)
    expect(lost).toBe(true)
  })

  it('passes over torn lines, and leaves an unfinished last line for the next read', async () => {
    await writeFile(join(home, 'events-1.jsonl'), '{"type":"code.iss')
    const file = await openEventFile(home)
    file.add(event(1))
    await file.close()
    const path = join(home, 'events-1.jsonl')
    const whole = await readFile(path)
    await truncate(path, whole.length - 5)
    const read = await readEvents(home)
    expect(read.events).toEqual([])
    await appendFile(path, whole.subarray(-5))
    expect(numbers((await readEvents(home, read.mark)).events)).toEqual([1])
  })

  it('keeps whole the lines of several labs that write at once', async () => {
    const labs = await Promise.all([1, 2, 3, 4].map(() => openEventFile(home, { limit: 40_000 })))
    for (let n = 0; n < 50; n++) {
      for (const lab of labs) lab.add(event(n, 'y'.repeat(200)))
      if (n % 10 === 0) await new Promise(resolve => setTimeout(resolve, 25))
    }
    await Promise.all(labs.map(lab => lab.close()))
    const { events } = await readEvents(home)
    const text = await Promise.all((await readdir(home)).map(name => readFile(join(home, name), 'utf8')))
    const lines = text.flatMap(each => each.split('\n')).filter(line => line !== '')
    expect(events).toHaveLength(lines.length)
  })

  it('begins again after its folder was emptied', async () => {
    const mark = { generation: 7, offset: 900 }
    const file = await openEventFile(home)
    file.add(event(1))
    await file.close()
    const read = await readEvents(home, mark)
    expect(numbers(read.events)).toEqual([1])
    expect(read.lost).toBe(true)
  })

  it('writes what waits when the program exits', async () => {
    const file = await openEventFile(home)
    file.add(event(1))
    file.closeNow()
    file.add(event(2))
    expect(numbers((await readEvents(home)).events)).toEqual([1])
  })
})
