import type { Command } from 'commander'
import { describe, expect, it } from 'vitest'
import { command, parserOf } from '../../../src/commands/program/command.js'
import { everywhere, type Globals, readGlobals } from '../../../src/commands/program/globals.js'

const home = '/home/me'

describe('options of every command', () => {
  /** The options and arguments that a command reads from a command line below a program. */
  function read(args: string[], env: Record<string, string> = {}): Globals {
    let globals: Globals | undefined
    const row = { description: '', help: '', options: everywhere }
    const leaf = parserOf(command('leaf', row)).action((_: object, here: Command) => {
      globals = readGlobals(here, { HOME: home, ...env })
    })
    parserOf(command('program', row)).addCommand(leaf).parse(args, { from: 'user' })
    if (!globals) throw new Error('the command did not run')
    return globals
  }

  it.each([[['leaf', '--json', '--timeout', '2m']], [['--timeout', '2m', '--json', 'leaf']]])(
    'are read in %j',
    args => {
      expect(read(args)).toMatchObject({ json: true, timeoutMs: 120_000, showSecrets: false, color: true })
    },
  )

  it('beat the environment, which beats the default', () => {
    const env = { OAUTH_LAB_TIMEOUT: '5s', OAUTH_LAB_SERVER: 'https://a.example/', NO_COLOR: '1' }
    expect(read(['leaf'], env)).toMatchObject({ timeoutMs: 5000, server: 'https://a.example', color: false })
    expect(read(['leaf', '--timeout', '1m'], env).timeoutMs).toBe(60_000)
    expect(read(['leaf'])).toMatchObject({ timeoutMs: 30_000, home: '/home/me/.local/share/oauth-lab' })
  })

  it('keep the password of a wrong address out of the message', () => {
    const message = '--server "https://…@a.example" is not the https base URL of a lab'
    expect(() => read(['leaf', '--server', 'https://alice:secret@a.example'])).toThrow(message)
  })

  it.each([
    [{ OAUTH_LAB_HOME: '/state' }, '/state'],
    [{ XDG_DATA_HOME: '/data' }, '/data/oauth-lab'],
    [{ XDG_DATA_HOME: 'relative' }, '/home/me/.local/share/oauth-lab'],
    [{ OAUTH_LAB_HOME: '' }, '/home/me/.local/share/oauth-lab'],
  ])('find the state folder by %j', (env, expected) => {
    expect(read(['leaf'], env).home).toBe(expected)
  })
})
