// How CPU time and memory grow with the size of what a program reads or a lab keeps. Nothing may grow faster than n log n, and a
// stream takes bounded memory.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { Connection } from './connection.js'
import { environment } from './environment.js'
import { labCodeFlow, load, tokenRequest } from './load.js'
import { PseudoTerminal } from './pseudo-terminal.js'
import { eventsOf, launcher } from './screens.js'
import { pinLoad, Servers } from './server.js'
import { printTable } from './statistics.js'

const reporter = join(import.meta.dirname, 'servers/usage-at-exit.cjs')
const START = Date.parse('2026-01-01T00:00:00Z')
const list = (size, make) => Array.from({ length: size }, (_, n) => make(n))

/** The folder of all cases, and the environment of their programs. */
let folder = ''
let env = {}
let runs = 0

/**
 * CPU time and memory of a program, or of a lab during some work.
 * @typedef {{ cpu: number, memory: number }} Used CPU time in milliseconds; the peak of resident memory in megabytes
 */

/**
 * Runs a program to its end.
 * @returns {Promise<Used>}
 */
async function run(...words) {
  const usage = join(folder, `usage-${runs++}.json`)
  const child = spawn(process.execPath, ['--require', reporter, launcher, ...words], {
    env: { ...env, BENCH_USAGE: usage },
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const ended = once(child, 'exit')
  const said = await text(child.stderr)
  const [code] = await ended
  // 1: `explain` found a fault; 2: a lab file has mistakes.
  if (code === null || code > 2)
    throw new Error(`${words.join(' ')} ended with ${code}: ${said.slice(-2000)}`)
  return JSON.parse(readFileSync(usage, 'utf8'))
}

/** Shows a recording on a screen, until it has drawn its last event. */
async function onScreen(file, last) {
  const terminal = new PseudoTerminal([process.execPath, launcher, 'play', file], { env, cwd: folder })
  try {
    await terminal.wrote(last, 600_000)
    const status = readFileSync(`/proc/${await terminal.pid()}/status`, 'utf8')
    return { cpu: await terminal.processorTime(), memory: Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1024 }
  } finally {
    await terminal.close()
  }
}

/** Writes a file of some bytes, piece by piece, with a comma between two. Returns its name and the number of its pieces. */
function fileOf(name, { bytes, count = Number.POSITIVE_INFINITY, head = '', tail = '', comma = '', piece }) {
  const file = openSync(join(folder, name), 'w')
  let [written, n] = [writeSync(file, head), 0]
  while (written < bytes && n < count) {
    let more = ''
    for (; more.length < 65_536 && written + more.length < bytes && n < count; n++)
      more += (n > 0 ? comma : '') + piece(n)
    written += writeSync(file, more)
  }
  writeSync(file, tail)
  closeSync(file)
  return { name, pieces: n }
}

const labFile = (name, content) => {
  writeFileSync(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content))
  return name
}

const clients = size =>
  list(size, n => ({
    client_id: `client-${n}`,
    client_secret: `secret-0123456789abcdef0123456789-${n}`,
    grant_types: ['client_credentials'],
    response_types: [],
    redirect_uris: [],
    allowed_scopes: ['records:read'],
  }))

const clientFile = size => labFile('clients.json', { clients: clients(size) })

const yaml = (head, size) =>
  labFile('keys.yaml', head + list(size, n => `      key${n}: a text ${n}\n`).join(''))

const events = size =>
  fileOf('events.jsonl', {
    ...size,
    head: `${JSON.stringify({ type: 'lab.ready', urls: { authorization: 'https://localhost:8443' } })}\n`,
    // Events of one request have its number.
    piece: n => eventsOf(n, START + n * 50).replaceAll('"site"', `"request":${n + 1},"site"`),
  })

const pairs = members => Object.entries(members).map(([name, value]) => ({ name, value }))
const base64url = value => Buffer.from(JSON.stringify(value)).toString('base64url')
const [server, app] = ['https://as.example', 'https://app.example']

/** The n-th entry of an archive: one of the four of a login, each with a code and tokens of its own. */
function harEntry(n) {
  const id = String(Math.floor(n / 4)).padStart(8, '0')
  const [code, state, token] = [
    `code-${id}-abcdefghijklmnop`,
    `state-${id}-abcdefghijkl`,
    `token-${id}-abcdefghijklmnop`,
  ]
  const idToken = `${base64url({ alg: 'RS256' })}.${base64url({ iss: server, sub: 'alice', aud: 'app', nonce: id })}.${'A'.repeat(342)}`
  const back = `${app}/callback?code=${code}&state=${state}`
  const asks = `response_type=code&client_id=app&redirect_uri=${encodeURIComponent(`${app}/callback`)}&state=${state}&nonce=${id}&scope=openid`
  const form = `grant_type=authorization_code&code=${code}&redirect_uri=${encodeURIComponent(`${app}/callback`)}`
  const tokens = { access_token: token, token_type: 'Bearer', expires_in: 3600, id_token: idToken }
  const rows = list(40, row => ({ row, name: `row ${row} of ${id}`, value: row * 1.5 }))
  const [method, url, headers, body, status, answerHeaders, answer] = [
    ['GET', `${server}/authorize?${asks}`, { cookie: `sid=session-${id}` }, '', 302, { location: back }, ''],
    ['GET', back, {}, '', 200, { 'content-type': 'text/html' }, '<p>Hello</p>'.repeat(100)],
    [
      'POST',
      `${server}/token`,
      { authorization: 'Basic YXBwOnNlY3JldA==' },
      form,
      200,
      {},
      JSON.stringify(tokens),
    ],
    ['GET', `${app}/api`, { authorization: `Bearer ${token}` }, '', 200, {}, JSON.stringify(rows)],
  ][n % 4]
  const request = {
    method,
    url,
    headers: pairs(headers),
    postData: { mimeType: 'application/x-www-form-urlencoded', text: body },
  }
  const content = { size: String(answer).length, mimeType: 'application/json', text: answer }
  const response = { status, headers: pairs(answerHeaders), content }
  return JSON.stringify({
    startedDateTime: new Date(START + n * 300).toISOString(),
    time: 12,
    request,
    response,
  })
}

const archive = bytes =>
  fileOf('recording.har', {
    bytes,
    head: '{"log":{"version":"1.2","creator":{"name":"bench","version":"1"},"entries":[\n',
    tail: '\n]}}\n',
    comma: ',\n',
    piece: harEntry,
  }).name

/** Measures the CPU time of a running lab during some work, and its memory after it. */
async function used(lab, work) {
  const before = await lab.usage()
  await work()
  const { cpu, rss } = await lab.usage()
  return { cpu: (cpu - before.cpu) / 1000, memory: rss / 2 ** 20 }
}

/** Starts a lab for one measurement. */
async function atLab(config, work) {
  const servers = new Servers(['--expose-gc'])
  try {
    return await work(await servers.lab(config), servers.ca)
  } finally {
    await servers.stop()
  }
}

const apiToken = 'labtoken00000000000000000000000000000001'
const zone = '1ab00000000000000000000000000001'

/** Imports a zone file, reads one page of the records, changes one, and exports them. */
async function zoneOf(size) {
  return atLab(
    { dns: { token: apiToken, rate_limit: 'off', zones: [{ id: zone, name: 'example.com' }] } },
    async (lab, ca) => {
      const connection = await Connection.open(lab.urls.dns, ca)
      const path = `/client/v4/zones/${zone}/dns_records`
      const authorization = `Bearer ${apiToken}`
      const send = (target, body = '', type = 'text/plain') => {
        const head = connection.message(target, { authorization, method: body === '' ? 'GET' : 'POST' })
        const lines = `content-type: ${type}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n`
        return connection.send(body === '' ? head : head.slice(0, -2) + lines + body, 200)
      }
      const result = await used(lab, async () => {
        const lines = list(size - 1, n => `host-${n} 300 IN A 192.0.2.${n % 250}\n`).join('')
        const part = `--x\r\nContent-Disposition: form-data; name="file"; filename="z"\r\n\r\n${lines}\r\n--x--\r\n`
        await send(`${path}/import`, part, 'multipart/form-data; boundary=x')
        await send(`${path}?per_page=100&page=2`)
        await send(
          path,
          JSON.stringify({ type: 'A', name: 'one-more', content: '192.0.2.1', ttl: 300 }),
          'application/json',
        )
        await send(`${path}/export`)
      })
      connection.close()
      return result
    },
  )
}

/** Code flows, whose codes, sessions and tokens the lab keeps. */
const liveTokens = size =>
  atLab({ lifetimes: { access_token: '1d' } }, async (lab, ca) => {
    let left = size
    return used(lab, () =>
      load(lab, { ca, connections: Math.min(8, size), job: labCodeFlow, goesOn: () => left-- > 0 }),
    )
  })

/** Requests of as many connections at once. */
const connections = size =>
  atLab({}, (lab, ca) =>
    used(lab, async () => {
      const opened = await Promise.all(list(size, () => Connection.open(lab.url, ca)))
      for (let round = 0; round < 3; round++) await Promise.all(opened.map(each => tokenRequest(each)()))
      for (const each of opened) each.close()
    }),
  )

/** Flows at once, each with a lab of its own, in one new home. */
async function flowsAtOnce(size) {
  rmSync(env.OAUTH_LAB_HOME, { recursive: true, force: true })
  const all = await Promise.all(list(size, () => run('flow', 'code', '--client', 'demo', '--json')))
  return {
    cpu: all.reduce((sum, { cpu }) => sum + cpu, 0),
    memory: Math.max(...all.map(({ memory }) => memory)),
  }
}

const MB = 1e6
const megabytes = size => `${size / MB} MB`

/**
 * Something with a size.
 * @typedef {object} Case
 * @property {string} name
 * @property {readonly number[]} sizes
 * @property {(size: number) => Promise<Used>} measure
 * @property {(size: number) => string} [unit]
 * @property {true} [stream] memory may not grow
 */

/** @type {Case[]} */
const cases = [
  {
    name: 'config check, clients',
    sizes: [1, 100, 1000, 10_000],
    measure: size => run('config', 'check', '--config', clientFile(size)),
  },
  {
    name: 'flow of one of the clients of a lab file',
    sizes: [1, 100, 1000, 10_000],
    measure: size => run('flow', 'client-credentials', '--client', 'client-0', '--config', clientFile(size)),
  },
  {
    name: 'config check, keys of a map',
    sizes: [1, 200, 2000, 20_000],
    measure: size => run('config', 'check', '--config', yaml('scopes:\n', size)),
  },
  {
    name: 'config check, keys with a remark each',
    sizes: [1, 200, 2000, 20_000],
    measure: size =>
      run(
        'config',
        'check',
        '--config',
        yaml('users:\n  - username: alice\n    password: wonderland\n    claims:\n', size),
      ),
  },
  {
    name: 'config check, keys with a remark each, in one line',
    sizes: [1, 200, 2000, 20_000],
    measure: size =>
      run(
        'config',
        'check',
        '--config',
        labFile(
          'line.json',
          `{"users": [{"username": "alice", "password": "wonderland", "claims": {${list(size, n => `"key${n}": "a text ${n}"`)}}}]}`,
        ),
      ),
  },
  {
    name: 'config check, unknown keys',
    sizes: [1, 200, 2000, 20_000],
    measure: size => run('config', 'check', '--config', yaml('lifetimes:\n', size)),
  },
  { name: 'live tokens, by code flows', sizes: [1, 1000, 10_000, 100_000], measure: liveTokens },
  { name: 'DNS zone: import, a page, a change, export', sizes: [10, 500, 5000, 50_000], measure: zoneOf },
  {
    name: 'events, play --plain',
    sizes: [10, 1000, 10_000, 100_000],
    measure: size =>
      run('play', events({ bytes: Number.POSITIVE_INFINITY, count: size / 2 }).name, '--plain'),
    stream: true,
  },
  {
    name: 'events on the dashboard',
    sizes: [10, 1000, 10_000, 100_000],
    measure(size) {
      const { name, pieces } = events({ bytes: Number.POSITIVE_INFINITY, count: size / 2 })
      return onScreen(name, `n=${pieces - 1}`)
    },
    stream: true,
  },
  ...[
    ['play --plain', bytes => run('play', events({ bytes }).name, '--plain')],
    ['explain, events', bytes => run('explain', events({ bytes }).name)],
    ['explain, HAR', bytes => run('explain', archive(bytes))],
    [
      'explain --redact, events',
      bytes => run('explain', events({ bytes }).name, '--redact', '-o', 'redacted.jsonl'),
    ],
    ['explain --redact, HAR', bytes => run('explain', archive(bytes), '--redact', '-o', 'redacted.har')],
  ].map(([name, measure]) => ({
    name: /** @type {string} */ (name),
    measure: /** @type {Case['measure']} */ (measure),
    sizes: [MB, 10 * MB, 100 * MB, 1000 * MB],
    unit: megabytes,
    stream: /** @type {const} */ (true),
  })),
  { name: 'flows at once in one home', sizes: [1, 5, 50], measure: flowsAtOnce },
  { name: 'parallel connections, 3 tokens each', sizes: [1, 10, 100, 1000], measure: connections },
]

/**
 * How the cost above that of the smallest size grows with the size from the last but one to the last: 1 is linear, and n log n at most 1.34
 * (from 100 to 1,000 of something, less for more).
 */
function growth(sizes, costs) {
  const above = costs.map(cost => cost - Math.min(...costs))
  const [before, last] = above.slice(-2)
  const [smaller, larger] = sizes.slice(-2)
  return last / Math.max(before, 1) / (larger / smaller)
}

/** @param quick true: without the largest size @param only a part of the names of the wanted cases */
export async function measureGrowth(quick, only = '') {
  pinLoad()
  folder = mkdtempSync(join(tmpdir(), 'oauth-lab-bench-'))
  env = {
    ...environment,
    HOME: folder,
    OAUTH_LAB_HOME: join(folder, 'home'),
    TERM: 'xterm-256color',
    LANG: 'C.UTF-8',
  }
  const rows = []
  try {
    for (const { name, sizes, measure, unit = size => size.toLocaleString('en'), stream } of cases) {
      if (!name.includes(only)) continue
      const wanted = quick ? sizes.slice(0, -1) : sizes
      const results = []
      for (const size of wanted) results.push(await measure(size))
      const ratio = growth(
        wanted,
        results.map(({ cpu }) => cpu),
      )
      rows.push([
        name,
        wanted.map(unit).join(' / '),
        results.map(({ cpu }) => cpu.toFixed(0)).join(' / '),
        results.map(({ memory }) => memory.toFixed(0)).join(' / '),
        ratio.toFixed(2),
        stream ? (results.at(-1).memory / results.at(-2).memory).toFixed(2) : '',
      ])
      console.error(rows.at(-1).join('  '))
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  printTable(
    ['growth', 'sizes', 'CPU, ms', 'memory, MB', 'CPU, of linear', 'memory, of the size before'],
    rows,
  )
  return rows.flatMap(([name, , , , ratio, memory]) => [
    [`CPU of linear: ${name}`, ratio, '<= 1.40'],
    ...(memory === '' ? [] : [[`memory of a tenth: ${name}`, memory, '<= 1.50']]),
  ])
}
