// How long whole programs take, as ratios to `node -e 0` measured in the same run.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { environment, extraCas } from './environment.js'
import { median, printTable, spread } from './statistics.js'

const launcher = join(import.meta.dirname, '../../bin/oauth-lab.js')
const serve = [launcher, 'serve', '--json', '--port', '0', '--http-port', '0']

const oneRequest = `
  const [url, ca] = process.argv.slice(1)
  require('node:https').get(url, { agent: false, ca: require('node:fs').readFileSync(ca) }, it => it.resume())`

/**
 * A program to start, `part` of all runs. `aim` is the most that it may take of `node -e 0`.
 * @typedef {object} Case
 * @property {string} name
 * @property {string[] | ((lab: { ca: string, urls: Record<string, string> }) => string[])} args of node
 * @property {number} part
 * @property {string} [aim]
 * @property {boolean} [untilReady]
 * @property {boolean} [running] next to a running lab
 */

/** @type {Case[]} */
const cases = [
  { name: 'node -e 0', args: ['-e', '0'], part: 1 },
  { name: 'oauth-lab --version', args: [launcher, '--version'], part: 1, aim: '<= 1.35' },
  { name: 'oauth-lab --help', args: [launcher, '--help'], part: 1, aim: '<= 1.35' },
  {
    name: 'oauth-lab jwt decode TOKEN',
    args: [launcher, 'jwt', 'decode', 'eyJhbGciOiJub25lIn0.eyJpc3MiOiJqb2UifQ.'],
    part: 1,
    aim: '<= 1.80',
  },
  { name: 'oauth-lab ca path', args: [launcher, 'ca', 'path'], part: 0.25, aim: '' },
  { name: 'oauth-lab serve, until it is ready', args: serve, part: 0.25, aim: '<= 3.00', untilReady: true },
  {
    name: 'oauth-lab flow code --json, embedded lab',
    args: [launcher, 'flow', 'code', '--client', 'demo', '--json'],
    part: 0.25,
    aim: '',
  },
  {
    // The least that Node needs for what the two below do: one request to a server whose CA it is told.
    name: 'node:https, one request to a lab',
    args: ({ ca, urls }) => ['-e', oneRequest, `${urls.cluster}/version`, ca],
    part: 0.5,
    aim: '',
    running: true,
  },
  {
    name: 'oauth-lab k8s token, running lab',
    args: [launcher, 'k8s', 'token', '--audience', 'api'],
    part: 0.5,
    aim: '<= 2.60',
    running: true,
  },
  {
    name: 'oauth-lab cf events, running lab',
    args: [launcher, 'cf', 'events', '--since', '1h', '--json'],
    part: 0.5,
    aim: '<= 2.60',
    running: true,
  },
]

/** @param runs of each program, interleaved, so that a busy moment of the machine falls on all of them */
export async function measureStartUp(runs) {
  const home = mkdtempSync(join(tmpdir(), 'oauth-lab-bench-'))
  const env = { ...environment, HOME: home, OAUTH_LAB_HOME: join(home, 'lab') }
  /** Of the commands that find a running lab; the others must find none. */
  const besideLab = { ...env, OAUTH_LAB_HOME: join(home, 'running') }

  /** Milliseconds until it ended. */
  function toTheEnd(/** @type {Case} */ { name, args, running }, lab) {
    const start = performance.now()
    const words = typeof args === 'function' ? args(lab) : args
    const { status, stderr } = spawnSync(process.execPath, words, {
      env: running ? besideLab : env,
      cwd: home,
      encoding: 'utf8',
    })
    if (status !== 0) throw new Error(`${name} ended with ${status}: ${stderr}`)
    return performance.now() - start
  }

  /** Milliseconds until it said that it is ready. */
  async function toTheFirstLine({ args }) {
    const start = performance.now()
    const child = spawn(process.execPath, args, { env, cwd: home, stdio: ['ignore', 'pipe', 'inherit'] })
    const ended = once(child, 'exit')
    await once(child.stdout, 'data')
    const ms = performance.now() - start
    child.kill('SIGTERM')
    await ended
    return ms
  }

  const lab = spawn(process.execPath, serve, {
    env: besideLab,
    cwd: home,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  // What it says is read away, so that it never waits for a reader.
  const ready = once(lab.stdout, 'data')
  lab.stdout.resume()
  const ended = once(lab, 'exit')
  try {
    const [said] = await ready
    const where = JSON.parse(String(said).split('\n')[0])
    const times = cases.map(() => /** @type {number[]} */ ([]))
    // The first round is for the disk cache, and makes keys and certificates.
    for (let i = -1; i < runs; i++) {
      for (const [n, each] of cases.entries()) {
        if (i >= runs * each.part) continue
        const ms = each.untilReady ? await toTheFirstLine(each) : toTheEnd(each, where)
        if (i >= 0) times[n].push(ms)
      }
    }
    const base = median(times[0])
    const rows = cases.map(({ name, aim }, n) => [name, ...spread(times[n].map(ms => ms / base)), aim ?? ''])
    printTable([`start-up, of node -e 0, ${extraCas}`, 'median', 'middle', 'half', 'aim'], rows)
    return rows.map(([name, ratio, , , aim]) => [`${name}, of node -e 0`, ratio, aim])
  } finally {
    lab.kill('SIGTERM')
    await ended
    rmSync(home, { recursive: true, force: true })
  }
}
