import type { Command } from 'commander'
import { expect, it } from 'vitest'
import { wholeProgram } from '../../src/commands/program.js'
import { commandOf, withSubcommands } from '../support/commands.js'
import { readmeWords } from '../support/readme.js'
import { read } from '../support/source-files.js'

const program = await wholeProgram()
const optionsOf = (command: Command) => ['--help', ...command.options.flatMap(({ long }) => long ?? [])]
const everyOption = withSubcommands(program).flatMap(optionsOf)
/** Options of kubectl and of the benches. */
const ofOthers = ['--validate', '--quick']

/** `oauth-lab k8s token [ACCOUNT]`, `k8s token --audience api` or options alone; all else is about something else. */
function unknownIn(said: string): string[] {
  const words = said.match(/[^\s[\]=]+/g) ?? []
  const named = words[0] === 'oauth-lab' ? words.slice(1) : words
  const options = words.filter(word => /^--\w/.test(word))
  if (options[0] === words[0]) return options.filter(each => ![...everyOption, ...ofOthers].includes(each))
  const { command, rest } = commandOf(program, named)
  if (command === program && named === words) return []
  const group = command.commands.length > 0 && command.registeredArguments.length === 0
  const missing = rest.slice(0, 1).filter(word => group && /^[a-z]/.test(word))
  const known = [...optionsOf(command), ...optionsOf(program)]
  return [...missing, ...options.filter(each => !known.includes(each))]
}

it('README.md speaks of commands and options that there are', () => {
  const found = readmeWords().map(said => ({ said, unknown: unknownIn(said) }))
  expect(found.filter(each => each.unknown.length > 0)).toEqual([])
})

// test/e2e/readme.test.ts and readme-shell.test.ts run those for people, test/library/package.test.ts the one in js.
it('README.md has blocks of such kinds alone as tests read', () => {
  const kinds = [...read('README.md').matchAll(/^ *(?:```|~~~)(.+)$/gm)].map(each => each[1] ?? '')
  const times = (kind: string) => kinds.filter(each => each === kind).length
  expect([...new Set(kinds)].sort()).toEqual(['console', 'js', 'sh', 'text', 'yaml'])
  expect([times('js'), times('yaml')]).toEqual([1, 1])
})

it.each([
  ['oauth-lab flow cod', ['cod']],
  ['oauth-lab flo code', ['flo']],
  ['k8s token --audiences api', ['--audiences']],
  ['--tampered', ['--tampered']],
  ['oauth-lab flow NAME', []],
  ['tamper list [--flow NAME]', []],
  ['code.issued', []],
])('%s', (said, unknown) => expect(unknownIn(said)).toEqual(unknown))
