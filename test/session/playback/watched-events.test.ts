import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it, vi } from 'vitest'
import type { LabEvent } from '../../../src/protocol/events.js'
import { type SourceState, watchEvents } from '../../../src/session/playback/source.js'

const folder = mkdtempSync(join(tmpdir(), 'watched-events-'))
afterAll(() => rmSync(folder, { recursive: true }))

const AT = '2026-01-31T08:00:00.000Z'
const ready = '{"type":"lab.ready","pid":7}'
const answered = `{"type":"request.answered","at":"${AT}"}`

/** Reads a file with these lines to its end. */
async function watched(...lines: readonly string[]) {
  const file = join(folder, 'events.jsonl')
  writeFileSync(file, `${lines.join('\n')}\n`)
  const events: LabEvent[] = []
  const states: SourceState[] = []
  const { now, listen } = watchEvents(file, async ({ pid }) => ({ type: 'lab.configured', at: AT, pid }))
  listen({ event: event => events.push(event), changed: state => states.push(state) })
  await vi.waitFor(() => expect(states.length).toBeGreaterThan(1), 20_000)
  return { now, events, states }
}

describe('watching the events of a file', () => {
  it('adds the settings of a lab that still runs', async () => {
    const { events } = await watched(ready)
    await vi.waitFor(() => expect(events).toHaveLength(2), 20_000)
    expect(events).toMatchObject([
      { type: 'lab.ready', pid: 7 },
      { type: 'lab.configured', pid: 7 },
    ])
  })

  it('stops the clock at the time of the latest event', async () => {
    const { now } = await watched(answered)
    expect(new Date(now()).toISOString()).toBe(AT)
  })

  it('reports broken lines', async () => {
    const { states } = await watched('not an event', answered)
    expect(states).toContainEqual({ live: false, broken: '1 broken line (1)' })
  })
})
