import type { Transport } from '../../client/transport.js'
import type { LabConfig } from '../../lab/lab-file/config.js'
import { isOnRequest, type LabPorts, listenerNames } from '../../lab/listening/listeners.js'
import { memoryState } from '../../lab/state/memory-state.js'
import { UsageError } from '../../protocol/errors.js'
import type { Fault } from '../../servers/authorization-server/endpoints/fault-list.js'
import { labClock } from './clock.js'
import { removeNamed } from './entries.js'
import { labEvents } from './events.js'
import { checkedFault } from './faults.js'
import { labFetch } from './fetch.js'
import { tokensOf, walkFlow } from './flow.js'
import type { Lab, SiteName, StartLabOptions, UsualSite } from './lab.js'
import { newClient, newUser } from './people.js'

async function configOf(given: StartLabOptions['config']): Promise<LabConfig> {
  const { labConfigFrom, loadLabConfig } = await import('../../lab/lab-file/config.js')
  return given !== undefined && typeof given !== 'string'
    ? labConfigFrom(given, 'startLab config')
    : loadLabConfig(given ?? null)
}

/** The weak modes of the options and of the lab file. @throws UsageError for a name that does not exist */
async function weakOf(
  { weak = [] }: Pick<StartLabOptions, 'weak'>,
  loaded: LabConfig,
): Promise<LabConfig['weak']> {
  if (weak.length === 0) return loaded.weak
  const { parseWeakNames } = await import('../../lab/weak/weak-lab.js')
  return parseWeakNames([...loaded.weak, ...weak], 'startLab weak')
}

/** The sites of a lab whose options name none. */
const usualSites = listenerNames.filter(name => !isOnRequest(name))

/**
 * Ports of the sites to open; 0 picks a free one.
 * @throws UsageError for a site that does not exist, or a port of a site that is not opened
 */
function portsOf({ sites = usualSites, ports = {} }: StartLabOptions<SiteName>): LabPorts {
  const open = new Set<SiteName>(['authorization', ...sites])
  for (const name of open) {
    if (!listenerNames.includes(name)) {
      throw new UsageError(`a lab has no site ${JSON.stringify(name)}`, [
        `Sites: ${listenerNames.join(', ')}`,
      ])
    }
  }
  for (const name of listenerNames) {
    if (ports[name] !== undefined && !open.has(name)) {
      throw new UsageError(`the port of ${name} is set, but sites does not open it`)
    }
  }
  const chosen = [...open].map(name => [name, ports[name] ?? 0])
  return { authorization: 0, ...Object.fromEntries(chosen) }
}

/**
 * Starts a lab in this process, on free ports of this machine: an authorization server, a resource server, a cluster,
 * a DNS API. Several may run at once, each with its own keys, people and clock. Nothing is written unless `home` is
 * given.
 * @throws UsageError for a lab file that does not hold, TransportError for a port that is busy
 */
export async function startLab<Site extends SiteName = UsualSite>(
  options: StartLabOptions<Site> = {},
): Promise<Lab<Site>> {
  const { host, names, seed } = options
  const ports = portsOf(options)
  const memory = options.home === undefined ? memoryState() : undefined
  const home = memory ?? options.home!
  const clock = labClock(options.now)
  const loaded = await configOf(options.config)
  // Lists that grow while the servers run.
  const clients = [...loaded.clients]
  const users = [...loaded.users]
  const faults: Fault[] = []
  const { startLab: startServers } = await import('../../lab/lab.js')
  const weak = await weakOf(options, loaded)
  const servers = await startServers({
    config: { ...loaded, clients, users, weak },
    weakAnywhere: options.weakAnywhere === true,
    home,
    faults,
    ports,
    now: clock.now,
    ...(host !== undefined && { host }),
    ...(names && { names }),
    ...(seed !== undefined && { random: (await import('../../lab/seeded-random.js')).seededRandom(seed) }),
  })
  const { events, end: endEvents } = labEvents(servers.events)

  let transport: Transport | undefined
  const send = async () => {
    const { createTransport } = await import('../../client/transport.js')
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

  const knownNames = () => ({
    scopes: Object.keys(loaded.scopes),
    detailTypes: Object.keys(loaded.detailTypes),
    clients: clients.map(each => each.client_id),
    users: users.map(each => each.username),
  })

  return {
    // Every site that was asked for is open.
    urls: servers.urls as Lab<Site>['urls'],
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
      clients.push(await newClient(entry, knownNames()))
    },
    async addUser(entry) {
      users.push(await newUser(entry, knownNames()))
    },
    async removeClient(clientId) {
      removeNamed('client', clientId, clients, each => each.client_id)
    },
    async removeUser(username) {
      removeNamed('user', username, users, each => each.username)
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
