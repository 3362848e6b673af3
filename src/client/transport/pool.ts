import type { Connection } from './connection.js'
import { Unanswered } from './connection.js'
import type { Dial, Route } from './dial.js'

/** Connections that stay open for later requests. */
export interface Pool {
  /**
   * Runs `work` on a connection that no other request uses. The server may have closed an idle connection in the meantime: when it ends before the
   * first byte of a response, `work` runs once more on a new connection, for any method (RFC 9112 §9.3.1).
   */
  run<T>(route: Route, signal: AbortSignal, work: (connection: Connection) => Promise<T>): Promise<T>
  /** Closes all connections. */
  close(): void
}

/** Creates an empty pool. */
export function createPool(dial: Dial): Pool {
  const idle = new Map<string, Connection[]>()
  const all = new Set<Connection>()

  function kept(key: string): Connection | undefined {
    const connections = idle.get(key) ?? []
    for (let next = connections.pop(); next; next = connections.pop()) {
      if (next.open) return next
      all.delete(next)
    }
    return undefined
  }

  async function use<T>(
    key: string,
    connection: Connection,
    work: (on: Connection) => Promise<T>,
  ): Promise<T> {
    try {
      const result = await work(connection)
      if (connection.open) idle.set(key, [...(idle.get(key) ?? []), connection])
      else all.delete(connection)
      return result
    } catch (error) {
      all.delete(connection)
      connection.close()
      throw error
    }
  }

  return {
    async run(route, signal, work) {
      const key = `${route.url.origin} ${route.proxy?.origin ?? ''}`
      const old = kept(key)
      if (old) {
        try {
          return await use(key, old, work)
        } catch (error) {
          if (!(error instanceof Unanswered) || signal.aborted) throw error
        }
      }
      const connection = await dial(route, signal)
      all.add(connection)
      return use(key, connection, work)
    },
    close() {
      for (const connection of all) connection.close()
      all.clear()
      idle.clear()
    },
  }
}
