import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { filesBelow, read, root } from '../../support/source-files.js'

/** The screens of the program: the rooms that open one. */
const screens = filesBelow('src/show/tui').flatMap(
  file => /^src\/show\/tui\/([^/]+)\/run\.ts$/.exec(file)?.[1] ?? [],
)

const drawingsOf = (screen: string): string[] => {
  const folder = join(root, 'test/show/tui', screen, 'drawings')
  return existsSync(folder) ? readdirSync(folder) : []
}

describe('the screens', () => {
  it('are those that the keys page lists', () => {
    const page = read('test/docs/keys-page.ts')
    const listed = [
      ...page.matchAll(/_KEYS }? ?from '(?:\.\.\/){2}src\/show\/tui\/(\w+)\/(?:keymap|keys)\.js'/g),
    ].map(each => each[1])
    expect(screens.length).toBeGreaterThan(0)
    expect(listed.sort()).toEqual([...screens].sort())
  })

  describe.each(screens)('%s', screen => {
    it.each([100, 80, 60])('has a drawing of %i columns', columns => {
      expect(drawingsOf(screen).some(name => name.includes(`-${columns}x`))).toBe(true)
    })

    it('has no drawing that no test holds a frame against', () => {
      const tests = filesBelow(`test/show/tui/${screen}`)
        .filter(file => file.endsWith('.test.ts'))
        .map(read)
      const held = tests.filter(text => text.includes('draws(drawings)'))
      const unused = drawingsOf(screen).filter(
        name => !held.some(text => text.includes(`'${name.replace(/\.txt$/, '')}'`)),
      )
      expect(unused).toEqual([])
    })
  })
})
