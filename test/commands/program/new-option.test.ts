import { Command } from 'commander'
import { describe, expect, it } from 'vitest'
import { wordLists } from '../../../src/commands/completion/scripts.js'
import { argument, command, parserOf } from '../../../src/commands/program/command.js'
import { everywhere } from '../../../src/commands/program/globals.js'
import { option } from '../../../src/session/options/option.js'

/** An option as CONTRIBUTING.md describes one: its row, and its place among the options of a command. */
const tone = option('--tone <tone>', 'how to greet', {
  group: 'Manners:',
  choices: ['polite', 'short'],
  conflicts: ['silent'],
  fallback: 'polite',
})
const silent = option('--silent', 'do not greet')

async function typed(...words: readonly string[]): Promise<readonly unknown[]> {
  let given: readonly unknown[] = []
  const greet = command('greet', {
    description: 'greet a person',
    words: [argument('<name>')],
    options: [tone, silent, ...everywhere],
    help: '',
    run: async () => (name, options, globals) => {
      // The types of the row: a misspelt choice does not compile.
      const chosen: 'polite' | 'short' = options.tone
      given = [name, chosen, options.silent, globals.json]
    },
  })
  const program = new Command('oauth-lab').addCommand(parserOf(greet))
  for (const each of [program, ...program.commands])
    each.exitOverride().configureOutput({ writeErr: () => {} })
  await program.parseAsync(words, { from: 'user' })
  return given
}

describe('a new option', () => {
  it.each([
    [
      ['greet', 'alice'],
      ['alice', 'polite', undefined, false],
    ],
    [
      ['greet', 'alice', '--tone', 'short', '--json'],
      ['alice', 'short', undefined, true],
    ],
    [
      ['greet', 'alice', '--silent'],
      ['alice', 'polite', true, false],
    ],
  ])('%j reaches the command, with its type', async (words, given) => {
    expect(await typed(...words)).toEqual(given)
  })

  it.each([
    [['--tone', 'loud'], /argument 'loud' is invalid.*Allowed choices are polite, short/],
    [['--tone', 'short', '--silent'], /'--tone <tone>' cannot be used with option '--silent'/],
    [['--tones', 'short'], /unknown option '--tones'/],
  ])('%j is refused by its row', async (words, message) => {
    await expect(typed('greet', 'alice', ...words)).rejects.toThrow(message)
  })

  it('stands in the help, in its group, and in the completion', () => {
    const parser = parserOf(command('greet', { description: '', options: [tone, silent], help: '' }))
    expect(parser.helpInformation()).toMatch(
      /Manners:\n {2}--tone <tone> +how to greet \(choices: "polite",\s+"short", default: "polite"\)/,
    )
    const nothing = { client: [], user: [], move: [], weak: [], lesson: [], tool: [] }
    const lists = wordLists(new Command('oauth-lab').addCommand(parser), nothing)
    expect(lists).toContainEqual({
      place: 'greet/--tone',
      words: ['polite', 'short'].map(word => ({ word, summary: '' })),
      files: false,
    })
  })
})
