import type { Command } from 'commander'
import { describe, expect, it } from 'vitest'
import { commandList } from '../../../src/commands/command-list.js'
import { listedFlows } from '../../../src/commands/flow.js'
import { parserOf } from '../../../src/commands/program/command.js'
import { globalOptions, isBare } from '../../../src/commands/program/global-options.js'
import { pauseKey } from '../../../src/show/tui/home/child.js'
import { homeEntries } from '../../../src/show/tui/home/entries.js'
import { programInHome } from '../../commands/support.js'

const entries = homeEntries(listedFlows, commandList, [])

describe('the entries of the menu', () => {
  it('hold every flow and every command, each with its own command line and a line about it', () => {
    const lines = entries.map(({ line }) => line)
    expect(new Set(lines).size).toBe(lines.length)
    for (const { name } of listedFlows)
      expect(lines.some(line => line.startsWith(`oauth-lab flow ${name}`))).toBe(true)
    const first = new Set(entries.map(({ argv }) => argv[0]))
    expect(commandList.map(({ name }) => name).filter(name => !first.has(name))).toEqual([])
    expect(entries.some(({ line }) => line.includes('--tamper'))).toBe(true)
    expect(entries.filter(({ about, name }) => about === '' || name === '')).toEqual([])
  })

  it('offer each command line once, without its remark', () => {
    const lines = entries.flatMap(({ line, more }) => [line, ...more])
    expect(lines.filter((line, i) => lines.indexOf(line) !== i)).toEqual([])
    expect(lines.filter(line => / {2}/.test(line))).toEqual([])
  })

  it('have command lines that the commands understand', async () => {
    for (const { argv, line } of entries) {
      const [name = '', ...rest] = argv
      const listed = commandList.find(each => each.name === name)
      let command: Command | undefined = parserOf(await listed!.load())
      const words = [...rest]
      while (command?.commands.some(each => each.name() === words[0])) {
        const next = words.shift()
        command = command.commands.find(each => each.name() === next)
      }
      const { operands, unknown } = withGlobalsOnce(command!).parseOptions(
        words.filter(word => word !== '--help'),
      )
      expect(unknown, line).toEqual([])
      expect(operands.length, line).toBeLessThanOrEqual(command!.registeredArguments.length)
      const missing = command!.registeredArguments.slice(operands.length).filter(({ required }) => required)
      if (!argv.includes('--help')) expect(missing, line).toEqual([])
    }
  })

  it('take a flow and a command that are new', () => {
    const flow = {
      ...listedFlows[0]!,
      name: 'code' as const,
      examples: ['oauth-lab flow new --client demo      remark'],
    }
    const command = { ...commandList[0]!, name: 'brand-new', summary: 'does something' }
    const made = homeEntries([flow], [commandList[0]!, command], ['--ascii', '--config', 'my lab.yaml'])
    expect(made).toMatchObject([
      {
        name: 'flow new',
        line: "oauth-lab flow new --client demo --ascii --config 'my lab.yaml'",
        argv: ['flow', 'new', '--client', 'demo', '--ascii', '--config', 'my lab.yaml'],
      },
      { name: 'brand-new --help', about: 'does something', group: 'See a login' },
    ])
  })
})

/** Options of every command, where the command has not got them itself. */
function withGlobalsOnce(command: Command): Command {
  if (command.options.some(({ long }) => long === '--json')) return command
  for (const [flags] of globalOptions) command.option(flags)
  return command
}

it.each([
  [[], true],
  [['--ascii'], true],
  [['--config', 'lab.yaml', '--no-color'], true],
  [['--config=lab.yaml'], true],
  [['--config'], false],
  [['--ascii=1'], false],
  [['--version'], false],
  [['serve'], false],
  [['--ascii', 'serve'], false],
  [[''], false],
])('%j without a command gives %j', (argv, expected) => {
  expect(isBare(argv)).toBe(expected)
})

it.each([
  ['\r', 'menu'],
  [' ', 'menu'],
  ['q', 'quit'],
  ['\x04', 'quit'],
  ['\x03', 'interrupt'],
  ['x', undefined],
])('after a command %j means %j', (key, expected) => {
  expect(pauseKey(key)).toBe(expected)
})

describe('without a terminal', () => {
  const { oauthLab } = programInHome()

  it('a bare oauth-lab prints the help', async () => {
    const [bare, help] = await Promise.all([oauthLab(), oauthLab('--help')])
    expect(bare).toEqual(help)
    expect(bare.stdout).toMatch(/^Usage: oauth-lab COMMAND/)
  })
})
