// One teacher's program with a full room: how long an answer to facts takes, how long until the teacher sees them, and its memory. And with --lab, how long the
// flows of thirty participants take who begin at once.
import { once } from 'node:events'
import { get } from 'node:https'
import { setTimeout as sleep } from 'node:timers/promises'
import { Connection } from './connection.js'
import { labCodeFlow } from './load.js'
import { basic, pinLoad, Servers } from './server.js'
import { printTable, quantile } from './statistics.js'

const PEOPLE = 300
/** Part of the time in which people come in. */
const ARRIVAL = 0.2
/** Milliseconds between two openings of the board. */
const LOOK = 500

/** The facts of one lesson, as most people send them. */
const factsOf = ({ name, tasks }) => [
  { fact: 'lesson.opened', lesson: name },
  { fact: 'prediction.answered', lesson: name, answer: 'a' },
  ...tasks.flatMap(task => [
    { fact: 'task.shown', lesson: name, task },
    { fact: 'refused', lesson: name, task, rule: 'invalid_grant RFC 7636 §4.6' },
    { fact: 'hint.taken', lesson: name, task },
    { fact: 'task.done', lesson: name, task },
  ]),
]

/** Opens an event stream. @returns its events as they come, and the end of it */
async function stream(url, headers, ca, onEvent) {
  const request = get(url, { ca, headers, agent: false })
  const [response] = await once(request, 'response')
  let rest = ''
  let end = ''
  response.setEncoding('utf8').on('data', chunk => {
    rest += chunk
    // A whole board comes in many chunks: a search in each would cost more than the board.
    end = (end + chunk).slice(-2)
    if (end !== '\n\n') return
    const parts = rest.split('\n\n')
    rest = parts.pop() ?? ''
    for (const part of parts) if (part.startsWith('data: ')) onEvent(JSON.parse(part.slice(6)))
  })
  response.on('error', () => {})
  request.on('error', () => {})
  return () => request.destroy()
}

/**
 * @param {object} how
 * @param {number} how.lessons whose facts everybody sends
 * @param {number} how.seconds in which they do
 */
export async function measureWorkshop({ lessons: count, seconds }) {
  const servers = new Servers()
  const closing = []
  try {
    pinLoad()
    const server = await servers.workshop()
    const { ca } = servers
    const { origin, searchParams } = new URL(server.ready.board)
    const teacher = await Connection.open(origin, ca)
    const entered = await teacher.send(teacher.message(`/board?key=${searchParams.get('key')}`), 302)
    const cookie = entered.cookies[0]

    /** Facts that the teacher has not seen yet: by person, the task that was done and when it was sent. */
    const unseen = new Map()
    const seen = []
    let lessons = []
    const look = message => {
      if (message.type === 'board') lessons = message.lessons
      for (const { who, tasks } of message.people) {
        const waits = unseen.get(who)
        if (waits === undefined || tasks[waits.key]?.state !== 'done') continue
        seen.push(performance.now() - waits.at)
        unseen.delete(who)
      }
    }
    closing.push(await stream(`${origin}/board/events`, { cookie }, ca, look))
    while (lessons.length === 0) await sleep(20)
    const facts = lessons.slice(0, count).flatMap(factsOf)

    const { secret } = server
    const answers = []
    const opened = []
    const pause = ((1 - ARRIVAL) * seconds * 1000) / facts.length
    let over = false

    async function participant(i) {
      await sleep((i / PEOPLE) * ARRIVAL * seconds * 1000)
      let connection = await Connection.open(origin, ca)
      closing.push(() => connection.close())
      const ask = async (target, parts, status) => {
        const message = connection.message(target, parts)
        return connection.send(message, status).catch(async () => {
          // The server ends connections that were silent for 5 seconds.
          connection = await Connection.open(origin, ca)
          return connection.send(message, status)
        })
      }
      const joined = await ask('/room/join', { json: { secret, name: `Person ${i}` } }, 201)
      const { who, token } = JSON.parse(joined.body)
      const authorization = `Bearer ${token}`
      closing.push(await stream(`${origin}/room/messages`, { authorization }, ca, () => {}))
      const began = performance.now()
      for (const [n, fact] of facts.entries()) {
        await sleep(Math.max(0, began + n * pause - performance.now()))
        const at = performance.now()
        const json = { facts: [{ n: n + 1, at: new Date().toISOString(), ...fact }] }
        if (fact.fact === 'task.done' && !unseen.has(who))
          unseen.set(who, { key: `${fact.lesson}/${fact.task}`, at })
        await ask('/room/facts', { authorization, json }, 200)
        answers.push(performance.now() - at)
      }
    }

    /** Opens the board again and again, as a teacher who reloads the page. */
    async function reload() {
      while (!over) {
        const at = performance.now()
        let came = () => {}
        const first = new Promise(resolve => {
          came = () => resolve(undefined)
        })
        const close = await stream(`${origin}/board/events`, { cookie }, ca, came)
        await first
        opened.push(performance.now() - at)
        close()
        await sleep(LOOK)
      }
    }

    const reloading = reload()
    await Promise.all(Array.from({ length: PEOPLE }, (_, i) => participant(i)))
    over = true
    await reloading
    while (unseen.size > 0) await sleep(50)
    const { rss, cpu } = await server.usage()
    const ms = (what, values, aim) => [`workshop, ${what}, p99 ms`, quantile(values, 0.99).toFixed(0), aim]
    const rows = [
      ms('facts are answered', answers, '<= 100'),
      ms('the board opens', opened, '<= 100'),
      ms('a fact is on the board', seen, '<= 1000'),
      ['workshop, processor time of all, s', (cpu / 1e6).toFixed(1), ''],
      ['workshop, memory in MB', (rss / 2 ** 20).toFixed(0), '<= 250'],
    ]
    const heading = `${PEOPLE} people, ${PEOPLE * facts.length} facts in ${seconds} s`
    printTable([heading, '', 'aim'], rows)
    return rows
  } finally {
    for (const close of closing) close()
    await servers.stop()
  }
}

