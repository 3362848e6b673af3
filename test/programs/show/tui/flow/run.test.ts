import { afterEach, describe, expect, it, vi } from 'vitest'
import type { StartFlow } from '../../../../../src/show/tui/flow/offers.js'
import type { FlowScreenOptions } from '../../../../../src/show/tui/flow/run.js'
import { runFlowScreen } from '../../../../../src/show/tui/flow/run.js'
import { fakeTerminal } from '../../../../show/tui/screen/fake-terminal.js'
import {
  GRANTED,
  ISSUER,
  NOW,
  PLAN,
  REFUSED,
  REFUSED_LOGIN,
  REPLAYED,
  RUN,
  STEPS,
} from '../../../../show/tui/steps.js'

const ENTER = '\x1b[?1049h'
const LEAVE = '\x1b[?1049l'

const replay: StartFlow = async function* () {
  yield* RUN
}

function open(start: StartFlow = replay, more: Partial<FlowScreenOptions> = {}, terminal = fakeTerminal()) {
  const ended = runFlowScreen({
    command: 'flow code',
    clientId: 'demo',
    issuer: ISSUER,
    plan: PLAN,
    start,
    now: () => NOW,
    showSecrets: false,
    ascii: false,
    stdin: terminal.stdin,
    stdout: terminal.stdout,
    ...more,
  })
  // The test reads the rejection where it expects one.
  ended.catch(() => {})
  const seen = (text: string) => vi.waitFor(() => expect(terminal.shown()).toContain(text), 10_000)
  const type = async (...keys: readonly string[]) => {
    for (const key of keys) {
      terminal.type(key)
      await new Promise(setImmediate)
      await new Promise(setImmediate)
    }
  }
  return { ...terminal, ended, seen, type }
}

