// npm runs this at the end of `npm ci` in a clone, and of no installed package: it builds dist/, when it can.
import { readFileSync } from 'node:fs'

const { engines } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
const needed = engines.node.replace('>=', '')

function canResolve(name) {
  try {
    return import.meta.resolve(name) !== ''
  } catch {
    return false
  }
}

if (needed.localeCompare(process.versions.node, 'en', { numeric: true }) > 0) {
  console.error(`Not built: this is Node ${process.versions.node}; oauth-lab needs ${needed} or later.`)
  process.exitCode = 1
} else if (canResolve('rolldown')) {
  const { PatchError } = await import('./patch.js')
  await import('./build.js').catch(error => {
    if (!(error instanceof PatchError)) throw error
    console.error(`Not built: ${error.message}`)
    process.exitCode = 1
  })
} else
  console.error(
    'Not built: the packages for building are left out. Run "npm ci --include=dev" to build oauth-lab.',
  )
