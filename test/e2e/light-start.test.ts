import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { cleanEnv, launcher, run, temporaryFolder } from '../support/program.js'

// A resolve hook that writes down what is imported, on the file descriptor that the test reads.
const hook = `import { writeSync } from 'node:fs'
export async function resolve(specifier, context, next) {
  const found = await next(specifier, context)
  writeSync(2, 'loads ' + found.url + '\\n')
  return found
}`
const hookUrl = `data:text/javascript,${encodeURIComponent(hook)}`
const register = `import { register } from 'node:module'; register(${JSON.stringify(hookUrl)})`

const heavy = /^(ink|react|undici|selfsigned|@peculiar\/x509|zod|yaml|jose|open|parse5|graphql)$/

/** The packages that are part of a file of the built program: its first line names them. */
function packagesIn(url: string): string[] {
  const text = readFileSync(fileURLToPath(url), 'utf8')
  return /^\/\/ With (.*): see/.exec(text)?.[1]?.split(', ') ?? []
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
  const options = ['--import', `data:text/javascript,${encodeURIComponent(register)}`, launcher, ...args]
  const { stderr } = await run(process.execPath, options, { env: cleanEnv(home.path) })
  home.remove()
  const loaded = stderr.split('\n').flatMap(line => /^loads (file:.*)/.exec(line)?.[1] ?? [])
  expect(loaded.some(url => url.endsWith('/dist/cli.js'))).toBe(true)
  expect(loaded.filter(url => url.includes('/node_modules/'))).toEqual([])
  expect(loaded.flatMap(packagesIn).filter(name => heavy.test(name))).toEqual([])
})
