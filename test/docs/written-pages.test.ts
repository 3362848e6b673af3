import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Command } from 'commander'
import { expect, it } from 'vitest'
import { wholeProgram } from '../../src/commands/program/program.js'
import { commandOf, withSubcommands } from '../support/commands.js'
import { blocksOf, codeWords, pages } from '../support/pages.js'
import { filesBelow, importsOf, read, root } from '../support/source-files.js'

const program = await wholeProgram()
const optionsOf = (command: Command) => ['--help', ...command.options.flatMap(({ long }) => long ?? [])]
const everyOption = withSubcommands(program).flatMap(optionsOf)
/** Options of kubectl, npm and the benches. */
const ofOthers = ['--as', '--as-group', '--as-uid', '--validate', '--quick', '--save-dev']

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

// These pages are made of the code; their options are in the form of help, such as `--port <port>`.
const generated = ['commands', 'connect', 'errors', 'events', 'keys', 'library', 'rules'].map(
  name => `docs/reference/${name}.md`,
)
const written = pages.filter(page => !generated.includes(page))

it.each(written)('%s names commands and options that exist', page => {
  const unknown = codeWords(page).map(said => ({ said, unknown: unknownIn(said) }))
  expect(unknown.filter(each => each.unknown.length > 0)).toEqual([])
})

it.each(written.filter(page => page !== 'README.md'))('%s says first whom it is for', page => {
  expect(read(page)).toMatch(/^# .+\n\n(For (people|everybody) |.+ is a )/)
})

it.each(pages)('the links of %s lead to files', page => {
  const links = [...read(page).matchAll(/\]\((?!https?:)([^)#]*)\)/g)].map(([, to = '']) => to)
  const missing = links.filter(to => !existsSync(join(root, dirname(page), to)))
  expect(missing).toEqual([])
})

it('docs/index.md names every page', () => {
  const named = [...read('docs/index.md').matchAll(/\]\(([^)]+\.md)\)/g)].map(([, to = '']) =>
    join('docs', to),
  )
  expect(pages.filter(page => page !== 'docs/index.md' && !named.includes(page))).toEqual([])
})

it('docs/ has at most 15 pages for users, of 25,000 words in all', () => {
  const users = pages.filter(page => /^docs\/[^/]+$/.test(page))
  expect(users.length).toBeLessThanOrEqual(15)
  expect(users.flatMap(page => read(page).split(/\s+/)).length).toBeLessThanOrEqual(25_000)
})

it('README.md takes at most 12 kB', () => {
  expect(Buffer.byteLength(read('README.md'))).toBeLessThanOrEqual(12_000)
})

// Drawings that a test in test/programs or test/commands compares with the screen, by a text in each.
const drawn: readonly (readonly [page: string, text: string])[] = [
  ['docs/reference/command-line.md', 'What to see'],
  ['docs/compression.md', 'compression lab'],
  ['docs/explain.md', 'login.har: '],
  ['docs/serving.md', '1 Requests'],
]

it('pages have only blocks that tests read', () => {
  const kinds = pages.flatMap(page =>
    [...read(page).matchAll(/^ *(?:```|~~~)(.+)$/gm)].map(([, kind]) => kind),
  )
  expect([...new Set(kinds)].sort()).toEqual(['console', 'js', 'sh', 'text', 'ts', 'yaml'])
  const drawings = pages.flatMap(page => blocksOf(page, 'text').map(block => ({ page, block })))
  const compared = ({ page, block }: (typeof drawings)[number]) =>
    drawn.some(([where, text]) => where === page && block.includes(text))
  expect(drawings.filter(each => !compared(each))).toEqual([])
  expect(pages.filter(page => blocksOf(page, 'js').length > 0)).toEqual([
    'README.md',
    'docs/reference/library.md',
  ])
  expect(pages.filter(page => blocksOf(page, 'yaml').length > 0)).toEqual(['docs/reference/lab-file.md'])
})

it('docs/maintainers/dependencies.md names every package that the program is made of', () => {
  const used = filesBelow('src')
    .filter(file => /\.tsx?$/.test(file))
    .flatMap(importsOf)
    .map(({ what }) => what)
    .filter(what => !/^(src\/|content\/|node:)/.test(what))
  const rows = [...read('docs/maintainers/dependencies.md').matchAll(/^\| ([^|]+) \|/gm)]
  const named = rows.flatMap(each => each[1]?.split(', ') ?? [])
  expect(named.length).toBeGreaterThan(10)
  expect(used.filter(name => !named.includes(name))).toEqual([])
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
