// npm run mutation [-- name…]: changes the source in many small ways, one at a time, and counts the changes that the
// tests of the same room notice. A name is a room, or a folder or file in one: `protocol/http protocol/tokens/dpop.ts`.
// Without names, every room runs.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '../../..')
const stryker = join(import.meta.dirname, 'node_modules/@stryker-mutator/core/bin/stryker.js')
const rooms = [
  'protocol/http',
  'protocol/oauth',
  'protocol/tokens',
  'servers/authorization-server',
  'servers/resource-server',
  'flows',
  'servers/compression',
]

/** The room of a file or folder below `src`; undefined outside them. */
const roomOf = name => rooms.find(room => `${name}/`.startsWith(`${room}/`))

/**
 * Mutates a room, or a folder or file in it. Returns the mutants that the tests noticed, all of them, and those that
 * have no result because the test runner failed.
 */
function mutate(name) {
  const room = roomOf(name)
  const files = name.endsWith('.ts') ? `src/${name}` : `src/${name}/**/*.ts`
  const config = join(import.meta.dirname, 'stryker.config.js')
  const env = { ...process.env, OAUTH_LAB_ROOM: room, OAUTH_LAB_MUTATE: files }
  const { status } = spawnSync(process.execPath, [stryker, 'run', config], {
    cwd: root,
    env,
    stdio: 'inherit',
  })
  if (status !== 0) process.exit(status ?? 1)

  const report = JSON.parse(readFileSync(join(root, '.stryker', `${room.replaceAll('/', '-')}.json`), 'utf8'))
  const mutants = Object.values(report.files).flatMap(file => file.mutants)
  const having = (...wanted) => mutants.filter(mutant => wanted.includes(mutant.status)).length
  const noticed = having('Killed', 'Timeout')
  return { noticed, all: noticed + having('Survived', 'NoCoverage'), failed: having('RuntimeError') }
}

const printScore = (name, { noticed, all, failed }) => {
  const score = ((100 * noticed) / all).toFixed(1).padStart(5)
  const without = failed === 0 ? '' : `, without ${failed} at which the test runner failed`
  console.log(`${name.padEnd(24)} ${score} %  ${noticed} of ${all}${without}`)
}

const names = process.argv.slice(2).map(name => name.replace(/^src\//, '').replace(/\/$/, ''))
const unknown = names.find(name => roomOf(name) === undefined || !existsSync(join(root, 'src', name)))
if (unknown !== undefined) {
  console.error(`src/${unknown} is not in a room that mutation runs cover: ${rooms.join(', ')}`)
  process.exit(2)
}
const scores = (names.length === 0 ? rooms : names).map(name => ({ name, ...mutate(name) }))
console.log('\nMutants noticed by the tests of their room')
for (const score of scores) printScore(score.name, score)
const sum = member => scores.reduce((total, score) => total + score[member], 0)
if (scores.length > 1)
  printScore('total', { noticed: sum('noticed'), all: sum('all'), failed: sum('failed') })
