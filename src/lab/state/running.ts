import { unlinkSync } from 'node:fs'
import { readdir, readFile, unlink } from 'node:fs/promises'
import { isIP } from 'node:net'
import { join } from 'node:path'
import tls from 'node:tls'
import { isUrl } from '../../protocol/http/address.js'
import type { ServerProfile } from '../../protocol/oauth/client.js'
import type { ShownWeak } from '../../protocol/rules/weak-modes.js'
import { parsedJson } from '../../protocol/values.js'
import type { StageName } from '../../servers/authorization-server/stages/stages.js'
import type { ClockSetting } from '../clock.js'
import type { LabUrls } from '../listening/listeners.js'
import { isAlive } from './alone.js'
import { checkOwner, readState, removeDrafts, writeState } from './state-folder.js'

/** One file a process: `lab-PID.json`. */
export interface RunningLab {
  readonly pid: number
  /** Milliseconds since the epoch. */
  readonly startedAt: number
  readonly urls: LabUrls
  /** Absolute path of the CA file. */
  readonly ca: string
  /** Absolute path; null for the built-in lab. */
  readonly config: string | null
  /** True for a lab file that was found in the folder of the lab, and not named. */
  readonly found?: boolean
  /** Set when flags changed it. */
  readonly stage?: StageName
  readonly profile?: ServerProfile
  readonly weak?: readonly ShownWeak[]
  /** Absent: the real one. */
  readonly clock?: ClockSetting
}

/** Milliseconds. */
const ANSWER_TIMEOUT = 2000

const fileOf = (pid: number): string => `lab-${pid}.json`

/** Also removes drafts of processes that were killed. */
export async function recordRunningLab(home: string, lab: RunningLab): Promise<void> {
  await writeState(home, fileOf(lab.pid), `${JSON.stringify(lab, undefined, 2)}\n`)
  await removeDrafts(home)
}

/** Synchronous, because it runs when the process exits. */
export function removeRunningLab(home: string, pid = process.pid): void {
  try {
    unlinkSync(join(home, fileOf(pid)))
  } catch {
    // The record is gone already.
  }
}

function isRecord(value: unknown): value is RunningLab {
  const record = value as RunningLab | null
  return (
    typeof record?.pid === 'number' &&
    typeof record.startedAt === 'number' &&
    typeof record.ca === 'string' &&
    (record.config === null || typeof record.config === 'string') &&
    typeof record.urls?.authorization === 'string' &&
    isUrl(record.urls.authorization)
  )
}

/** Labs whose process lives, newest first. Removes other records. @throws UsageError for a state folder of another user */
export async function readRecords(home: string): Promise<RunningLab[]> {
  await checkOwner(home)
  const names = (await readdir(home).catch(() => [])).filter(name => /^lab-\d+\.json$/.test(name))
  const records: RunningLab[] = []
  for (const name of names) {
    const record = parse(await readState(home, name).catch(() => undefined))
    if (record && isAlive(record.pid)) records.push(record)
    else await unlink(join(home, name)).catch(() => {})
  }
  return records.sort((a, b) => b.startedAt - a.startedAt)
}

function parse(text: string | undefined): RunningLab | undefined {
  const value = parsedJson(text ?? '')
  return isRecord(value) ? value : undefined
}

/** A TLS handshake proves the lab without an event in it. */
async function answers({ urls, ca }: RunningLab): Promise<boolean> {
  const caPem = await readFile(ca, 'utf8').catch(() => undefined)
  if (caPem === undefined) return false
  const { hostname, port } = new URL(urls.authorization)
  const host = hostname.replace(/^\[(.*)\]$/, '$1')
  return new Promise(resolve => {
    const socket = tls.connect({
      host,
      port: Number(port || 443),
      ca: caPem,
      ...(isIP(host) ? {} : { servername: host }),
    })
    const end = (answered: boolean) => {
      // Without the client's last message the lab takes the handshake for a failed one.
      if (answered) socket.unref().end()
      else socket.destroy()
      resolve(answered)
    }
    socket.setTimeout(ANSWER_TIMEOUT, () => end(false))
    socket.once('secureConnect', () => end(true))
    socket.once('error', () => end(false))
  })
}

/** The newest lab that answers. @param wanted returns false for labs to leave out */
export async function findRunningLab(
  home: string,
  wanted: (lab: RunningLab) => boolean = () => true,
): Promise<RunningLab | undefined> {
  for (const lab of await readRecords(home)) {
    if (wanted(lab) && (await answers(lab))) return lab
  }
  return undefined
}
