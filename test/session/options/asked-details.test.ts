import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { askedDetails } from '../../../src/session/options/given-tokens.js'

describe('--authorization-details', () => {
  it('is JSON, or a file after @', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'details-'))
    const file = join(folder, 'a.json')
    writeFileSync(file, '[{ "type": "a" }]')
    expect(await askedDetails(`@${file}`)).toEqual([{ type: 'a' }])
    rmSync(folder, { recursive: true })
    expect(await askedDetails('[{"type":"a","b":[1]}]')).toEqual([{ type: 'a', b: [1] }])
    expect(await askedDetails(undefined)).toBeUndefined()
  })

  it.each([
    ['{', 'it is not JSON'],
    ['{"type":"a"}', 'it is not a list'],
    ['[{}]', '[0] has no type'],
    ['@/no/such/file', 'cannot read'],
  ])('refuses %s', async (given, problem) => {
    await expect(askedDetails(given)).rejects.toThrow(problem)
  })
})