/** What is on the main screen at the end: all that was written behind the alternate one. */
function leftBehind(written: string): string {
  return written.slice(written.lastIndexOf(LEAVE) + LEAVE.length).replace(/\x1b\[\?25[hl]/g, '')
}

afterEach(() => {
  process.exitCode = undefined
})

describe('leaving the flow screen', () => {
  it.each([
    ['q', 'q', undefined],
    ['Q', 'Q', undefined],
    ['Ctrl-C', '\x03', 130],
  ])('by %s restores the terminal', async (_name, key, exitCode) => {
    const screen = open()
    await screen.seen('step 1 of 6')
    await screen.type(key)
    expect(await screen.ended).toBeUndefined()
    const written = screen.written()
    expect(written.startsWith(ENTER)).toBe(true)
    expect(written.split(ENTER)).toHaveLength(2)
    expect(written.split(LEAVE)).toHaveLength(2)
    expect(written.lastIndexOf('\x1b[?25h')).toBeGreaterThan(written.lastIndexOf('\x1b[?25l'))
    expect(written.lastIndexOf('\x1b[?2004l')).toBeGreaterThan(written.lastIndexOf('\x1b[?2004h'))
    expect(leftBehind(written)).toBe('flow code demo: left before the first step\n')
    expect(screen.rawModes.at(-1)).toBe(false)
    expect(process.exitCode).toBe(exitCode)
  })

  it.each([
    ['SIGTERM', 143],
    ['SIGHUP', 129],
    ['SIGINT', 130],
  ] as const)('by %s restores the terminal', async (signal, exitCode) => {
    const before = process.listenerCount(signal)
    const screen = open()
    await screen.seen('step 1 of 6')
    process.emit(signal, signal)
    expect(await screen.ended).toBeUndefined()
    expect(screen.written()).toContain(LEAVE)
    expect(process.exitCode).toBe(exitCode)
    expect(process.listenerCount(signal)).toBe(before)
  })

  it('restores the terminal, then throws what the flow threw', async () => {
    const boom = new Error('boom')
    const screen = open(async function* () {
      if (PLAN.length > 0) throw boom
      yield GRANTED
    })
    await screen.seen('step 1 of 6')
    await screen.type('\r')
    await expect(screen.ended).rejects.toBe(boom)
    expect(leftBehind(screen.written())).toBe('')
    expect(screen.rawModes.at(-1)).toBe(false)
  })

  it('restores the terminal, then throws what drawing threw', async () => {
    const screen = open(replay, {
      now: () => {
        throw new TypeError('no clock')
      },
    })
    await expect(screen.ended).rejects.toThrow('no clock')
    expect(screen.written()).toContain(LEAVE)
    expect(leftBehind(screen.written())).toBe('')
  })

  it('ends when the terminal hangs up', async () => {
    const screen = open()
    await screen.seen('step 1 of 6')
    screen.stdout.emit('error', Object.assign(new Error('write EIO'), { code: 'EIO' }))
    expect(await screen.ended).toBeUndefined()
    expect(process.exitCode).toBe(129)
  })

  it('does not wait for a flow that hangs', async () => {
    let aborted = false
    const screen = open(async function* (_ask, signal) {
      signal.addEventListener('abort', () => {
        aborted = true
      })
      await new Promise(() => {})
      yield GRANTED
    })
    await screen.seen('step 1 of 6')
    await screen.type('\r', 'q')
    expect(await screen.ended).toBeUndefined()
    expect(aborted).toBe(true)
  })
})

describe('stepping', () => {
  it('runs to the end by Enter and returns the outcome', async () => {
    const screen = open()
    await screen.seen('step 1 of 6')
    for (const step of STEPS) {
      await screen.type('\r')
      await screen.seen(`Exchange ${step.n}]`)
    }
    await screen.seen('✓ granted')
    await screen.type('q')
    expect(await screen.ended).toEqual(GRANTED)
    expect(leftBehind(screen.written())).toBe(
      '✓ flow code demo: granted, Bearer, 3600 s, scope records:read\n',
    )
    expect(process.exitCode).toBeUndefined()
  })

  it('runs all by a, and reports a refusal on the main screen', async () => {
    const screen = open(async function* () {
      yield* [...STEPS.slice(0, 4), REPLAYED, REFUSED]
    })
    await screen.seen('step 1 of 6')
    await screen.type('a')
    await screen.seen('✗ refused')
    await screen.type('q')
    expect(await screen.ended).toEqual(REFUSED)
    expect(leftBehind(screen.written())).toBe(
      '✗ flow code demo: refused at step 5: invalid_grant: The authorization code was already redeemed at 14:03:11. (RFC 6749 §4.1.2)\n',
    )
  })

  it('logs in inside the terminal: with Enter, and again after a refusal, with q as a letter', async () => {
    const answers: unknown[] = []
    const screen = open(
      async function* (ask) {
        answers.push(await ask({ clientId: 'demo', scope: 'records:read' }))
        yield REFUSED_LOGIN
        answers.push(await ask({ clientId: 'demo', message: 'The password is wrong.' }))
        yield GRANTED
      },
      { suggestedUser: { username: 'alice', password: 'wonderland' } },
    )
    await screen.seen('step 1 of 6')
    await screen.type('\r')
    await screen.seen('demo asks for records:read')
    await screen.type('\r')
    await screen.seen('200 login form again')
    await screen.type('\r')
    await screen.seen('The password is wrong.')
    await screen.type('q?')
    await screen.type('\x7f')
    await screen.type('\x1b[200~two\rwords\x1b[201~')
    await screen.type('\r')
    await screen.seen('✓ granted')
    expect(answers).toEqual([
      { kind: 'credentials', username: 'alice', password: 'wonderland' },
      { kind: 'credentials', username: 'alice', password: 'qtwowords' },
    ])
    expect(screen.written()).not.toContain('qtwowords')
    await screen.type('q')
    await screen.ended
  })

  it.each([
    ['\x02', { kind: 'browser' }],
    ['\x1b', { kind: 'cancel' }],
  ])('hands the login over or cancels it: %j', async (key, expected) => {
    const answers: unknown[] = []
    const screen = open(async function* (ask) {
      answers.push(await ask({ clientId: 'demo' }))
      yield GRANTED
    })
    await screen.seen('step 1 of 6')
    await screen.type('\r')
    await screen.seen('Log in')
    await screen.type(key)
    await screen.seen('✓ granted')
    expect(answers).toEqual([expected])
    await screen.type('q')
    await screen.ended
  })

  it('understands fast keys, ignores unknown ones, and never obeys pasted text', async () => {
    const screen = open()
    await screen.seen('step 1 of 6')
    await screen.type('\x1b[25~', '\x1b[<0;1;1M', '\x1b[200~qQ\x1b[201~', 'll', '33')
    await screen.seen('step 3 of 6')
    await screen.seen('[3 Token]')
    await screen.type('?')
    await screen.seen('oauth-lab  keys')
    await screen.type('\x1b')
    await screen.type('qq')
    expect(await screen.ended).toBeUndefined()
  })
})

describe('the terminal', () => {
  it('never has its scrollback erased, also when it shrinks below the frame', async () => {
    const screen = open(replay, {}, fakeTerminal(100, 40))
    await screen.seen('step 1 of 6')
    screen.resize(60, 20)
    await screen.seen(' flow code ')
    screen.resize(50, 6)
    await screen.seen('this terminal is 50x6')
    screen.resize(100, 30)
    await screen.type('\r')
    await screen.seen('Exchange 1]')
    await screen.type('q')
    await screen.ended
    expect(screen.written()).not.toContain('\x1b[3J')
  })

  it('of no size is taken for the usual one', async () => {
    const screen = open(replay, {}, fakeTerminal(0, 0))
    await screen.seen('── 1 Sequence ')
    await screen.type('q')
    await screen.ended
  })

  it('gets ASCII alone when asked', async () => {
    const screen = open(replay, { ascii: true })
    await screen.seen('step 1 of 6')
    await screen.type('a')
    await screen.seen('+ granted')
    await screen.type('q')
    await screen.ended
    expect(screen.written()).toMatch(/^[\x00-\x7f]*$/)
  })
})
