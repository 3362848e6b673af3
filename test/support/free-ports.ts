import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'

/** The options by which `serve` listens on a free port for each of its servers. */
export const FREE_PORTS: readonly string[] = [
  '--port=0',
  '--http-port=0',
  '--resource-port=0',
  '--cluster-port=0',
  '--dns-port=0',
]

/** Returns a port that nobody listens on, for a program that cannot choose one. */
export async function freePort(): Promise<number> {
  const [port = 0] = await freePorts(1)
  return port
}

/** Returns so many ports that nobody listens on. */
export async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'))
  await Promise.all(servers.map(server => once(server, 'listening')))
  const ports = servers.map(server => (server.address() as AddressInfo).port)
  await Promise.all(servers.map(server => new Promise(resolve => server.close(resolve))))
  return ports
}
