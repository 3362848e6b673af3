import type { Command } from 'commander'

/** A command and all below it. */
export const withSubcommands = (command: Command): Command[] => [
  command,
  ...command.commands.flatMap(withSubcommands),
]

/** The words that a command is typed by, behind the program. */
export const wordsOf = (command: Command): string[] =>
  command.parent ? [...wordsOf(command.parent), command.name()] : []

/** The command that the first words name, and the words behind them. */
export function commandOf(program: Command, words: readonly string[]): { command: Command; rest: string[] } {
  const [first, ...more] = words
  const below = program.commands.find(each => each.name() === first)
  return below === undefined ? { command: program, rest: [...words] } : commandOf(below, more)
}
