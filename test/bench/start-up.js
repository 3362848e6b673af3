// How long whole programs take, as ratios to `node -e 0` measured in the same run. Runs are interleaved, so that a
// busy moment of the machine falls on all of them; the middle value counts. `npm run bench [runs]`
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const runs = Number(process.argv[2] ?? 41)
const launcher = join(import.meta.dirname, '../../bin/oauth-lab.js')
const home = mkdtempSync(join(tmpdir(), 'oauth-lab-bench-'))
const env = { PATH: process.env.PATH, HOME: home, OAUTH_LAB_HOME: join(home, 'lab') }

/** What is measured: arguments of node, and the most it may take of `node -e 0`. */
const cases = [
  { name: 'node -e 0', args: ['-e', '0'], runs },
  { name: 'oauth-lab --version', args: [launcher, '--version'], runs, target: 1.35 },
  { name: 'oauth-lab --help', args: [launcher, '--help'], runs, target: 1.35 },
  {
    name: 'oauth-lab jwt decode',
    args: [launcher, 'jwt', 'decode', 'eyJhbGciOiJub25lIn0.eyJpc3MiOiJqb2UifQ.'],
    runs,
    target: 1.8,
  },
  { name: 'oauth-lab ca path', args: [launcher, 'ca', 'path'], runs: Math.ceil(runs / 4) },
  {
    name: 'oauth-lab flow code --client demo --json, embedded lab',
    args: [launcher, 'flow', 'code', '--client', 'demo', '--json'],
    runs: Math.ceil(runs / 4),
  },
]

/** Milliseconds that one run took. */
function time({ name, args }) {
  const start = process.hrtime.bigint()
  const { status, stderr } = spawnSync(process.execPath, args, { env, cwd: home, encoding: 'utf8' })
  const ms = Number(process.hrtime.bigint() - start) / 1e6
  if (status !== 0) throw new Error(`${name} ended with ${status}: ${stderr}`)
  return ms
}

const quantile = (values, part) => values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) * part)]

try {
  // Once for the disk cache, and so that keys and certificates are there.
  for (const each of cases) time(each)
  const times = cases.map(() => [])
  for (let i = 0; i < runs; i++) {
    for (const [n, each] of cases.entries()) if (i < each.runs) times[n].push(time(each))
  }
  const base = quantile(times[0], 0.5)
  const row = (...cells) => cells.map((cell, i) => (i === 0 ? cell.padEnd(56) : cell.padStart(14))).join('')
  const ratio = ms => (ms / base).toFixed(2)
  console.log(`Node ${process.versions.node}, ${runs} interleaved runs, ratio to node -e 0\n`)
  console.log(row('program', 'median', 'middle half', 'aim at most'))
  for (const [n, { name, target }] of cases.entries()) {
    const half = `${ratio(quantile(times[n], 0.25))}-${ratio(quantile(times[n], 0.75))}`
    console.log(row(name, ratio(quantile(times[n], 0.5)), half, target?.toFixed(2) ?? ''))
  }
} finally {
  rmSync(home, { recursive: true, force: true })
}