/** Participants who use the lab of the room at once. */
const AT_ONCE = 30

/**
 * A room with a lab: everybody does the code flow, calls the resource server and refreshes, again and again at once.
 * @param {number} rounds
 */
export async function measureRoomLab(rounds) {
  const servers = new Servers()
  const connections = []
  try {
    pinLoad()
    const server = await servers.workshop('--lab')
    const { ca } = servers
    const { origin } = new URL(server.ready.board)
    const open = async url => {
      const connection = await Connection.open(url, ca)
      connections.push(connection)
      return connection
    }

    /** Joins. @returns a function that connects, and returns a run of the three, which returns their times */
    async function participant(_, i) {
      const room = await open(origin)
      const json = { secret: server.secret, name: `Person ${i}` }
      const { token } = JSON.parse((await room.send(room.message('/room/join', { json }), 201)).body)
      const asked = room.message('/room/lab', { authorization: `Bearer ${token}` })
      const { urls, client, user } = JSON.parse((await room.send(asked, 200)).body)
      const own = { ...client, callback: 'http://127.0.0.1/callback' }
      return async () => {
        // The server ends connections that were silent for 5 seconds.
        const [authorization, resource] = [await open(urls.authorization), await open(urls.resource)]
        const flow = labCodeFlow(authorization, user, own)
        return async () => {
          const times = []
          const timed = async work => {
            const at = performance.now()
            const done = await work
            times.push(performance.now() - at)
            return done
          }
          const tokens = await timed(flow())
          const call = { authorization: `Bearer ${tokens.access_token}` }
          await timed(resource.send(resource.message('/resource', call), 200))
          const form = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token }
          const refresh = authorization.message('/token', { form, authorization: basic(own) })
          await timed(authorization.send(refresh, 200))
          for (const each of [authorization, resource]) each.close()
          return times
        }
      }
    }

    const connecting = await Promise.all(Array.from({ length: AT_ONCE }, participant))
    /** All connect first, and begin together. */
    async function all() {
      const runs = await Promise.all(connecting.map(connect => connect()))
      return Promise.all(runs.map(run => run()))
    }
    // The first round loads and compiles the servers.
    await all()
    const times = []
    for (let round = 0; round < rounds; round++) times.push(...(await all()))
    const { rss } = await server.usage()
    const p99 = i =>
      quantile(
        times.map(each => each[i]),
        0.99,
      ).toFixed(0)
    const rows = [
      ['workshop --lab, code flow, p99 ms', p99(0), '<= 250'],
      ['workshop --lab, resource, p99 ms', p99(1), '<= 250'],
      ['workshop --lab, refresh, p99 ms', p99(2), '<= 250'],
      ['workshop --lab, memory in MB', (rss / 2 ** 20).toFixed(0), '<= 250'],
    ]
    printTable([`${AT_ONCE} participants at once, ${rounds} times`, '', 'aim'], rows)
    return rows
  } finally {
    for (const each of connections) each.close()
    await servers.stop()
  }
}
