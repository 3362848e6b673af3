import { afterEach, describe, expect, it, vi } from 'vitest'
import type { LearnOffers, LessonPage, RoomNow } from '../../../../src/show/tui/learn/content.js'
import { runLearnScreen } from '../../../../src/show/tui/learn/run.js'
import { initialState, type LearnState, withLesson } from '../../../../src/show/tui/learn/state.js'
import { createStore } from '../../../../src/show/tui/screen/store.js'
import { fakeTerminal } from '../screen/fake-terminal.js'
import { COURSE, END, PASSED, PREDICT, TASK } from './pages.js'

afterEach(() => {
  process.exitCode = undefined
})

/** Opens the screen on a page, types keys, each until a text is drawn, and leaves it. */
async function typing(
  page: LessonPage | undefined,
  keys: ReadonlyArray<readonly [key: string, until: string]>,
  members: Partial<LearnState> = {},
) {
  const terminal = fakeTerminal()
  const asked: string[] = []
  const store = createStore(initialState(COURSE))
  store.update(state => ({ ...(page ? withLesson(state, page) : state), ...members }))
  const ask =
    (name: string) =>
    (...given: readonly unknown[]): void =>
      void asked.push([name, ...given].join(' '))
  const offers: LearnOffers = {
    begin: () => {},
    predict: ask('predict'),
    goOn: ask('goOn'),
    hint: ask('hint'),
    solution: ask('solution'),
    explain: ask('explain'),
    enter: ask('enter'),
    stop: ask('stop'),
    stuck: ask('stuck'),
    open: ask('open'),
    review: ask('review'),
    close: async () => void asked.push('close'),
  }
  const ended = runLearnScreen({
    store,
    clipboard: true,
    ascii: false,
    stdin: terminal.stdin,
    stdout: terminal.stdout,
    offers: () => offers,
  })
  await vi.waitFor(() => expect(terminal.written()).toContain('? help'), 20_000)
  for (const [key, until] of keys) {
    const before = asked.length
    terminal.type(key)
    if (until === '') await new Promise(resolve => setTimeout(resolve, 50))
    await vi.waitFor(
      () => expect([...asked.slice(before), terminal.shown()].join('\n')).toContain(until),
      20_000,
    )
  }
  // In every state, and nothing after a screen that was left.
  terminal.type('\x03')
  return { asked, ended, terminal, store }
}

