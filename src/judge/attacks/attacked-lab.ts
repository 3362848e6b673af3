import { createTransport, type Transport } from '../../client/transport.js'
import { startLab } from '../../lab/lab.js'
import { type LabConfig, loadLabConfig } from '../../lab/lab-file/config.js'
import type { LabUrls } from '../../lab/listening/listeners.js'
import type { Hosts } from '../../lab/outgoing/client-addresses.js'
import type { StateHome } from '../../lab/state/state-folder.js'
import type { LabEvent } from '../../protocol/events.js'
import type { Exchange, Send } from '../../protocol/http/exchange.js'
import type { Site } from '../../protocol/http/site.js'
import type { Client } from '../../protocol/oauth/client.js'
import type { WeakName } from '../../protocol/rules/weak-modes.js'
import { defined } from '../../protocol/values.js'
import { toClient } from '../../servers/authorization-server/client-rules/defaults.js'
import { movableClock } from '../../session/targets/movable-clock.js'
import type { Account } from './browser.js'
import type { Attack } from './model.js'
import { createRefusalLog } from './refusal.js'
import type { Catcher } from './scene.js'

/** The lab that an attack plays at: its own, or one that runs already. */
export interface AttackedLab {
  readonly urls: LabUrls
  readonly config: LabConfig
  /** The state in which the lab keeps its keys. */
  readonly home: StateHome
  readonly attacker: Account
  readonly catcher: Catcher
  /** A resource that the lab issues tokens for, whose server is the attacker's. */
  readonly foreignResource: string
  /** Sends requests as the people of the attack do. */
  readonly send: Send
  readonly now: () => number
  readonly random: (length: number) => Uint8Array
  /** Sets the clock of the lab forward. Returns false for a lab whose clock is not ours. */
  readonly advance: (ms: number) => boolean
  /** Returns the event in which a server refused the request of an exchange; undefined when none did. */
  readonly refused: (exchange: Exchange) => Promise<LabEvent | undefined>
  readonly stop: () => Promise<void>
}

/** The servers of the attacker, which are open before the lab. */
export interface AttackerServers {
  /** Base URL over TLS, and the certificate to trust for it. */
  readonly url: string
  readonly caPem: string
  /** Base URL of plain http on the loopback interface. */
  readonly loopbackUrl: string
  /** Names that the network of the lab knows. Absent: none. */
  readonly hosts?: Hosts | undefined
}

/** The settings of a lab that an attack starts. */
export interface OwnLabOptions {
  readonly weak: readonly WeakName[]
  readonly home: StateHome
  /** The word that the victim has in her profile. */
  readonly word: string
  readonly timeoutMs: number
  /** Returns a site that is mounted in the place of each site of the lab. */
  readonly around: (site: Site) => Site
}

/** The person who attacks, as the lab of an attack knows them: a user like any other. */
const ATTACKER: Account = { username: 'mallory', password: 'malice-and-more' }

/** A lab file whose lists may grow while the servers run. */
type AttackedConfig = LabConfig & { readonly clients: Client[]; readonly resources: string[] }

/** The built-in lab with a word in alice's profile, and with a user who attacks. */
async function attackedConfig(
  { compression }: Pick<Attack, 'compression'>,
  { word, weak }: Pick<OwnLabOptions, 'word' | 'weak'>,
): Promise<AttackedConfig> {
  const loaded = await loadLabConfig(null)
  const [alice, ...others] = loaded.users
  const planted = { ...alice!, claims: { ...alice!.claims, nickname: word } }
  const mallory = { ...ATTACKER, claims: { name: 'Mallory', email: 'mallory@example.com' } }
  return {
    ...loaded,
    weak,
    compression: compression ?? loaded.compression,
    clients: [...loaded.clients],
    resources: loaded.resources === 'any' ? [] : [...loaded.resources],
    users: [planted, ...others, mallory],
  }
}

/** Starts the lab of one attack, on free ports. The clients and resources of the attack are registered. */
export async function startOwnLab(
  attack: Attack,
  { url, caPem, hosts }: AttackerServers,
  options: OwnLabOptions,
): Promise<AttackedLab> {
  const config = await attackedConfig(attack, options)
  const { home, around, timeoutMs } = options
  const { now, advance } = movableClock()
  const lab = await startLab({
    ...defined({ config, home, now, around, hosts }),
    ports: { authorization: 0, resource: 0, ...(attack.demoClient && { client: 0 }) },
    ...(attack.clientIssuers && { clientIssuers: attack.clientIssuers(url) }),
    weakOutside: `${url}/counter`,
  })
  const entries = attack.clients?.(url, lab.urls.client ?? '') ?? []
  config.clients.push(...entries.map(toClient))
  config.resources.push(url)
  const log = createRefusalLog()
  lab.events.subscribe(log.add)
  const transport: Transport = createTransport({
    caPem: `${lab.caPem}\n${caPem}`,
    now,
    timeoutMs,
    requestOn: ends => lab.requestOn(ends),
    env: {},
  })
  const [client] = entries
  return {
    ...{ urls: lab.urls, config, home, now, random: lab.random, send: transport.send },
    attacker: ATTACKER,
    catcher: { client: client?.client_id ?? '', address: `${url}/catch` },
    foreignResource: url,
    advance(ms) {
      advance(ms)
      return true
    },
    refused: async ({ request: { id } }) => (id === undefined ? undefined : log.find(id)),
    async stop() {
      transport.close()
      await lab.stop()
    },
  }
}
