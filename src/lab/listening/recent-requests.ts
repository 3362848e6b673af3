import type { Socket } from 'node:net'
import type { ConnectionEnds } from '../../client/transport/connection.js'

/** Largest number of connections whose latest request is remembered. */
const MAX_CONNECTIONS = 512

/**
 * The latest request of each connection. A client in this program finds the number of its request by it: a connection
 * carries one request at a time, so the latest request is the one that was answered last.
 */
export interface RecentRequests {
  add(socket: Socket, id: number): void
  /** Returns the id of the latest request on a connection, as the client sees the connection. */
  requestOn(ends: ConnectionEnds): number | undefined
}

/** Creates an empty memory of requests. */
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
