// Types every command line of the shell blocks of README.md and docs/ in a clean home, as a newcomer does. The lines are read
// from the pages. The tables say how each is run here and what it promises.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { blocksOf, type CommandLine, commandLines, pages } from '../../support/pages.js'
import { describeWith, rigs } from '../../support/requires.js'
import { flowLines } from './flow-lines.js'
import { installLines } from './install-lines.js'
import { labLines } from './lab-lines.js'
import { recordLines } from './record-lines.js'
import type { LineTable } from './typed.js'
import { type PagesWorld, pagesWorld } from './world.js'

const table: LineTable = { ...installLines, ...flowLines, ...labLines, ...recordLines }
const blocksByPage = pages.map(page => ({ page, blocks: blocksOf(page, 'sh').map(commandLines) }))

let world: PagesWorld
afterAll(() => world?.close())

/** The programs that a line needs. */
function needs(line: string): string[] {
  const shell = /completion (zsh|fish)/.exec(line)?.[1]
  return [...(shell === undefined ? [] : [shell]), ...(/ca (un)?install/.test(line) ? ['certutil'] : [])]
}

function typesEachLine(block: readonly CommandLine[]): void {
  for (const [at, { line, comment }] of block.entries()) {
    const keepsItsPromise = () =>
      it(line, { timeout: 120_000 }, async ({ skip }) => {
        const run = table[line]
        if (run === undefined) {
          throw new Error(
            `No test runs this line. Add it to a table in test/programs/pages, with how it is run and what it promises: ${line}`,
          )
        }
        const settings = block.slice(0, at).filter(each => /^(export |\w+=)/.test(each.line))
        const before = settings.map(each => world.here(each.line))
        await run({ line: world.here(line), before, comment, world, skip })
      })
    const programs = needs(line)
    if (programs.length === 0) keepsItsPromise()
    else describeWith(programs, `with ${programs.join(', ')}`, keepsItsPromise)
  }
}

describeWith([rigs, 'bash', 'curl', 'jq', 'python3'], 'the pages, line by line in a shell', () => {
  beforeAll(async () => {
    world = await pagesWorld()
  })

  for (const { page, blocks } of blocksByPage) {
    if (blocks.length > 0) describe(page, () => blocks.forEach(typesEachLine))
  }

  it('have every line of the tables', () => {
    const lines = blocksByPage.flatMap(({ blocks }) => blocks.flat().map(each => each.line))
    expect(Object.keys(table).filter(each => !lines.includes(each))).toEqual([])
  })
})
