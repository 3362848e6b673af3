import type { Fault } from '../authorization-server/endpoints/fault-list.js'
import type { Transport } from '../client/transport.js'
import { UsageError } from '../errors.js'
import type { LabConfig } from '../lab/config.js'
import { listenerNames } from '../lab/listeners.js'
import { memoryState } from '../lab/memory-state.js'
import { labClock } from './clock.js'
import { labEvents } from './events.js'
import { checkedFault } from './faults.js'
import { labFetch } from './fetch.js'
import { tokensOf, walkFlow } from './flow.js'
import type { Lab, StartLabOptions } from './lab.js'
import { newClient, newUser } from './people.js'

async function configOf(given: StartLabOptions['config']): Promise<LabConfig> {
  const { labConfigFrom, loadLabConfig } = await import('../lab/config.js')
  return given !== undefined && typeof given !== 'string'
    ? labConfigFrom(given, 'startLab config')
    : loadLabConfig(given ?? null)
}

/**
 * Starts a lab in this process, on free ports of this machine: an authorization server, a resource server, a cluster,
 * a DNS API. Several may run at once, each with its own keys, people and clock. Nothing is written unless `home` is
 * given.
 * @throws UsageError for a lab file that does not hold, TransportError for a port that is busy
 */
export async function startLab(options: StartLabOptions = {}): Promise<Lab> {
  const { ports = {}, host, names, seed } = options
  const memory = options.home === undefined ? memoryState() : undefined
  const home = memory ?? options.home!
  const clock = labClock(options.now)
  const loaded = await configOf(options.config)
  // Lists that grow while the servers run.
  const clients = [...loaded.clients]
  const users = [...loaded.users]
  const faults: Fault[] = []
  const { startLab: startServers } = await import('../lab/lab.js')
  const servers = await startServers({
    config: { ...loaded, clients, users },
    ...{ home, faults, now: clock.now },
    ports: {
      authorization: 0,
      ...Object.fromEntries(listenerNames.map(name => [name, ports[name] ?? 0])),
    },
    ...(host !== undefined && { host }),
    ...(names && { names }),
    ...(seed !== undefined && { random: (await import('../lab/seeded-random.js')).seededRandom(seed) }),
  })
  const { events, end: endEvents } = labEvents(servers.events)

  let transport: Transport | undefined
  const send = async () => {
    const { createTransport } = await import('../client/transport.js')
    transport ??= createTransport({ caPem: servers.caPem, now: clock.now, requestOn: servers.requestOn })
    return transport.send
  }
  const parts = { lab: servers, home, send }

  let stopped: Promise<void> | undefined
  const end = async (): Promise<void> => {
    endEvents()
    transport?.close()
    await servers.stop()
    memory?.remove()
  }
  const stop = () => {
    stopped ??= end()
    return stopped
  }

  return {
    urls: servers.urls as Lab['urls'],
    issuer: servers.urls.authorization,
    ca: {
      pem: servers.caPem,
      get path() {
        return servers.caFile
      },
    },
    events,
    clock,
    fetch: labFetch(send),
    async addClient(entry) {
      const client = await newClient(entry, Object.keys(loaded.scopes))
      clients.push(client)
    },
    async addUser(entry) {
      users.push(await newUser(entry))
    },
    fail(endpoint, error, { times = 1 } = {}) {
      if (loaded.profile === 'reference') throw new UsageError('the profile reference knows no faults')
      const fault = checkedFault(endpoint, error, times)
      faults.push(fault)
      return () => {
        const at = faults.indexOf(fault)
        if (at >= 0) faults.splice(at, 1)
      }
    },
    flow: (name, request) => walkFlow(parts, name, request),
    login: request => tokensOf(walkFlow(parts, 'code', request)),
    clientCredentials: request => tokensOf(walkFlow(parts, 'client-credentials', request)),
    stop,
    [Symbol.asyncDispose]: stop,
  }
}
