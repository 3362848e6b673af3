import { readdir, readFile, readlink } from 'node:fs/promises'
import { TransportError, UsageError, type UserError } from '../../protocol/errors.js'
import { readRecords } from '../state/running.js'
import type { StateHome } from '../state/state-folder.js'

const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code

export const isBusy = (error: unknown): boolean => codeOf(error) === 'EADDRINUSE'

export const noSuchAddress = (error: unknown): boolean =>
  ['EADDRNOTAVAIL', 'EAFNOSUPPORT', 'EINVAL'].includes(codeOf(error) ?? '')

interface Wanted {
  readonly host: string
  readonly port: number
  /** Such as `--port`. */
  readonly portOption: string
  /** Left out: serve. */
  readonly command?: string
  readonly home: StateHome
}

/** Names the owner of the port, and the next move. */
export async function bindError(
  error: unknown,
  { host, port, portOption, command = 'serve', home }: Wanted,
): Promise<UserError> {
  const code = codeOf(error)
  if (code === 'EADDRINUSE') {
    const owner = await portOwner(home, port)
    return new TransportError(
      `port ${port} of ${host} is in use${owner === undefined ? '' : ` by ${owner}`}`,
      code,
      [`Pick a free port:  oauth-lab ${command} ${portOption} 0`],
    )
  }
  if (code === 'EACCES') {
    return new TransportError(`port ${port} of ${host} may not be opened by this user`, code, [
      `Use a port above 1023:  oauth-lab ${command} ${portOption} 8443`,
    ])
  }
  if (noSuchAddress(error) || code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    return new UsageError(`${host} is not an address of this machine (${code})`, [
      'Every address:  --host 0.0.0.0    this machine only:  --host 127.0.0.1',
    ])
  }
  return new TransportError(
    `cannot listen on port ${port} of ${host}: ${code ?? String(error)}`,
    code ?? 'ELISTEN',
  )
}

const LISTENING = '0A'

/** Inodes of listening sockets (Linux). */
async function listeningInodes(port: number): Promise<Set<string>> {
  const inodes = new Set<string>()
  const wanted = port.toString(16).toUpperCase().padStart(4, '0')
  for (const table of ['/proc/net/tcp', '/proc/net/tcp6']) {
    const lines = (await readFile(table, 'utf8').catch(() => '')).split('\n').slice(1)
    for (const line of lines) {
      const fields = line.trim().split(/\s+/)
      if (fields[1]?.endsWith(`:${wanted}`) && fields[3] === LISTENING && fields[9]) inodes.add(fields[9])
    }
  }
  return inodes
}

async function holds(pid: string, sockets: ReadonlySet<string>): Promise<boolean> {
  const folder = `/proc/${pid}/fd`
  for (const fd of await readdir(folder).catch(() => [])) {
    if (sockets.has(await readlink(`${folder}/${fd}`).catch(() => ''))) return true
  }
  return false
}

/** A recorded lab, or on Linux a process that this user may inspect. */
async function portOwner(home: StateHome, port: number): Promise<string | undefined> {
  const lab = (typeof home === 'string' ? await readRecords(home) : []).find(({ urls }) =>
    Object.values(urls).some(url => new URL(url).port === String(port)),
  )
  if (lab) return `oauth-lab serve, process ${lab.pid}`
  const inodes = await listeningInodes(port)
  if (inodes.size === 0) return undefined
  const sockets = new Set([...inodes].map(inode => `socket:[${inode}]`))
  for (const pid of (await readdir('/proc').catch(() => [])).filter(name => /^\d+$/.test(name))) {
    if (!(await holds(pid, sockets))) continue
    const name = (await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => '')).trim()
    return `${name === '' ? '' : `${name}, `}process ${pid}`
  }
  return undefined
}
