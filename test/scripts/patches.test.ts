import { readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { read } from '../support/source-files.js'

const names = readdirSync('patches')

describe.each(names)('patches/%s', name => {
  const [, folder = '', version] = /^(.+)\+([\d.]+)\.patch$/.exec(name) ?? []
  const text = read(`patches/${name}`)
  const header = text.slice(0, text.indexOf('--- a/'))

  it('is for the version that is installed', () => {
    const { version: installed } = JSON.parse(read(`node_modules/${folder}/package.json`)) as {
      version: string
    }
    expect(version).toBe(installed)
  })

  it('is applied', () => {
    const [, file = ''] = /^\+\+\+ b\/(.+)$/m.exec(text) ?? []
    const [, added = ''] = /^\+(?!\+\+)(.+)$/m.exec(text) ?? []
    expect(file).toContain(`node_modules/${folder}/`)
    expect(read(file)).toContain(added)
  })

  it('states what it gains and where it was reported', () => {
    expect(header).toMatch(/Gains/)
    expect(header).toMatch(/^Reported upstream: /m)
  })
})
