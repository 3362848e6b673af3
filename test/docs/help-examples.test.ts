import type { Command } from 'commander'
import { expect, it } from 'vitest'
import { wholeProgram } from '../../src/commands/program/program.js'
import { commandOf, withSubcommands } from '../support/commands.js'

/** The help as it is printed, with the examples below it. */
function helpOf(command: Command): string {
  let text = ''
  command.configureOutput({ writeOut: part => (text += part) }).outputHelp()
  return text
}

/** Every call of the program in a text of shell: its words, without quotes, redirections and remarks. */
function calls(line: string): string[][] {
  return [...line.matchAll(/(?:^|[\s(])oauth-lab ((?:'[^']*'|"[^"]*"|[^|;&<>)'"])*)/g)].map(
    ([, words = '']) =>
      [...words.replace(/ {2,}.*/, '').matchAll(/'([^']*)'|"([^"]*)"|\S+/g)].map(
        ([word, single, double]) => single ?? double ?? word,
      ),
  )
}

/** The lines of the examples in the help of a command. */
function examplesOf(command: Command): string[] {
  const [, block = ''] = /\nExamples?:\n((?: .*\n?)+)/.exec(helpOf(command)) ?? []
  return block
    .replace(/\\\n\s*/g, '')
    .split('\n')
    .map(line => line.trim())
    .filter(line => line !== '')
}

const fullName = (command: Command): string =>
  command.parent ? `${fullName(command.parent)} ${command.name()}` : command.name()

const program = await wholeProgram()
const commands = withSubcommands(program)
const examples = new Set(commands.flatMap(examplesOf))

it('every command has examples', () => {
  expect(commands.filter(each => examplesOf(each).length === 0).map(fullName)).toEqual([])
})

it.each([...examples])('%s is understood', line => {
  for (const call of calls(line)) {
    const { command, rest } = commandOf(program, call)
    const { operands, unknown } = command.parseOptions(rest.filter(word => word !== '--help'))
    expect(unknown, call.join(' ')).toEqual([])
    const taken = command.registeredArguments
    if (!taken.at(-1)?.variadic) expect(operands.length, call.join(' ')).toBeLessThanOrEqual(taken.length)
    if (call.includes('--help')) continue
    expect(
      taken.slice(operands.length).filter(({ required }) => required),
      call.join(' '),
    ).toEqual([])
  }
})