describe('the keys of a lesson', () => {
  it('predict by a letter, or by moving and Enter; a letter without an answer does nothing', async () => {
    const { asked, ended } = await typing(PREDICT, [
      ['d', ''],
      ['\r', 'What do you expect?'],
      ['j', '► a)'],
      ['j', '► b)'],
      ['\r', 'predict 1'],
      ['c', 'predict 2'],
    ])
    expect(await ended).toEqual({ signal: 'SIGINT' })
    expect(asked).toEqual(['predict 1', 'predict 2', 'close'])
  })

  it('give help, type a line with Tab, and go on', async () => {
    const { asked, ended } = await typing(TASK, [
      ['h', 'hint'],
      ['s', 'solution'],
      ['e', 'explain'],
      ['\r', '▏'],
      ['\t', 'oauth-lab flow password --client demo-legacy --user alice▏'],
      ['\r', 'enter oauth-lab flow password --client demo-legacy --user alice'],
    ])
    await ended
    expect(asked.slice(0, 3)).toEqual(['hint', 'solution', 'explain'])
    const next = await typing(PASSED, [['\r', 'goOn']])
    await next.ended
    expect(next.asked).toEqual(['goOn', 'close'])
  })

  it('Enter shows the rest of a text before it goes on to the next lesson', async () => {
    const lines = Array.from({ length: 50 }, (_, i) => `- line ${i + 1}`)
    const long = { ...END, sections: [...END.sections, { title: 'If you have time', texts: lines }] }
    const { asked, ended } = await typing(long, [
      ['j', 'enter read on'],
      ['\r', 'line 10'],
      ['\r', 'line 30'],
      ['\r', 'line 50'],
      ['\r', 'goOn'],
    ])
    await ended
    expect(asked).toEqual(['goOn', 'close'])
  })

  it('take letters for the line once it begins with o, bring it back from the history, and join pasted lines', async () => {
    const { asked, ended } = await typing(TASK, [
      ['o', 'learn> o▏'],
      ['auth-lab hsq', 'oauth-lab hsq▏'],
      ['\r', 'enter oauth-lab hsq'],
      [':', '▏'],
      ['\x1b[A', 'oauth-lab hsq▏'],
      ['\x15', 'learn> ▏'],
      ['\x1b[200~oauth-lab flow \\\n  code\x1b[201~', 'oauth-lab flow code▏'],
      ['\r', 'enter oauth-lab flow code'],
    ])
    await ended
    expect(asked).toEqual(['enter oauth-lab hsq', 'enter oauth-lab flow code', 'close'])
  })

  it('search the pane, and copy the line of the task', async () => {
    const { terminal, ended, store } = await typing(TASK, [
      ['/', '/ ▏'],
      ['password', 'password▏'],
      ['\r', 'hit 3/5'],
      ['n', 'hit 4/5'],
      ['y', 'copied oauth-lab flow password'],
    ])
    await ended
    expect(store.get().search).toEqual({ pane: 'lesson', text: 'password', hit: 3 })
    const copied = Buffer.from(TASK.lines[0]!).toString('base64')
    expect(terminal.written()).toContain(`\x1b]52;c;${copied}\x07`)
  })

  const ROOM: RoomNow = { room: 'Monday', name: 'Dora', online: true, waiting: 0 }

  it('in a room ask the teacher, and go where the room is; outside of one they do nothing', async () => {
    const outside = await typing(TASK, [['i', '']])
    await outside.ended
    const room = { ...ROOM, lesson: '07-reading' }
    const inside = await typing(
      TASK,
      [
        ['i', 'stuck'],
        ['m', 'open 07-reading false'],
      ],
      { room },
    )
    await inside.ended
    expect([outside.asked, inside.asked]).toEqual([['close'], ['stuck', 'open 07-reading false', 'close']])
  })

  it('wait for the room at the end of a task, and leave the text to be read', async () => {
    const gate = '12 of 20 have it; the room goes on at 80 %.'
    const { asked, ended } = await typing(
      PASSED,
      [
        ['\r', `${gate} Read on`],
        ['k', 'Task'],
      ],
      { room: { ...ROOM, gate } },
    )
    await ended
    expect(asked).toEqual(['close'])
  })

  it('narrow the course to the words that are typed', async () => {
    const { asked, ended } = await typing(undefined, [
      ['/', '/▏'],
      ['token', 'Reading a token'],
      ['\r', '1 of 4'],
      ['\r', 'open 07-reading false'],
      ['\x1b', '01-who-is-who'],
    ])
    await ended
    expect(asked).toEqual(['open 07-reading false', 'close'])
  })

  it('never obey a paste as keys: it opens the line', async () => {
    const { asked, ended } = await typing(TASK, [['\x1b[200~qsh\n\x1b[201~', 'learn> qsh▏']])
    await ended
    expect(asked).toEqual(['close'])
  })

  it('stop a command that runs', async () => {
    const output = { line: 'oauth-lab serve', lines: [], cut: false, running: true }
    const lines = ['Open http://127.0.0.1/a?b=c', 'the end']
    const output2 = { line: 'tail -f log', lines, cut: false, running: true }
    const { asked, ended } = await typing(
      TASK,
      [
        ['x', 'stop output2'],
        ['3', '[3 ● serve]'],
        ['x', 'stop output'],
        ['\t', '[4 ● tail -f log]'],
        ['y', 'copied tail -f log'],
        ['u', 'copied http://127.0.0.1/a?b=c'],
        ['5', ''],
        ['\t', '[1 Lesson]'],
      ],
      { outputs: { output, output2 } },
    )
    await ended
    expect(asked).toEqual(['stop output2', 'stop output', 'close'])
  })

  it('take a pasted script whole', async () => {
    const { asked, ended } = await typing(TASK, [
      ['\x1b[200~token=$(cat t)\r\necho "$token" \\\r  | wc -c\r\x1b[201~', 'learn> token='],
      ['\r', 'enter'],
    ])
    await ended
    expect(asked).toEqual(['enter token=$(cat t)\necho "$token" | wc -c', 'close'])
  })

  it('hand the terminal over to the attack at the end', async () => {
    const { ended } = await typing(END, [['w', '']])
    expect(await ended).toEqual({
      handedOver: {
        line: 'oauth-lab attack run login-csrf',
        args: ['attack', 'run', 'login-csrf'],
        screen: true,
      },
    })
  })

  it('go to the course and back, and open a lesson there', async () => {
    const { asked, ended } = await typing(TASK, [
      ['\x1b', 'The course'],
      ['q', 'Task 1 of 2'],
      ['\x1b', '1 to review'],
      ['G', 'Builds on 01-who-is-who'],
      ['\r', 'open 07-reading false'],
      ['r', 'open 07-reading true'],
      ['v', 'review'],
    ])
    await ended
    expect(asked).toEqual(['open 07-reading false', 'open 07-reading true', 'review', 'close'])
  })

  it('Ctrl-C ends with 130, and the terminal is out of raw mode', async () => {
    const { ended, terminal } = await typing(undefined, [])
    expect(await ended).toEqual({ signal: 'SIGINT' })
    expect(process.exitCode).toBe(130)
    expect(terminal.rawModes.at(-1)).toBe(false)
  })
})
