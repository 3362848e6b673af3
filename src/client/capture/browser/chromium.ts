import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { TransportError } from '../../../protocol/errors.js'
import { isJsonObject } from '../../../protocol/values.js'
import type { Captured } from '../captured.js'
import { MAX_BODY } from '../wire.js'
import { type DevTools, type DevToolsEvent, openDevTools } from './devtools.js'
import { createNetworkLog } from './network-log.js'

/** How a browser is opened. */
export interface BrowserOptions {
  readonly program: string
  readonly url: string
  readonly headless: boolean
  /** Hashes of keys whose certificates are trusted, as Chromium takes them: SHA-256 of the public key, in base64. */
  readonly trusted: readonly string[]
}

/** A browser that is recorded. */
export interface RecordedBrowser {
  /** Settles when the last window was closed, or the browser ended. */
  readonly closed: Promise<void>
  /** Ends the browser, hands over what is left, and removes its profile. */
  readonly close: () => Promise<void>
}

/** Milliseconds that a browser has to end by itself. */
const END = 5000

/** Arguments of a browser that is empty, and asks its maker for nothing. */
const ARGUMENTS = [
  '--remote-debugging-pipe',
  '--no-first-run',
  '--no-default-browser-check',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--password-store=basic',
  '--use-mock-keychain',
  // Containers have little room in /dev/shm.
  '--disable-dev-shm-usage',
]

/** The last lines that a program printed. */
function lastLines(stream: Readable): () => string[] {
  let text = ''
  stream.setEncoding('utf8').on('data', (chunk: string) => {
    text = (text + chunk).slice(-4000)
  })
  return () => text.trim().split('\n').slice(-3)
}

const ended = (child: ChildProcess): Promise<void> =>
  child.exitCode !== null || child.signalCode !== null
    ? Promise.resolve()
    : new Promise(resolve => child.once('close', () => resolve()))

async function end(child: ChildProcess, tools: DevTools): Promise<void> {
  const gone = ended(child)
  const timer = setTimeout(() => child.kill('SIGKILL'), END)
  await tools.send('Browser.close').catch(() => {})
  await gone
  clearTimeout(timer)
}

/** Attaches to each page and frame, and stops it until the record of its network is switched on. */
const ATTACH = { autoAttach: true, waitForDebuggerOnStart: true, flatten: true }

/** Switches on the record of the network in a page or frame, before it sends its first request. */
function attach(tools: DevTools, session: string, isNew: boolean): void {
  const record = [
    ['Network.enable', { maxPostDataSize: MAX_BODY }],
    ['Target.setAutoAttach', ATTACH],
  ] as const
  // A page that another page opened is announced twice. Its events would come twice too.
  const commands = [...(isNew ? record : []), ['Runtime.runIfWaitingForDebugger', {}] as const]
  // Some targets have no network of their own.
  for (const [method, given] of commands) tools.send(method, given, session).catch(() => {})
}

/**
 * Opens a page in a browser with a new profile, and hands over its exchanges.
 * @throws TransportError for a browser that does not start
 */
export async function openRecorded(
  { program, url, headless, trusted }: BrowserOptions,
  take: (captured: Captured) => void,
): Promise<RecordedBrowser> {
  const profile = await mkdtemp(join(tmpdir(), 'oauth-lab-browser-'))
  const args = [
    ...ARGUMENTS,
    `--user-data-dir=${profile}`,
    ...(headless ? ['--headless'] : []),
    ...(trusted.length === 0 ? [] : [`--ignore-certificate-errors-spki-list=${trusted.join(',')}`]),
    'about:blank',
  ]
  // In a group of its own: Ctrl-C ends the recording, which then ends the browser.
  const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'], detached: true })
  const printed = lastLines(child.stdio[2] as Readable)
  const pages = new Set<string>()
  const attached = new Set<string>()
  let leave: () => void = () => {}
  const closed = new Promise<void>(resolve => {
    leave = resolve
  })
  let arrive: (session: string) => void = () => {}
  const firstPage = new Promise<string>(resolve => {
    arrive = resolve
  })
  child.once('error', leave)
  child.once('close', leave)

  function heard(event: DevToolsEvent): void {
    const { method, params } = event
    const { type, targetId = params.targetId } = isJsonObject(params.targetInfo) ? params.targetInfo : {}
    const target = String(targetId)
    if (method === 'Target.attachedToTarget') {
      const session = String(params.sessionId)
      attach(tools, session, !attached.has(target))
      attached.add(target)
      if (type !== 'page') return
      pages.add(target)
      arrive(session)
    } else if (method === 'Target.targetDestroyed') {
      attached.delete(target)
      if (pages.delete(target) && pages.size === 0) leave()
    } else log.take(event)
  }
  const log = createNetworkLog(() => tools, take)
  const tools: DevTools = openDevTools(child.stdio[3] as Writable, child.stdio[4] as Readable, heard)

  async function remove(): Promise<void> {
    await rm(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
  }

  async function begin(): Promise<void> {
    await tools.send('Target.setDiscoverTargets', { discover: true })
    await tools.send('Target.setAutoAttach', ATTACH)
    const session = await Promise.race([firstPage, closed])
    if (session === undefined) throw new Error('it ended at once')
    await tools.send('Page.navigate', { url }, session)
  }
  try {
    await begin()
  } catch (error) {
    if (child.pid !== undefined) await end(child, tools)
    await remove()
    const reason = printed().filter(line => line !== '')
    const message = `${program} could not be recorded (${(error as Error).message})`
    throw new TransportError(message, 'ECHILD', reason)
  }
  return {
    closed,
    async close() {
      await log.end()
      await end(child, tools)
      await remove()
    },
  }
}
