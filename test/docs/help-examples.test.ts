import type { Command } from 'commander'
import { expect, it } from 'vitest'
import { wholeProgram } from '../../src/commands/program/program.js'
import { commandOf, withSubcommands } from '../support/commands.js'
import { calls, examplesOf } from '../support/help-examples.js'

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
