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

const heavy = /node_modules\/(ink|react|undici|selfsigned|@peculiar\/x509|zod|yaml|jose|open|parse5)\//

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
  const loaded = stderr.split('\n').filter(line => line.startsWith('loads '))
  expect(loaded.some(line => line.endsWith('/dist/cli.js'))).toBe(true)
  expect(loaded.filter(line => heavy.test(line))).toEqual([])
})
