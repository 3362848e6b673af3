// Fails when a request takes more processor time than it took: the CPU time of a lab's token, code flow and JWKS, each of that of a
// bare server in the same round. CPU time stays within some per cent on a busy machine, where a rate does not.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { during, labCodeFlow, load, plainRequests, record, tokenRequest } from './load.js'
import { pinLoad, Servers } from './server.js'
import { printTable, spread } from './statistics.js'

/** The start of the name of each ratio. */
export const GUARD = 'guard, '

const CONNECTIONS = 8
/** Above a figure, in parts of it. */
const SLACK = 0.08
const figures = JSON.parse(readFileSync(join(import.meta.dirname, 'guard.json'), 'utf8'))

/**
 * @param {object} how
 * @param {number} how.rounds after two that warm up; the median counts
 * @param {number} how.seconds of each measurement
 * @param {string[]} [how.labFlags] of the node that runs the lab
 * @param {Record<string, number>} [how.limits] CPU of the lab, of the bare server's
 */
export async function measureGuard({ rounds, seconds, labFlags, limits = figures }) {
  const servers = new Servers([], labFlags)
  try {
    pinLoad()
    const lab = await servers.lab()
    const { ca } = servers
    const keys = plainRequests('').filter(({ name }) => name === 'JWKS')
    const answers = await record(lab, ca, keys)
    const bare = await servers.bare(answers)
    const bareJose = await servers.bare(answers, 'jose')
    const cases = [
      { name: 'token', job: tokenRequest, limit: bare },
      { name: 'code flow', job: labCodeFlow, limit: bareJose },
      { name: 'JWKS', job: keys[0].job, limit: bare },
    ]
    const ratios = cases.map(() => /** @type {number[]} */ ([]))
    for (let round = -2; round < rounds; round++) {
      for (const [n, { job, limit }] of cases.entries()) {
        const cpu = async server =>
          (await load(server, { ca, connections: CONNECTIONS, job, goesOn: during(seconds * 1000) })).cpu
        const least = await cpu(limit)
        const ratio = (await cpu(lab)) / least
        if (round >= 0) ratios[n].push(ratio)
      }
    }
    const rows = cases.map(({ name }, n) => {
      const limit = limits[name] * (1 + SLACK)
      return [`${GUARD}${name}: CPU, of a bare server`, ...spread(ratios[n]), `<= ${limit.toFixed(2)}`]
    })
    printTable(['', 'median', 'middle', 'half', 'limit'], rows)
    return rows.map(([name, ratio, , , limit]) => [name, ratio, limit])
  } finally {
    await servers.stop()
  }
}
