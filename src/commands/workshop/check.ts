import { X509Certificate } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { ensureRoomCertificate } from '../../lab/certificates/certificates.js'
import { type Listener, listen } from '../../lab/listening/listen.js'
import { LISTENERS } from '../../lab/listening/listeners.js'
import { crashReporter, requireOwnAddress } from '../../lab/listening/mounts.js'
import { UserError } from '../../protocol/errors.js'
import { createBus } from '../../protocol/events.js'
import { urlHost } from '../../protocol/http/address.js'
import { redirectResponse } from '../../protocol/http/message.js'
import { createPage, html } from '../../protocol/http/page.js'
import type { Site } from '../../protocol/http/site.js'
import { defined } from '../../protocol/values.js'
import { narrate, print, printJson } from '../output/output.js'
import { EXIT, untilSignal } from '../program/exit.js'
import type { Globals } from '../program/globals.js'
import { chooseAddress, ownAddresses } from './addresses.js'
import { readRoom } from './keep-room.js'
import type { WorkshopFlags } from './open-workshop.js'
import { PARTS } from './room-lab.js'
import { roomLessons } from './room-lessons.js'
import { programTarball } from './tarball.js'

/** One thing that a workshop needs. */
interface Checked {
  readonly name: 'node' | 'address' | 'ports' | 'lab' | 'network' | 'tarball' | 'clock' | 'lessons'
  readonly result: 'ok' | 'problem' | 'not_tried'
  readonly text: string
  /** The next move. */
  readonly next?: string
}

interface CheckFlags extends WorkshopFlags {
  /** Milliseconds; left out: a minute on a terminal, and nothing elsewhere. */
  readonly wait?: number
}

const MINUTE = 60_000
const YEAR_OF_RELEASE = 2026

/** The result of work: its text, or the problem of an error for people. */
async function tried(name: Checked['name'], work: () => Promise<string>): Promise<Checked> {
  try {
    return { name, result: 'ok', text: await work() }
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    return { name, result: 'problem', text: error.message, ...defined({ next: error.hints[0] }) }
  }
}

/** A port that the workshop will have, and the option that changes it. */
type WantedPort = readonly [port: number, portOption: string]

const roomPorts = ({ port, httpPort }: CheckFlags): readonly WantedPort[] => [
  [port, '--port'],
  [httpPort, '--http-port'],
]

const labPorts: readonly WantedPort[] = PARTS.map(part => [LISTENERS[part].port, LISTENERS[part].portOption])

/** Listens in plain HTTP where the workshop will. @throws UsageError, TransportError where it may not */
function listenOn(
  [port, portOption]: WantedPort,
  address: string,
  home: string,
  handle: Site['handle'],
): Promise<Listener> {
  return listen({
    home,
    events: createBus(Date.now),
    command: 'workshop',
    crashed: crashReporter(home),
    hosts: [address],
    port,
    portOption,
    bodyLimit: 0,
    baseUrl: at => `http://${urlHost(address)}:${at}`,
    site: () => ({ name: 'check', handle }),
  })
}

const listed = (ports: readonly WantedPort[]): string =>
  new Intl.ListFormat('en').format(ports.map(([port]) => String(port)))

/** Checks that this program may listen on ports. */
async function checkPorts(ports: readonly WantedPort[], address: string, home: string): Promise<string> {
  for (const each of ports) {
    const answer = { status: 404, headers: [], body: new Uint8Array() }
    const listener = await listenOn(each, address, home, async () => answer)
    await listener.stop()
  }
  return `${listed(ports)} are free`
}

/** Checks the ports of the room's lab. The lab would take free ones in their place, which no rule of a firewall knows. */
async function checkLab(address: string, home: string): Promise<Checked> {
  const checked = await tried('lab', () => checkPorts(labPorts, address, home))
  if (checked.result === 'ok') return checked
  const next = `End the program there, such as a lab of your own: else the lab of the room takes other ports than ${listed(labPorts)}`
  return { ...checked, next }
}

/**
 * Asks for a request of a second computer, and waits for it. Each port leads on to the next one, so that one page asks for all. Networks for guests often
 * keep stations apart, and a firewall is noticed by others alone.
 */
