import { openAlgorithmKeyring } from '../../src/lab/keys/algorithm-keyring.js'
import { pooledRandom, startLab } from '../../src/lab/lab.js'
import { type LabConfig, labConfigFrom } from '../../src/lab/lab-file/config.js'
import { type ListenerName, listenerNames } from '../../src/lab/listening/listeners.js'
import { openMounts } from '../../src/lab/listening/mounts.js'
import { labSites } from '../../src/lab/sites/sites.js'
import { memoryState } from '../../src/lab/state/memory-state.js'
import { splitUrl } from '../../src/protocol/http/message.js'
import { createRegisteredClients } from '../../src/servers/authorization-server/stores/registry.js'
import { faultOf } from './faults.js'
import type { FuzzRequest } from './requests.js'
import { createSender } from './send.js'

/** A way to send requests to a lab. */
export interface FuzzedLab {
  /** Returns the fault that a request reveals. Undefined when all is well. */
  fault(request: FuzzRequest): Promise<string | undefined>
  stop(): Promise<void>
}

const PORTS = { authorization: 0, http: 0, resource: 0, cluster: 0, dns: 0, client: 0, mtls: 0 }

/** Milliseconds of the lab's clock between two requests, so that limits of the time let most requests pass. */
const PACE = 400

function pacedClock(): () => number {
  const start = Date.now()
  let ticks = 0
  return () => start + ticks++ * PACE
}

/** A profile of `npm run fuzz`. Without one the lab has its own. */
const profile = process.env.OAUTH_LAB_FUZZ_PROFILE

async function configured(): Promise<LabConfig> {
  const config = await labConfigFrom(profile === undefined ? {} : { profile }, 'the fuzz')
  return { ...config, compression: true }
}

/** Starts a lab whose requests go through real sockets. */
export async function socketLab(): Promise<FuzzedLab> {
  const home = memoryState()
  const lab = await startLab({ config: await configured(), home, ports: PORTS, now: pacedClock() })
  const failures: string[] = []
  lab.events.subscribe(event => {
    if (event.type === 'server.failed') failures.push(JSON.stringify(event))
  })
  const crashed = (error: unknown) => failures.push(`crash: ${error}`)
  process.on('uncaughtException', crashed).on('unhandledRejection', crashed)
  const senders = new Map(
    listenerNames.map(name => [name, createSender(new URL(lab.urls[name]!).origin, lab.caPem)] as const),
  )
  return {
    async fault(request) {
      failures.length = 0
      try {
        const answer = await senders.get(request.site)!.send(request)
        const seen = answer && faultOf(request, answer)
        return failures[0] ?? seen
      } catch (error) {
        return failures[0] ?? `${error}`
      }
    },
    async stop() {
      process.off('uncaughtException', crashed).off('unhandledRejection', crashed)
      for (const each of senders.values()) each.close()
      await lab.stop()
      home.remove()
    },
  }
}

/** Calls the sites of a lab as functions: requests that no socket carries, more of them, from many addresses. */
export async function handleLab(): Promise<FuzzedLab> {
  const home = memoryState()
  const config = await configured()
  const now = pacedClock()
  const random = pooledRandom()
  // The resource server asks the authorization server over the network.
  const lab = await startLab({ config, home, ports: PORTS, now })
  const mounts = await openMounts({ home, now })
  const keyring = await openAlgorithmKeyring({
    ...config,
    home,
    tokenLifetime: config.lifetimes.accessToken,
    made: () => {},
    rotated: () => {},
  })
  const urls: Partial<Record<ListenerName, string>> = lab.urls
  const { certificates, events, trace } = mounts
  const sites = labSites(
    { config, home, ports: PORTS },
    {
      now,
      random,
      certificates,
      events,
      trace,
      keyring,
      registeredClients: createRegisteredClients(),
      urls: () => urls,
    },
  )
  const made = new Map(
    listenerNames.map(name => [name, sites[name].make(urls[name]!, urls.authorization!)] as const),
  )
  let requests = 0
  const bodyLimit = (name: ListenerName) => sites[name].bodyLimit ?? 0
  return {
    async fault(sent) {
      const { site, method, target, headers, body, version } = sent
      const failures: string[] = []
      const publish = (event: { readonly type: string }) => {
        if (event.type === 'server.failed') failures.push(JSON.stringify(event))
      }
      const id = ++requests
      const request = {
        id,
        method,
        headers: [['Host', 'localhost'] as const, ...headers],
        httpVersion: version,
        url: new URL(urls[site]!).origin + (target.startsWith('/') ? target : `/${target}`),
        body: body.subarray(0, bodyLimit(site) + 1),
        remoteAddress: `198.51.100.${id % 250}`,
      }
      if (splitUrl(request.url).path === '') return undefined
      let timer: NodeJS.Timeout | undefined
      const late = new Promise<never>((_, reject) => {
        timer = setTimeout(() => reject(new Error('no answer within 15 s')), 15_000)
      })
      try {
        const answer = await Promise.race([made.get(site)!.handle(request, { publish }), late])
        await answer.stream?.[Symbol.asyncIterator]().return?.()
        return failures[0] ?? faultOf(sent, answer)
      } catch (error) {
        return failures[0] ?? (error instanceof Error ? error.stack : `${error}`)
      } finally {
        clearTimeout(timer)
      }
    },
    async stop() {
      await mounts.stop()
      await lab.stop()
      home.remove()
    },
  }
}
