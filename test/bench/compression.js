// Content codings at kb=200 over TLS: the lab raw, in gzip and br from its cache and in gzip that is made anew, beside @fastify/compress
// and nginx, and the least that Node can do. Rounds are interleaved, each ratio is of one round.
import { performance } from 'node:perf_hooks'
import { ByteCounter } from './byte-counter.js'
import { startNginx } from './nginx.js'
import { pinLoad, Servers } from './server.js'
import { printTable, spread } from './statistics.js'

const CONNECTIONS = 8
const KB = 200
/** Sizes around it, of which it is the mean, more than the lab keeps: each is coded anew. */
const ANEW = Array.from({ length: 199 }, (_, i) => KB - 99 + i)

/** Asks on all connections for some time: answers a second, CPU microseconds of the server and bytes of an answer. */
async function load(server, ca, { offer, paths, seconds }) {
  const opened = await Promise.all(
    Array.from({ length: CONNECTIONS }, () => ByteCounter.open(server.url, ca)),
  )
  let [count, bytes, next] = [0, 0, 0]
  try {
    // What is kept is warm.
    if (paths.length === 1) await opened[0].ask(paths[0], offer)
    const before = await server.usage()
    const start = performance.now()
    const end = start + seconds * 1000
    await Promise.all(
      opened.map(async connection => {
        while (performance.now() < end) {
          const answer = await connection.ask(paths[next++ % paths.length], offer)
          bytes += answer.bytes
          count += 1
        }
      }),
    )
    const passed = (performance.now() - start) / 1000
    const { cpu } = await server.usage()
    return { rate: count / passed, cpu: (cpu - before.cpu) / count, bytes: Math.round(bytes / count) }
  } finally {
    for (const connection of opened) connection.close()
  }
}

/** @param rounds of all measures in turn; the first round only warms up */
export async function measureCompression({ rounds, seconds }) {
  const servers = new Servers()
  let nginx
  try {
    const pinned = pinLoad()
    const lab = await servers.lab({}, ['--compression'])
    const fastify = await servers.fastifyCompress()
    const bare = await servers.bare()
    nginx = await startNginx({ ...servers.place, sizes: [KB] })
    const one = [`/kb/${KB}`]
    const run = (server, offer, paths = one) => load(server, servers.ca, { offer, paths, seconds })
    const measures = {
      raw: () => run(lab),
      gzip: () => run(lab, 'gzip'),
      br: () => run(lab, 'br'),
      anew: () =>
        run(
          lab,
          'gzip',
          ANEW.map(kb => `/kb/${kb}`),
        ),
      fastifyRaw: () => run(fastify),
      fastify: () => run(fastify, 'gzip'),
      fastifyBr: () => run(fastify, 'br'),
      nginxRaw: () => run(nginx),
      nginx: () => run(nginx, 'gzip'),
      bare: () => run(bare),
    }
    const results = []
    for (let i = -1; i < rounds; i++) {
      const round = {}
      for (const [name, measure] of Object.entries(measures)) round[name] = await measure()
      if (i >= 0) results.push(round)
    }
    const of = (name, what, whole) => results.map(round => round[name][what] / round[whole][what])
    const middle = (values, digits) => spread(values, digits)[0]
    const row = (label, name, raw = name, aim = '') => {
      const { bytes } = results[0][name]
      return [
        ...[label, String(bytes), `${(results[0][raw].bytes / bytes).toFixed(0)} x`],
        middle(
          results.map(round => round[name].rate),
          0,
        ),
        ...spread(of(name, 'rate', 'raw')),
        ...spread(of(name, 'rate', 'nginx')),
        middle(
          results.map(round => round[name].cpu),
          0,
        ),
        middle(of(name, 'cpu', 'raw')),
        middle(of(name, 'cpu', 'nginx')),
        aim,
      ]
    }
    console.log(`${rounds} interleaved rounds, ${pinned}`)
    printTable(
      [
        ...[
          `/kb/${KB} over TLS`,
          'bytes',
          'smaller',
          'req/s',
          'of raw',
          'middle',
          'half',
          'of nginx',
          'middle',
          'half',
        ],
        ...['CPU us', 'of raw', 'of nginx', 'aim'],
      ],
      [
        row('oauth-lab raw', 'raw'),
        row('oauth-lab gzip, kept', 'gzip', 'raw', '>= 3.00 of raw, >= 5.00 of nginx gzip'),
        row('oauth-lab br, kept', 'br', 'raw'),
        row('oauth-lab gzip, made anew', 'anew', 'raw'),
        row('@fastify/compress raw', 'fastifyRaw'),
        row('@fastify/compress gzip', 'fastify', 'fastifyRaw'),
        row('@fastify/compress br', 'fastifyBr', 'fastifyRaw'),
        row('nginx raw', 'nginxRaw'),
        row('nginx gzip on, level 1', 'nginx', 'nginxRaw'),
        row('bare node:https, some 400 bytes', 'bare'),
      ],
    )
    return [
      [`/kb/${KB} gzip, kept: rate, of raw`, middle(of('gzip', 'rate', 'raw')), '>= 3.00'],
      [`/kb/${KB} gzip, kept: rate, of nginx gzip on`, middle(of('gzip', 'rate', 'nginx')), '>= 5.00'],
    ]
  } finally {
    await nginx?.stop()
    await servers.stop()
  }
}