async function checkNetwork(
  ports: readonly WantedPort[],
  address: string,
  home: string,
  wait: number,
): Promise<Checked> {
  const name = 'network'
  if (wait === 0) {
    const next = 'On a second computer in the same network:  oauth-lab workshop check --wait 60s'
    return { name, result: 'not_tried', text: 'no second computer was asked', next }
  }
  const own = new Set(['127.0.0.1', '::1', address, ...ownAddresses().map(each => each.address)])
  const page = createPage('oauth-lab workshop')
  const all = new AbortController()
  const listeners: Listener[] = []
  const reached = new Set<number>()
  let from: string | undefined
  const handle =
    (at: number): Site['handle'] =>
    async ({ remoteAddress = '' }) => {
      if (own.has(remoteAddress)) {
        return page(
          200,
          'Check',
          html`<h1>This is the computer of the teacher. Open this page on another one.</h1>`,
        )
      }
      from = remoteAddress
      reached.add(at)
      if (reached.size === ports.length) all.abort()
      const next = listeners[at + 1]
      return next === undefined
        ? page(200, 'Check', html`<h1>This computer reaches the one of the teacher.</h1>`)
        : redirectResponse(`${next.baseUrl}/`, [['cache-control', 'no-store']])
    }
  try {
    for (const [at, each] of ports.entries()) listeners.push(await listenOn(each, address, home, handle(at)))
    narrate(`Open this on a second computer in the same network:  ${listeners[0]!.baseUrl}/`)
    await untilSignal(async signal => {
      await sleep(wait, undefined, { signal: AbortSignal.any([all.signal, signal]) }).catch(() => {})
      signal.throwIfAborted()
      return 0
    })
  } finally {
    await Promise.all(listeners.map(({ stop }) => stop()))
  }
  const missing = listeners.flatMap(({ baseUrl }, at) => (reached.has(at) ? [] : `${baseUrl}/`))
  if (missing.length === 0) return { name, result: 'ok', text: `${from} reached this computer` }
  const next =
    'Let the firewall pass these ports for node. If it does, the network keeps computers apart: use a router or the hotspot of a phone'
  const text =
    from === undefined ? `nobody reached ${missing[0]}` : `${from} came, and did not reach ${missing[0]}`
  return { name, result: 'problem', text, next }
}

/** Certificates begin a day before they are made: a clock before that was set back. */
async function checkClock(address: string, home: string): Promise<Checked> {
  const { certPem } = await ensureRoomCertificate(home, [address])
  const since = Date.parse(new X509Certificate(certPem).validFrom)
  const now = new Date()
  const text = `it is ${now.toISOString().slice(0, 16).replace('T', ' ')} UTC`
  if (now.getUTCFullYear() >= YEAR_OF_RELEASE && now.getTime() >= since)
    return { name: 'clock', result: 'ok', text }
  return { name: 'clock', result: 'problem', text, next: 'Set the clock of this computer' }
}

/** The checks in their order. Later ones are left out where no address is known. */
async function checks(flags: CheckFlags, home: string, wait: number): Promise<readonly Checked[]> {
  const node: Checked = { name: 'node', result: 'ok', text: process.version }
  let address = ''
  const addressed = await tried('address', async () => {
    address = await chooseAddress(flags.address, false)
    await requireOwnAddress(address, home)
    return address
  })
  const kept = await readRoom(home)
  const folder = flags.lessons ?? kept?.state.folder
  const lessons = await tried('lessons', async () => {
    const found = await roomLessons(folder, flags.course ?? kept?.state.course)
    const tasks = found.lessons.reduce((sum, each) => sum + each.tasks.length, 0)
    return `${found.lessons.length} lessons with ${tasks} tasks${folder === undefined ? '' : `, your own from ${folder}`}`
  })
  const made = await programTarball()()
  const tarball: Checked =
    made === undefined
      ? {
          name: 'tarball',
          result: 'problem',
          text: 'npm could not pack this program',
          next: 'Install npm, or let everybody install from a registry',
        }
      : {
          name: 'tarball',
          result: 'ok',
          text: `${(made.bytes.length / 1e6).toFixed(1)} MB, SHA-256 ${made.sha256}`,
        }
  if (addressed.result === 'problem') return [node, addressed, tarball, lessons]
  const wanted = roomPorts(flags)
  const ports = await tried('ports', () => checkPorts(wanted, address, home))
  const lab = flags.lab ? [await checkLab(address, home)] : []
  const clock = await checkClock(address, home)
  const rest = [node, addressed, ports, ...lab, tarball, clock, lessons]
  if ([ports, ...lab].some(({ result }) => result !== 'ok')) return rest
  // The address to open is that of the page which says how to join.
  const asked = [...wanted.toReversed(), ...(flags.lab ? labPorts : [])]
  return [...rest, await checkNetwork(asked, address, home, wait)]
}

const signs: Readonly<Record<Checked['result'], string>> = {
  ok: 'ok',
  problem: 'PROBLEM',
  not_tried: 'not tried',
}

/** `oauth-lab workshop check`: says what would keep a workshop from working here. @returns 1 with a problem */
export async function runCheck(flags: CheckFlags, { home, json }: Globals): Promise<number> {
  const isTerminal = process.stdout.isTTY === true && !json
  const all = await checks(flags, home, flags.wait ?? (isTerminal ? MINUTE : 0))
  if (json) printJson({ checks: all })
  else {
    for (const { name, result, text, next } of all) {
      print(`${signs[result].padEnd(10)} ${name.padEnd(8)} ${text}`)
      if (next !== undefined) print(`${' '.repeat(20)}${next}`)
    }
  }
  return all.some(({ result }) => result === 'problem') ? EXIT.refused : EXIT.done
}
