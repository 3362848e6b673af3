import { readdir, readFile, readlink } from 'node:fs/promises'
import { readRecords } from '../state/running.js'
import type { StateHome } from '../state/state-folder.js'

const LISTENING = '0A'

/** Inodes of the sockets that listen on a port (Linux). */
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

/** The owner of a port, for people: a recorded lab, or on Linux a process that this user may inspect. */
export async function portOwner(home: StateHome, port: number): Promise<string | undefined> {
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
