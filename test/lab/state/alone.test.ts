import { mkdtempSync, readdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { alone, ensureState } from '../../../src/lab/state/alone.js'
import { memoryState } from '../../../src/lab/state/memory-state.js'
import { sharedFolder } from '../../support/shared.js'

const { path: folder } = sharedFolder()

let home = ''
let lock = ''
beforeEach(() => {
  home = mkdtempSync(join(folder, 'home-'))
  lock = join(home, 'x.lock')
})

/** The process id of no process: the largest on Linux is 2^22. */
const DEAD = 2 ** 30

describe('alone', () => {
  it.each([
    ['in a folder', () => home],
    ['in memory', memoryState],
  ])('lets one work at a time %s', async (_, place) => {
    const state = place()
    let inside = 0
    let most = 0
    const onWait = vi.fn()
    const work = () =>
      alone(
        state,
        'x',
        async () => {
          most = Math.max(most, ++inside)
          // The first one works until both others wait.
          await vi.waitFor(() => expect(onWait).toHaveBeenCalledTimes(2), { timeout: 10_000, interval: 5 })
          inside--
        },
        { onWait },
      )
    await Promise.all([work(), work(), work()])
    expect(most).toBe(1)
    expect(readdirSync(home)).toEqual([])
  })

  it.each([
    ['a process that is dead', `${DEAD}-0123abcd`, 0],
    ['one without a sign of life, whose process id another program has', `${process.pid}-0123abcd`, 120],
    ['an earlier release', '', 120],
  ])('takes the lock of %s, once for all that wait', async (_, owner, age) => {
    writeFileSync(lock, owner)
    const then = Date.now() / 1000 - age
    utimesSync(lock, then, then)
    let inside = 0
    const work = () =>
      alone(home, 'x', async () => {
        expect(++inside).toBe(1)
        await new Promise(setImmediate)
        inside--
        return 'done'
      })
    expect(await Promise.all(Array.from({ length: 10 }, work))).toEqual(Array(10).fill('done'))
    expect(readdirSync(home)).toEqual([])
  })

  it('takes it also where a process was killed that took it from a dead one', async () => {
    writeFileSync(lock, `${DEAD}-0123abcd`)
    writeFileSync(`${lock}.${DEAD}-0123abcd`, `${DEAD}-4567abcd`)
    expect(await alone(home, 'x', async () => 'done')).toBe('done')
    expect(readdirSync(home)).toEqual([])
  })

  it('leaves the lock to a process that lives', async () => {
    writeFileSync(lock, `${process.pid}-0123abcd`)
    const signal = AbortSignal.timeout(60)
    await expect(alone(home, 'x', async () => 'done', { signal })).rejects.toThrow()
    expect(readdirSync(home)).toEqual(['x.lock'])
  })

  it('gives the lock back after a failure', async () => {
    await expect(alone(home, 'x', () => Promise.reject(new Error('no')))).rejects.toThrow('no')
    expect(readdirSync(home)).toEqual([])
  })
})

it.each([
  ['missing', undefined],
  ['broken', 'half'],
])('a state file that is %s is made by one, and used by all', async (_, before) => {
  if (before !== undefined) writeFileSync(join(home, 'x'), before)
  let made = 0
  const read = (text: string) => (text.startsWith('whole') ? text : undefined)
  const all = Array.from({ length: 10 }, () => ensureState(home, 'x', read, async () => `whole ${++made}`))
  expect(await Promise.all(all)).toEqual(Array(10).fill('whole 1'))
  expect(readdirSync(home)).toEqual(['x'])
})
