import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { read, root } from '../support/source-files.js'

const [, table = ''] = read('CONTRIBUTING.md').split('## Recipes')
const recipes = [...table.matchAll(/^\| (an? [^|]+) \| ([^|]+) \| `([^`|]+)` \|$/gm)].map(
  ([, name = '', where = '', test = '']) => ({
    name,
    files: [...where.matchAll(/`((?:src|content|fixtures)\/[^`]+)`/g)].map(([, file = '']) => file),
    test,
  }),
)

describe('the recipes of CONTRIBUTING.md', () => {
  it('are there for each part of the program that people add to', () => {
    expect(recipes.map(({ name }) => name)).toEqual([
      'a grant',
      'a flow',
      'a wrong move',
      'a check of the doctor',
      'a lesson',
      'an event',
      'an option',
      'a screen',
    ])
  })

  it.each(recipes)('$name: three files at most, in places that exist, and a test that follows it', recipe => {
    const { files, test } = recipe
    expect(files.length).toBeGreaterThan(0)
    expect(files.length).toBeLessThanOrEqual(3)
    const place = (file: string) => file.replace(/\/(NAME|NN-NAME|SITE)\b.*$/, '')
    expect(files.filter(file => !existsSync(join(root, place(file))))).toEqual([])
    expect(read(test)).toContain('as CONTRIBUTING.md describes one')
  })
})
