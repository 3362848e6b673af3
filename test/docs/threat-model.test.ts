import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { read, root } from '../support/source-files.js'

const page = read('docs/maintainers/threat-model.md')
const rows = page.split('\n').filter(line => /^\| .* \| .*`test\//.test(line))
const named = rows.flatMap(row => [...row.matchAll(/`(test\/[^`]+)` “([^”]+)”/g)])

describe('docs/maintainers/threat-model.md', () => {
  it('names a test for every claim', () => {
    const claims = page.split('\n').filter(line => /^\| (?!claim)[A-Z].* \|/.test(line))
    expect(claims.filter(line => !/`test\/[^`]+` “/.test(line))).toEqual([])
    expect(named.length).toBeGreaterThan(30)
  })

  it.each(named.map(([, file = '', title = '']) => [file, title]))('%s has “%s”', (file, title) => {
    expect(existsSync(join(root, file))).toBe(true)
    // As it is written: as the title of a test, or of a group of them.
    const single = title.replaceAll("'", "\\'")
    const quoted = [`'${single}'`, `'%spackage-lock.json: ${single}'`, `\`${title}\``, `"${title}"`]
    expect(quoted.some(each => read(file).includes(each))).toBe(true)
  })

  it('has the times of the listeners', () => {
    const listeners = read('src/lab/listening/listen.ts')
    expect(listeners).toContain('HEADERS_TIMEOUT = 15_000')
    expect(listeners).toContain('REQUEST_TIMEOUT = 25_000')
  })
})
