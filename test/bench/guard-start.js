// Fails when a program takes more processor time to start than it took: its CPU time, of that of `node -e 0` in the same
// rounds. The kernel divides it into that of the user and of the system too coarsely for so short a program.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { rootCertificates } from 'node:tls'
import { figures, GUARD, lowerQuarter, SLACK } from './guard.js'
import { PseudoTerminal } from './pseudo-terminal.js'
import { eventsOf, launcher, startLab } from './screens.js'
import { printTable } from './statistics.js'

/** The name of the yardstick. */
const nothing = 'node -e 0'

const reporter = join(import.meta.dirname, 'servers/usage-at-exit.cjs')

/** The programs by name. `beside`: a running lab; the others have their own lab or none. */
const cases = [
  { name: '--help', words: ['--help'] },
  { name: 'jwt decode', words: ['jwt', 'decode', 'eyJhbGciOiJub25lIn0.eyJpc3MiOiJqb2UifQ.'] },
  { name: 'flow code', words: ['flow', 'code', '--client', 'demo'] },
  { name: 'k8s token', words: ['k8s', 'token', '--audience', 'api'], beside: true },
  { name: 'cf events', words: ['cf', 'events', '--json'], beside: true },
  { name: 'first frame', words: ['play', 'recording.jsonl'], onScreen: true },
]

/**
 * @param {object} how
 * @param {number} how.rounds after one that makes keys
 * @param {string[]} [how.flags] of the node that runs the programs
 * @param {Record<string, Record<string, number>>} [how.limits] CPU time, of that of `node -e 0`
 * @param {import('./guard-earlier.js').EarlierTree} [how.earlier] its programs take the place of `node -e 0`, and 1 that of the limits
 */
export async function measureGuardStart({ rounds, flags = [], limits = figures.start, earlier }) {
  const folder = mkdtempSync(join(tmpdir(), 'oauth-lab-bench-'))
  const usage = join(folder, 'usage.json')
  const bundle = join(folder, 'roots.pem')
  // Node reads this bundle and its own roots at every start, `node -e 0` included: programs cost less beside it then.
  writeFileSync(bundle, rootCertificates.join('\n'))
  writeFileSync(
    join(folder, 'recording.jsonl'),
    Array.from({ length: 100 }, (_, n) => eventsOf(n, n * 1000)).join(''),
  )
  const env = {
    PATH: process.env.PATH,
    HOME: folder,
    OAUTH_LAB_HOME: join(folder, 'own'),
    BENCH_USAGE: usage,
    TERM: 'xterm-256color',
    LANG: 'C.UTF-8',
  }
  const beside = { ...env, OAUTH_LAB_HOME: join(folder, 'running') }
  const environments = { 'without extra CAs': {}, 'with extra CAs': { NODE_EXTRA_CA_CERTS: bundle } }

  /** Milliseconds of CPU time of a program. */
  async function cpuOf(words, { own, onScreen = false }) {
    const command = [process.execPath, '--require', reporter, ...words]
    if (onScreen) {
      const terminal = new PseudoTerminal(command, { env: own, cwd: folder })
      await terminal.wrote('? help')
      await terminal.close()
    } else {
      const { status, stderr } = spawnSync(command[0], command.slice(1), {
        env: own,
        cwd: folder,
        encoding: 'utf8',
      })
      if (status !== 0) throw new Error(`${words.join(' ')} ended with ${status}: ${stderr}`)
    }
    return JSON.parse(readFileSync(usage, 'utf8')).cpu
  }

  const stop = await startLab(beside, folder)
  try {
    const times = new Map()
    for (let round = -1; round < rounds; round++) {
      for (const [where, extra] of Object.entries(environments)) {
        const took = async (name, words, { beside: isBeside = false, onScreen = false } = {}) => {
          const ms = await cpuOf(words, { own: { ...(isBeside ? beside : env), ...extra }, onScreen })
          if (round < 0) return
          const key = `${name}, ${where}`
          times.set(key, [...(times.get(key) ?? []), ms])
        }
        if (!earlier) for (let i = 0; i < 3; i++) await took(nothing, ['-e', '0'])
        for (const { name, words, ...how } of cases) {
          if (earlier) await took(`earlier ${name}`, [earlier.launcher, ...words], how)
          await took(name, [...flags, launcher, ...words], how)
        }
      }
    }
    const rows = Object.keys(environments).flatMap(where =>
      cases.map(({ name }) => {
        const of = (/** @type {string} */ what) => lowerQuarter(times.get(`${what}, ${where}`))
        const ratio = of(name) / of(earlier ? `earlier ${name}` : nothing)
        const limit = (earlier ? 1 : limits[where][name]) * (1 + SLACK)
        return [
          `${GUARD}start of ${name}, ${where}: CPU, of ${earlier?.name ?? nothing}`,
          ratio.toFixed(2),
          `<= ${limit.toFixed(2)}`,
        ]
      }),
    )
    printTable(['', 'ratio', 'limit'], rows)
    return rows
  } finally {
    await stop()
    rmSync(folder, { recursive: true, force: true })
  }
}
