import type { Socket } from 'node:net'
import type { ConnectionEnds } from '../../client/transport/connection.js'

const MAX_CONNECTIONS = 512

/** The latest request of each connection, which carries one request at a time. Clients in this program find theirs by it. */
export interface RecentRequests {
  add(socket: Socket, id: number): void
  requestOn(ends: ConnectionEnds): number | undefined
}

/** The latest request of one connection. One record for all its requests: entries that come and go would fill the map with gaps. */
interface Recent {
  readonly key: string
  id: number
}

export function createRecentRequests(): RecentRequests {
  const latest = new Map<string, Recent>()
  const connections = new WeakMap<Socket, Recent>()
  const keyOf = (client: string | undefined, clientPort: number | undefined, port: number | undefined) =>
    `${client} ${clientPort} ${port}`
  return {
    add(socket, id) {
      const known = connections.get(socket)
      const recent = known ?? { id, key: keyOf(socket.remoteAddress, socket.remotePort, socket.localPort) }
      recent.id = id
      if (known === undefined) connections.set(socket, recent)
      if (latest.get(recent.key) === recent) return
      latest.set(recent.key, recent)
      if (latest.size <= MAX_CONNECTIONS) return
      for (const oldest of latest.keys()) {
        latest.delete(oldest)
        break
      }
    },
    requestOn: ({ localAddress, localPort, remotePort }) =>
      latest.get(keyOf(localAddress, localPort, remotePort))?.id,
  }
}
