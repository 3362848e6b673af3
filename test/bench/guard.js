// Fails when a request takes more processor time than it took: the CPU time of a lab's token, code flow and JWKS, each of that of a
// bare server in the same round. CPU time stays within some per cent on a busy machine, where a rate does not.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { labCodeFlow, load, plainRequests, record, tokenRequest } from './load.js'
import { pinLoad, Servers } from './server.js'
import { printTable, spread } from './statistics.js'

/** The start of the name of each ratio. */
export const GUARD = 'guard, '

const CONNECTIONS = 8
/** Rounds that the first, uncounted one is as long as. */
const WARM_UP = 15
/** Above a figure, in parts of it. */
export const SLACK = 0.08
export const figures = JSON.parse(readFileSync(join(import.meta.dirname, 'guard.json'), 'utf8'))

/**
 * Each round is a number of requests, not a time: on a busy machine a lab would answer fewer of them before its code is compiled.
 * @param {object} how
 * @param {number} how.rounds the median counts
 * @param {number} how.part of the usual requests
 * @param {string[]} [how.labFlags] of the node that runs the lab
 * @param {Record<string, number>} [how.limits] CPU of the lab, of the bare server's
 */
export async function measureGuard({ rounds, part, labFlags, limits = figures }) {
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
      { name: 'token', job: tokenRequest, limit: bare, requests: 400 },
      { name: 'code flow', job: labCodeFlow, limit: bareJose, requests: 120 },
      { name: 'JWKS', job: keys[0].job, limit: bare, requests: 1500 },
    ]
    const ratios = cases.map(() => /** @type {number[]} */ ([]))
    for (let round = 0; round <= rounds; round++) {
      for (const [n, { job, limit, requests }] of cases.entries()) {
        const cpu = async server => {
          let left = requests * part * (round === 0 ? WARM_UP : 1)
          return (await load(server, { ca, connections: CONNECTIONS, job, goesOn: () => left-- > 0 })).cpu
        }
        const least = await cpu(limit)
        const ratio = (await cpu(lab)) / least
        if (round > 0) ratios[n].push(ratio)
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
