import { once } from 'node:events'
import { createServer } from 'node:net'
import type { StateHome } from '../state/state-folder.js'
import { bindError } from './bind-errors.js'

/**
 * Refuses a host that is no address of this machine, by listening on a free port for a moment. Called before a certificate
 * is made: a public address that was mistyped would need a new CA, which every client must trust again.
 * @throws UsageError
 */
export async function requireOwnAddress(host: string, home: StateHome): Promise<void> {
  const probe = createServer()
  try {
    probe.listen({ host, port: 0, exclusive: true })
    await once(probe, 'listening')
  } catch (error) {
    throw await bindError(error, { host, port: 0, portOption: '--port', home })
  } finally {
    probe.close()
  }
}
