import { describe, expect, it } from 'vitest'
import { pages } from '../support/pages.js'
import { filesBelow, read } from '../support/source-files.js'
import { hiddenIn, riddle } from './hidden-words.js'
import { proseOfPage, proseOfSource } from './prose.js'

const sources = filesBelow('src').filter(file => /\.tsx?$/.test(file))
const documents = [...pages, 'CONTRIBUTING.md', 'SECURITY.md']

/** `src/flows/…` is in `src/flows`, `docs/…` in `docs`; other files are rooms of their own. */
const roomOf = (file: string): string => /^(?:src\/[^/]+(?=\/)|docs(?=\/))/.exec(file)?.[0] ?? file

function findingsOf(file: string): string[] {
  const prose = file.endsWith('.md') ? proseOfPage(file) : proseOfSource(file)
  return prose.flatMap(({ line, text, docstring }) => {
    const problems = hiddenIn(text)
    if (docstring && riddle.test(text)) problems.push(`docstring is a riddle: ${text.split('\n', 1)[0]}`)
    return problems.map(problem => `${file}:${line} ${problem}`)
  })
}

const rooms = new Map<string, string[]>()
for (const file of [...sources, ...documents])
  rooms.set(roomOf(file), [...(rooms.get(roomOf(file)) ?? []), file])

describe('texts follow the style guide', () => {
  it.each([...rooms.keys()])('%s', room => {
    const findings = (rooms.get(room) ?? []).flatMap(findingsOf)
    expect(findings).toEqual([])
  })
})

it('a literal is written once, without a spread that pleases the formatter', () => {
  const golf = /^ *\.\.\.(?:\{ .* \}|\(?\{ .* \} as const\)|\(\[.*\] as const\)),?$/
  const files = [...sources, ...filesBelow('test').filter(file => /\.tsx?$/.test(file))]
  const found = files.flatMap(file =>
    read(file)
      .split('\n')
      .flatMap((line, i) => (golf.test(line) ? [`${file}:${i + 1}`] : [])),
  )
  expect(found).toEqual([])
})

describe('the words that hide meaning', () => {
  it.each([
    'What was found, in words',
    'whoever has it',
    'tells the client',
    'looks at the token',
    'asks for your leave to read',
    'bytes that are none',
  ])('are seen in “%s”', text => expect(hiddenIn(text)).not.toEqual([]))

  it.each([
    '404 page not found',
    'leave the screen',
    'words of the shell',
    'it looks like milliseconds',
    'nothing is left out',
  ])('are not seen in “%s”', text => expect(hiddenIn(text)).toEqual([]))
})
