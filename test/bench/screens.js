// The screens: from launch to the first frame, from a key to its frame, and while a lab is busy.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { environment, extraCas } from './environment.js'
import { buildInkBox } from './ink-box.js'
import { PseudoTerminal } from './pseudo-terminal.js'
import { median, printTable, quantile, spread } from './statistics.js'

const node = process.execPath
export const launcher = join(import.meta.dirname, '../../bin/oauth-lab.js')
const free = [
  '--port',
  '0',
  '--http-port',
  '0',
  '--resource-port',
  '0',
  '--cluster-port',
  '0',
  '--dns-port',
  '0',
]

/** What a busy lab tells of its n-th request, in two lines: as many bytes as one of the code flow. */
export function eventsOf(n, at) {
  const [jti, time] = [`jti-${n}`, new Date(at).toISOString()]
  const about = { at: time, client_id: `demo-${n % 20}`, site: 'authorization' }
  const issued = { type: 'token.issued', ...about, sub: 'alice', token_type: 'Bearer', jti, expires_in: 3600 }
  const sizes = { wireBytes: 1024, bodyBytes: 1024, ms: 3 }
  const status = n % 10 === 0 ? 400 : 200
  const answered = {
    type: 'request.answered',
    ...about,
    method: 'POST',
    path: `/token?n=${n}`,
    status,
    ...sizes,
  }
  return `${JSON.stringify(issued)}\n${JSON.stringify(answered)}\n`
}

