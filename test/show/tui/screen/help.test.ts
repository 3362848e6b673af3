import { describe, expect, it } from 'vitest'
import { signsFor } from '../../../../src/show/render/text/signs.js'
import { plainText } from '../../../../src/show/render/text/spans.js'
import { ATTACK_KEYS } from '../../../../src/show/tui/attack/keys.js'
import { COMPRESS_KEYS } from '../../../../src/show/tui/compress/keys.js'
import { EVENTS_KEYS } from '../../../../src/show/tui/events/keys.js'
import { FLOW_KEYS } from '../../../../src/show/tui/flow/keys.js'
import { HOME_KEYS } from '../../../../src/show/tui/home/keys.js'
import { LEARN_KEYS } from '../../../../src/show/tui/learn/keys.js'
import { fitFrame } from '../../../../src/show/tui/screen/frame.js'
import { type HelpRow, helpEntries, helpLines } from '../../../../src/show/tui/screen/help.js'
import { SERVE_KEYS } from '../../../../src/show/tui/serve/keys.js'

const tables: Readonly<Record<string, readonly HelpRow[]>> = {
  attack: ATTACK_KEYS,
  compress: COMPRESS_KEYS,
  events: EVENTS_KEYS,
  flow: FLOW_KEYS,
  home: HOME_KEYS,
  learn: LEARN_KEYS,
  serve: SERVE_KEYS,
}
const signs = signsFor({ ascii: false })
const note = 'a note that is longer than a narrow terminal is wide, and ends with its last word'

const pageOf = (table: readonly HelpRow[], notes: readonly string[]) => ({
  entries: helpEntries(table, () => true),
  picking: {},
  notes,
})

describe('the keys of every screen', () => {
  it.each(Object.entries(tables))('%s are whole at 80x24', (_, table) => {
    const size = { columns: 80, rows: 24 }
    const page = fitFrame(() => helpLines(pageOf(table, [note]), size, signs), size, signs)
    const text = page.map(plainText).join('\n')
    for (const { help } of table) if (help !== undefined) expect(text).toContain(help[1])
    expect(text).toMatch(/last\s+word/)
  })

  it.each(Object.entries(tables))('%s are all named at 60x20', (_, table) => {
    const size = { columns: 60, rows: 20 }
    const page = fitFrame(() => helpLines(pageOf(table, []), size, signs), size, signs)
    const text = page.map(plainText).join('\n')
    for (const { help } of table) if (help !== undefined) expect(text).toContain(help[1].slice(0, 14))
  })
})

it('c is the letter of a choice, and nothing else', () => {
  const meanings = Object.values(tables).flatMap(table => table.filter(({ keys }) => keys.includes('c')))
  expect(meanings.map(({ help }) => help)).toEqual([['c', 'predict: the third answer']])
})
