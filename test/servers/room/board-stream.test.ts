import { expect, it, vi } from 'vitest'
import { boardStream } from '../../../src/servers/room/board-stream.js'

it('makes one board of a moment, however many begin to watch while the room changes', async () => {
  let at = 1_000
  let changed = () => {}
  const view = vi.fn(() => ({ at }))
  const subscribe = (listener: () => void) => {
    changed = listener
  }
  const open = boardStream(view, subscribe, () => at)
  const first = async () => {
    const reader = open(() => () => {})[Symbol.asyncIterator]()
    const { value } = await reader.next()
    await reader.return?.()
    return Buffer.from(value ?? '').toString()
  }
  for (let i = 0; i < 10; i++) {
    changed()
    at += 10
    expect(await first()).toBe('data: {"type":"board","at":1010}\n\n')
  }
  expect(view).toHaveBeenCalledTimes(1)
  at += 250
  expect(await first()).toBe('data: {"type":"board","at":1350}\n\n')
})
