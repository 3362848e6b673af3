import { afterEach, describe, expect, it, vi } from 'vitest'
import { line } from '../../../../src/show/render/text/spans.js'
import { createSuspend, createTerminal } from '../../../../src/show/tui/screen/terminal.js'
import { fakeTerminal } from './fake-terminal.js'

afterEach(() => vi.restoreAllMocks())

describe.skipIf(process.platform === 'win32')('SIGTSTP', () => {
  it('gives the terminal back, stops, and takes it again with SIGCONT', async () => {
    const fake = fakeTerminal()
    const terminal = createTerminal(fake.stdout)
    const asleep: boolean[] = []
    const { listen, unlisten } = createSuspend({
      terminal,
      stdin: fake.stdin,
      setAsleep: on => asleep.push(on),
    })
    const kill = vi.spyOn(process, 'kill').mockReturnValue(true)
    terminal.enter()
    listen()

    process.emit('SIGTSTP', 'SIGTSTP')
    expect(kill).toHaveBeenCalledWith(process.pid, 'SIGTSTP')
    expect(process.listenerCount('SIGTSTP')).toBe(0)
    expect(fake.written().endsWith('\x1b[?1049l')).toBe(true)
    expect(fake.rawModes).toEqual([false])

    process.emit('SIGCONT', 'SIGCONT')
    expect(fake.written().match(/\x1b\[\?1049h/g)).toHaveLength(2)
    expect(fake.rawModes).toEqual([false, true])
    expect(process.listenerCount('SIGTSTP')).toBe(1)
    expect(asleep).toEqual([true, false])

    unlisten()
    expect(process.listenerCount('SIGTSTP')).toBe(0)
    terminal.leave()
  })

  it('stops the whole job by Ctrl-Z, so that the shell above a launcher has its prompt again', () => {
    const fake = fakeTerminal()
    const kill = vi.spyOn(process, 'kill').mockReturnValue(true)
    const { suspendJob } = createSuspend({
      terminal: createTerminal(fake.stdout),
      stdin: fake.stdin,
      setAsleep: () => {},
    })
    suspendJob()
    expect(kill).toHaveBeenCalledWith(0, 'SIGTSTP')
  })
})

describe('the borrowed terminal', () => {
  it('is left once, and not written to after it hung up', () => {
    const fake = fakeTerminal()
    const terminal = createTerminal(fake.stdout)
    terminal.leave()
    expect(fake.written()).toBe('')
    terminal.enter()
    terminal.enter()
    Object.assign(fake.stdout, { destroyed: true })
    terminal.leave()
    expect(fake.written().match(/\x1b\[\?1049/g)).toHaveLength(1)
  })

  it('draws while it is borrowed, and lets Ink write nothing', () => {
    const fake = fakeTerminal()
    const { stdout, draw, enter, leave } = createTerminal(fake.stdout)
    draw([line('too early')])
    enter()
    stdout.write('\x1b[2J\x1b[3J\x1b[Hframe')
    draw([line('drawn')])
    expect(fake.shown()).toBe('drawn')
    leave()
    draw([line('too late')])
    expect(fake.written()).not.toMatch(/too|frame/)
    expect(stdout.isTTY).toBe(true)
  })
})
