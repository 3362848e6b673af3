// npm run soak [-- --minutes 15]: uses all sites of a lab for some time, at a steady pace, and prints its resident memory and
// the delay of its event loop over time. What counts is the end as a ratio of the start: a lab that leaks grows.
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { Connection } from './connection.js'
import { accessToken, labCodeFlow, resourceRequest } from './load.js'
import { Servers } from './server.js'
import { median, printTable } from './statistics.js'

const { values } = parseArgs({ options: { minutes: { type: 'string', default: '15' } } })
const minutes = Number(values.minutes)
if (!(minutes > 0)) throw new Error(`--minutes ${values.minutes} is no number above 0`)

/** Milliseconds between two jobs of one kind. */
const PACE = 100
const SAMPLES = 30
const ZONE = '1ab00000000000000000000000000001'
const admin = { authorization: 'Bearer lab-admin-token' }
const dns = { authorization: 'Bearer labtoken00000000000000000000000000000001' }

/** A JSON request on a connection. */
const json = (connection, method, path, { authorization }, body) =>
  connection.message(path, { method, authorization, json: body })

/** Creates and deletes an object of the cluster. */
function configMap(connection) {
  const path = '/api/v1/namespaces/default/configmaps'
  let n = 0
  return async () => {
    const name = `soak-${n++}`
    const body = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name },
      data: { value: 'x'.repeat(1000) },
    }
    await connection.send(json(connection, 'POST', path, admin, body), 201)
    await connection.send(json(connection, 'DELETE', `${path}/${name}`, admin), 200)
  }
}

/** Creates, lists and deletes a DNS record. The lab's budget is 1,200 requests in five minutes, so this job is slower. */
function dnsRecord(connection) {
  const path = `/client/v4/zones/${ZONE}/dns_records`
  const record = { type: 'A', name: 'soak.example.com', content: '192.0.2.77', ttl: 60 }
  return async () => {
    const made = await connection.send(json(connection, 'POST', path, dns, record), 200)
    await connection.send(json(connection, 'GET', path, dns), 200)
    const { id } = JSON.parse(made.body).result
    await connection.send(json(connection, 'DELETE', `${path}/${id}`, dns), 200)
    await delay(1500)
  }
}

/** Asks for a payload that is seldom the one of the last time. */
function payloads(connection) {
  let n = 0
  return () => connection.send(connection.message(`/kb/${1 + (n++ % 300)}`), 200)
}

const megabytes = bytes => bytes / 2 ** 20
const loopDelay = pathToFileURL(join(import.meta.dirname, 'servers/loop-delay.js')).href
const servers = new Servers(['--expose-gc', '--import', loopDelay])
try {
  const lab = await servers.lab({}, ['--compression'])
  const token = await accessToken(lab, servers.ca)
  const { authorization, resource, cluster, dns: api } = lab.urls
  const jobs = [
    [authorization, connection => labCodeFlow(connection)],
    [authorization, payloads],
    [resource, resourceRequest(token)],
    [cluster, configMap],
    [api, dnsRecord],
  ]
  let done = 0
  let failure
  let over = false
  const running = jobs.map(async ([url, job]) => {
    // A job starts with a new connection now and then, because real clients come and go.
    while (!over && failure === undefined) {
      const connection = await Connection.open(url, servers.ca)
      const run = job(connection)
      for (let i = 0; i < 40 && !over; i++) {
        await run()
        done++
        await delay(PACE)
      }
      connection.close()
    }
  })
  const all = Promise.all(running).catch(error => {
    failure = error
  })
  const samples = []
  for (let i = 0; i < SAMPLES && failure === undefined; i++) {
    await Promise.race([delay((minutes * 60_000) / SAMPLES), all])
    const { rss, delay: late } = await lab.usage()
    samples.push({ rss, ...late })
    const ms = [late.p50, late.p99, late.max].map(each => `${each.toFixed(1)} ms`)
    const minute = (((i + 1) * minutes) / SAMPLES).toFixed(1)
    console.log(
      `minute ${minute}: ${done} jobs, ${megabytes(rss).toFixed(0)} MB, event loop late by ${ms.join(', ')} (p50, p99, max)`,
    )
  }
  over = true
  await all
  if (failure !== undefined) throw failure
  // The first samples are a lab that still loads code.
  const third = Math.floor(samples.length / 3)
  const ratio = name => {
    const of = part => median(part.map(each => each[name]))
    return of(samples.slice(-third)) / of(samples.slice(2, 2 + third))
  }
  console.log()
  printTable(
    ['end, of start', 'ratio', 'aim'],
    [
      ['resident memory', ratio('rss').toFixed(2), '<= 1.30'],
      ['event loop, p99', ratio('p99').toFixed(2), '<= 2.00'],
    ],
  )
} finally {
  await servers.stop()
}
