#!/usr/bin/env node
// The launcher. Plain JavaScript that any Node can parse, so that an old one is told what is wrong: no `??=`, no `?.`.
const [major = 0, minor = 0, patch = 0] = process.versions.node.split('.').map(Number)
const tooOld = major < 20 || (major === 20 && (minor < 18 || (minor === 18 && patch < 1)))

if (tooOld) {
  process.stderr.write(
    `oauth-lab: this is Node ${process.versions.node}; oauth-lab needs 20.18.1 or later\n` +
      '  Install a newer Node from https://nodejs.org or with your version manager.\n',
  )
  process.exit(2)
}

// Programs that `record` starts inherit the environment as it was.
if (process.argv.indexOf('record') < 0) {
  // chalk, and so Ink, does not read NO_COLOR; it has to be told before its first import.
  if (process.env.NO_COLOR || process.argv.includes('--no-color')) process.env.FORCE_COLOR = '0'
  if (process.env.NODE_ENV === undefined) process.env.NODE_ENV = 'production'
}

/** @type {typeof import('node:module') & { enableCompileCache?: () => void }} */
const { enableCompileCache } = require('node:module')
// Node 22.8 and later keep compiled code for the next start.
if (enableCompileCache) enableCompileCache()

const built = '../dist/cli.cjs'
/** @type {{ main(words: readonly string[]): Promise<void> }} */
let program
try {
  program = require(built)
} catch (error) {
  const { code, message } = /** @type {NodeJS.ErrnoException} */ (error)
  process.stderr.write(`oauth-lab: the program is not built (${code || message})\n  Run:   npm ci\n`)
  process.exit(70)
}
program.main(process.argv.slice(2))
