import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { cleanEnv, launcher, run, temporaryFolder } from '../support/program.js'

// Writes down, at the end, what was read: the program is CommonJS.
const spy = `process.on('exit', () => {
  for (const file of Object.keys(require.cache)) require('node:fs').writeSync(2, 'loads ' + file + '\\n')
})`

const heavy = /^(ink|react|selfsigned|@peculiar\/x509|zod|yaml|jose|open|parse5|tough-cookie|graphql)$/

/** The packages that are part of a file of the built program: its first line names them. */
function packagesIn(file: string): string[] {
  return /^\/\/ With (.*): see/.exec(readFileSync(file, 'utf8'))?.[1]?.split(', ') ?? []
}

const token = 'eyJhbGciOiJub25lIn0.eyJpc3MiOiJqb2UifQ.'

it.each([
  ['--help'],
  ['--version'],
  ['flow', '--help'],
  ['serve', '--help'],
  ['jwt', 'decode', token],
  ['nonsense'],
])('oauth-lab %s loads no heavy package', async (...args) => {
  const home = temporaryFolder()
  const file = join(home.path, 'spy.cjs')
  writeFileSync(file, spy)
  const { stderr } = await run(process.execPath, ['--require', file, launcher, ...args], {
    env: cleanEnv(home.path),
  })
  home.remove()
  const loaded = stderr.split('\n').flatMap(line => /^loads (.*)/.exec(line)?.[1] ?? [])
  const ours = loaded.filter(name => name !== file)
  expect(ours.some(name => name.endsWith('/dist/cli.cjs'))).toBe(true)
  expect(ours.filter(name => name.includes('/node_modules/'))).toEqual([])
  expect(ours.flatMap(packagesIn).filter(name => heavy.test(name))).toEqual([])
})
