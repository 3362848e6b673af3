// Fails when a request takes more processor time than it took: the CPU time of a lab's token, code flow, JWKS and userinfo, each of that of a
// bare server in the same rounds. Of the times of a server the lower quarter counts: noise only adds to them.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { labCodeFlow, load, loggedIn, plainRequests, record, tokenRequest } from './load.js'
import { pinLoad, Servers } from './server.js'
import { printTable, quantile } from './statistics.js'

/** The start of the name of each ratio. */
export const GUARD = 'guard, '

const CONNECTIONS = 8
/** Rounds that the first, uncounted one is as long as. */
const WARM_UP = 10
/** Above a figure, in parts of it. */
export const SLACK = 0.08
export const figures = JSON.parse(readFileSync(join(import.meta.dirname, 'guard.json'), 'utf8'))

/** The values of several rounds as one. */
export const lowerQuarter = values => quantile(values, 0.25)

/**
 * Each round is a number of requests, not a time: on a busy machine a lab would answer fewer of them before its code is compiled.
 * @param {object} how
 * @param {number} how.rounds after one that lets the code be compiled
 * @param {number} how.part of the usual requests
 * @param {string[]} [how.labFlags] of the node that runs the lab
 * @param {Record<string, number>} [how.limits] CPU of the lab, of the bare server's
 * @param {import('./guard-earlier.js').EarlierTree} [how.earlier] takes the place of the bare server, and 1 that of the limits
 */
export async function measureGuard({ rounds, part, labFlags, limits = figures, earlier }) {
  const servers = new Servers([], labFlags)
  try {
    pinLoad()
    const lab = await servers.lab()
    const { ca } = servers
    const plain = async server => {
      const [{ access_token }] = await loggedIn(server, ca, 1)
      return plainRequests(access_token).filter(({ name }) => name === 'JWKS' || name === 'userinfo')
    }
    const [userinfo, keys] = await plain(lab)
    const answers = await record(lab, ca, [userinfo, keys])
    const other = earlier && (await servers.lab({}, [], earlier.launcher))
    const [otherUserinfo] = other ? await plain(other) : [userinfo]
    const bare = other ?? (await servers.bare(answers))
    const bareJose = other ?? (await servers.bare(answers, 'jose'))
    const cases = [
      { name: 'token', job: tokenRequest, yardstick: bare, requests: 400 },
      { name: 'code flow', job: labCodeFlow, yardstick: bareJose, requests: 120 },
      { name: 'JWKS', job: keys.job, yardstick: bare, requests: 3000 },
      { name: 'userinfo', job: userinfo.job, otherJob: otherUserinfo.job, yardstick: bare, requests: 1500 },
    ]
    const times = cases.map(() => ({
      lab: /** @type {number[]} */ ([]),
      yardstick: /** @type {number[]} */ ([]),
    }))
    for (let round = 0; round <= rounds; round++) {
      for (const [n, { job, otherJob = job, yardstick, requests }] of cases.entries()) {
        const cpu = async (server, job) => {
          let left = requests * part * (round === 0 ? WARM_UP : 1)
          return (await load(server, { ca, connections: CONNECTIONS, job, goesOn: () => left-- > 0 })).cpu
        }
        const took = { yardstick: await cpu(yardstick, otherJob), lab: await cpu(lab, job) }
        if (round === 0) continue
        times[n].yardstick.push(took.yardstick)
        times[n].lab.push(took.lab)
      }
    }
    const rows = cases.map(({ name }, n) => {
      const ratio = lowerQuarter(times[n].lab) / lowerQuarter(times[n].yardstick)
      const limit = (earlier ? 1 : limits[name]) * (1 + SLACK)
      const what = `${GUARD}${name}: CPU, of ${earlier?.name ?? 'a bare server'}`
      return [what, ratio.toFixed(2), `<= ${limit.toFixed(2)}`]
    })
    printTable(['', 'ratio', 'limit'], rows)
    return rows
  } finally {
    await servers.stop()
  }
}
