import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/** The options by which `serve` listens on a free port for each of its servers. */
export const FREE_PORTS: readonly string[] = [
  '--port=0',
  '--http-port=0',
  '--resource-port=0',
  '--cluster-port=0',
  '--dns-port=0',
]

/**
 * The ports to choose from. They lie below those that systems give to outgoing connections (from 32,768 on
 * Linux): a port of that range may be taken between its choice and the start of the program that it is for.
 */
const LOWEST = 15_000
const ABOVE = 32_000

/** Returns a port that nobody listens on, for a program that cannot choose one. */
export async function freePort(): Promise<number> {
  const [port = 0] = await freePorts(1)
  return port
}

/** Returns so many different ports that nobody listens on. */
export async function freePorts(count: number): Promise<number[]> {
  const ports = new Set<number>()
  while (ports.size < count) {
    const port = randomInt(LOWEST, ABOVE)
    if (await isFree(port)) ports.add(port)
  }
  return [...ports]
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer()
  try {
    await once(server.listen(port, '127.0.0.1'), 'listening')
  } catch {
    return false
  }
  await new Promise(resolve => server.close(resolve))
  return true
}