/** Starts `serve` on free ports. Returns the function that stops it. */
export async function startLab(env, cwd) {
  const child = spawn(node, [launcher, 'serve', '--json', ...free], {
    env,
    cwd,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  await once(child.stdout, 'data')
  child.stdout.resume()
  return async () => {
    child.kill('SIGTERM')
    await ended
  }
}

/** From launch to the first frame, interleaved, so that a busy moment falls on all of them. */
async function measureFirstFrames(runs, { folder, env, recording }) {
  const box = await buildInkBox(mkdtempSync(join(folder, 'ink-box-')))
  const alone = { ...env, OAUTH_LAB_HOME: join(folder, 'alone') }
  const flow = ['flow', 'code', '--client', 'demo']
  const cases = [
    { name: 'node -e, a line', words: ['-e', "console.log('? help'); setTimeout(() => {}, 300)"] },
    { name: 'Ink, one box', words: [box] },
    { name: 'dashboard, play FILE', words: [launcher, 'play', recording], aim: '<= 2.50' },
    { name: 'stepper, of a running lab', words: [launcher, ...flow], aim: '<= 2.50' },
    { name: 'dashboard, serve and its lab', words: [launcher, 'serve', ...free], env: alone, aim: '' },
    {
      name: 'stepper, embedded lab',
      words: [launcher, ...flow],
      env: { ...env, OAUTH_LAB_HOME: join(folder, 'embedded') },
      aim: '',
    },
  ]
  const stop = await startLab(env, folder)
  const times = cases.map(() => /** @type {number[]} */ ([]))
  const processor = cases.map(() => /** @type {number[]} */ ([]))
  try {
    // The first round makes keys and certificates.
    for (let i = -1; i < runs; i++) {
      for (const [n, each] of cases.entries()) {
        const terminal = new PseudoTerminal([node, ...each.words], { env: each.env ?? env, cwd: folder })
        const ms = await terminal.wrote('? help')
        const busy = await terminal.processorTime()
        await terminal.close()
        if (i < 0) continue
        times[n].push(ms)
        processor[n].push(busy)
      }
    }
  } finally {
    await stop()
  }
  const [base, ink] = times.map(median)
  const [, inkBusy] = processor.map(median)
  const rows = cases.map(({ name, aim = '' }, n) => [
    name,
    (median(times[n]) / base).toFixed(2),
    ...spread(times[n].map(ms => ms / ink)),
    (median(processor[n]) / inkBusy).toFixed(2),
    aim,
  ])
  printTable(
    [`launch to first frame, ${extraCas}`, 'of node', 'of Ink', 'middle', 'half', 'CPU, of Ink', 'aim'],
    rows,
  )
  return rows.flatMap(([name, ofNode, ofInk, , , , aim]) =>
    aim === ''
      ? []
      : [
          [`first frame of ${name}, of node -e 0`, ofNode, '<= 3.60'],
          [`first frame of ${name}, of Ink's box`, ofInk, aim],
        ],
  )
}

/** From a key to the frame that it makes, at 100x30 with a full history. */
async function measureKeys(presses, { folder, env, recording }) {
  const terminal = new PseudoTerminal([node, launcher, 'play', recording], { env, cwd: folder })
  await terminal.wrote('? help')
  await pause(500)
  const rows = []
  for (const [name, keys] of [
    ['move', ['k', 'j']],
    ['first, last', ['g', 'G']],
    ['next pane', ['\t']],
  ]) {
    const times = []
    const before = await terminal.processorTime()
    for (let i = 0; i < presses; i++) {
      times.push(await terminal.answersTo(keys[i % keys.length]))
      await pause(30)
    }
    const busy = ((await terminal.processorTime()) - before) / presses
    rows.push([name, busy.toFixed(1), median(times).toFixed(1), quantile(times, 0.9).toFixed(1), '<= 16'])
  }
  await terminal.close()
  printTable(['key to frame, 1,000 requests kept, ms', 'CPU', 'median', '9 of 10', 'aim'], rows)
  return rows.map(([name, , ms, , aim]) => [`key to frame, ms: ${name}`, ms, aim])
}

const residentMegabytes = pid =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024

/** 200 requests a second, and then as many as it takes: what a key has to wait, and what is kept. */
async function measureLoad(seconds, flood, { folder, env }) {
  const pipe = join(folder, 'events')
  if (spawnSync('mkfifo', [pipe]).status !== 0) throw new Error('mkfifo failed')
  const terminal = new PseudoTerminal([node, launcher, 'play', '-'], { env, cwd: folder, from: pipe })
  const events = createWriteStream(pipe)
  let n = 0
  const more = count => {
    let text = ''
    for (let i = 0; i < count; i++) text += eventsOf(n++, Date.now())
    return events.write(text)
  }
  more(1)
  await terminal.wrote('? help')
  const pid = await terminal.pid()
  const tick = setInterval(() => more(10), 50)
  await pause(2000)
  const before = residentMegabytes(pid)
  const keys = []
  const behind = []
  for (const end = Date.now() + seconds * 1000; Date.now() < end; ) {
    keys.push(await terminal.answersTo('\t'))
    terminal.forget()
    const sent = n
    const start = performance.now()
    const shown = () => Math.max(0, ...[...terminal.seen.matchAll(/n=(\d+)/g)].map(each => Number(each[1])))
    while (shown() < sent - 1 && performance.now() - start < 5000) await pause(2)
    behind.push(performance.now() - start)
    await pause(50)
  }
  clearInterval(tick)
  const after = residentMegabytes(pid)
  const start = performance.now()
  for (const end = n + flood; n < end; ) if (!more(500)) await once(events, 'drain')
  await terminal.wrote(`n=${n - 1}`)
  const rate = (flood * 1000) / (performance.now() - start)
  await pause(1000)
  const flooded = residentMegabytes(pid)
  await terminal.close()
  events.destroy()
  printTable(
    ['dashboard, 200 requests a second', 'median', '9 of 10', 'aim'],
    [
      ['key to frame, ms', median(keys).toFixed(1), quantile(keys, 0.9).toFixed(1), ''],
      ['request to frame, ms', median(behind).toFixed(1), quantile(behind, 0.9).toFixed(1), '<= 100'],
      [`memory after ${seconds} s, MB`, after.toFixed(0), '', `it was ${before.toFixed(0)}`],
      [`memory after ${flood} more at once, MB`, flooded.toFixed(0), '', `it was ${after.toFixed(0)}`],
      ['requests a second, at most', rate.toFixed(0), '', '>= 200'],
    ],
  )
}

/** @param what rounds of launches, presses of a key, seconds of load, requests at once */
export async function measureScreens({ runs, presses, seconds, flood }) {
  const folder = mkdtempSync(join(tmpdir(), 'oauth-lab-bench-'))
  const env = {
    ...environment,
    HOME: folder,
    OAUTH_LAB_HOME: join(folder, 'lab'),
    TERM: 'xterm-256color',
    LANG: 'C.UTF-8',
    LC_ALL: 'C.UTF-8',
  }
  const recording = join(folder, 'recording.jsonl')
  const begin = Date.now() - 600_000
  writeFileSync(recording, Array.from({ length: 1000 }, (_, n) => eventsOf(n, begin + n * 500)).join(''))
  const place = { folder, env, recording }
  try {
    const frames = await measureFirstFrames(runs, place)
    console.log()
    const keys = await measureKeys(presses, place)
    console.log()
    await measureLoad(seconds, flood, place)
    return [...frames, ...keys]
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
