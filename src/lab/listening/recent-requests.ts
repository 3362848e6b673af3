import type { Socket } from 'node:net'
import type { ConnectionEnds } from '../../client/transport/connection.js'

const MAX_CONNECTIONS = 512

/** The latest request of each connection, which carries one request at a time. Clients in this program find theirs by it. */
export interface RecentRequests {
  add(socket: Socket, id: number): void
  requestOn(ends: ConnectionEnds): number | undefined
}

export function createRecentRequests(): RecentRequests {
  const latest = new Map<string, number>()
  const keyOf = (client: string | undefined, clientPort: number | undefined, port: number | undefined) =>
    `${client} ${clientPort} ${port}`
  return {
    add({ remoteAddress, remotePort, localPort }, id) {
      const key = keyOf(remoteAddress, remotePort, localPort)
      latest.delete(key)
      latest.set(key, id)
      if (latest.size <= MAX_CONNECTIONS) return
      for (const oldest of latest.keys()) {
        latest.delete(oldest)
        break
      }
    },
    requestOn: ({ localAddress, localPort, remotePort }) =>
      latest.get(keyOf(localAddress, localPort, remotePort)),
  }
}
