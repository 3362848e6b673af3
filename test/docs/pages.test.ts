import { describe, expect, it } from 'vitest'
import { LINE_MEANINGS } from '../../src/commands/output/json-lines.js'
import { EVENTS } from '../../src/protocol/event-catalogue.js'
import { attacksPage } from './attacks-page.js'
import { commandsPage } from './commands-page.js'
import { connectPage } from './connect-page.js'
import { errorsPage } from './errors-page.js'
import { eventsPage } from './events-page.js'
import { findingsPage } from './findings-page.js'
import { libraryPage } from './library-page.js'
import { placesIndex } from './rule-places.js'
import { rulesPage } from './rules-page.js'
import { weakPage } from './weak-page.js'

describe('pages that are generated from the code; `npm run docs` writes them', () => {
  it.each([
    ['library', libraryPage],
    ['events', eventsPage],
    ['errors', errorsPage],
    ['commands', commandsPage],
    ['weak-modes', weakPage],
    ['attacks', attacksPage],
    ['connect', connectPage],
  ] as const)('docs/reference/%s.md', async (name, page) => {
    await expect(await page()).toMatchFileSnapshot(`../../docs/reference/${name}.md`)
  })

  it('docs/reference/rules.md, and content/rules/places.txt, which says where the sources keep each rule', async () => {
    const index = placesIndex()
    await expect(index).toMatchFileSnapshot('../../content/rules/places.txt')
    await expect(await rulesPage(index)).toMatchFileSnapshot('../../docs/reference/rules.md')
  }, 120_000)

  it('docs/explain.md, whose tables of findings are', async () => {
    await expect(findingsPage()).toMatchFileSnapshot('../../docs/explain.md')
  })

  it('describe every event, and no other', () => {
    const told = [...eventsPage().matchAll(/^### (\S+)$/gm)].map(each => each[1])
    expect(new Set(told)).toEqual(new Set(Object.keys({ ...EVENTS, ...LINE_MEANINGS })))
  })
})
