import type { Command } from 'commander'

/** The help as it is printed, with the examples below it. */
function helpOf(command: Command): string {
  let text = ''
  command.configureOutput({ writeOut: part => (text += part) }).outputHelp()
  return text
}

/** Every call of the program in a text of shell: its words, without quotes, redirections and remarks. */
export function calls(line: string): string[][] {
  return [...line.matchAll(/(?:^|[\s(])oauth-lab ((?:'[^']*'|"[^"]*"|[^|;&<>)'"])*)/g)].map(
    ([, words = '']) =>
      [...words.replace(/ {2,}.*/, '').matchAll(/'([^']*)'|"([^"]*)"|\S+/g)].map(
        ([word, single, double]) => single ?? double ?? word,
      ),
  )
}

/** The lines of the examples in the help of a command. */
export function examplesOf(command: Command): string[] {
  const [, block = ''] = /\nExamples?:\n((?: .*\n?)+)/.exec(helpOf(command)) ?? []
  return block
    .replace(/\\\n\s*/g, '')
    .split('\n')
    .map(line => line.trim())
    .filter(line => line !== '')
}
