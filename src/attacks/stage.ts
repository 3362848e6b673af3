import { randomBytes } from 'node:crypto'
import { makeSamlAssertion } from '../client/saml-assertion.js'
import { createTransport } from '../client/transport.js'
import { createWalk } from '../flows/walk.js'
import { type HttpRequest, type HttpResponse, splitUrl } from '../http/message.js'
import type { Site } from '../http/site.js'
import { BUILT_IN_ISSUER, ensureAssertionIssuer } from '../lab/built-in-assertion-issuer.js'
import { type LabConfig, loadLabConfig } from '../lab/config.js'
import { toClient } from '../lab/config-entries.js'
import { startLab } from '../lab/lab.js'
import { memoryState } from '../lab/memory-state.js'
import { type Mount, type Mounts, openMounts } from '../lab/mounts.js'
import type { StateHome } from '../lab/state-folder.js'
import type { Client } from '../oauth/client.js'
import { type WeakName, weakNotice } from '../rules/weak-modes.js'
import { movableClock } from '../targets/movable-clock.js'
import { LOGGED_IN, THANKS } from './attacker-pages.js'
import { createBrowser } from './browser.js'
import type { Attack } from './model.js'
import { createRefusalLog, refusalOf } from './refusal.js'
import type { AttackerSite, Scene } from './scene.js'
import { createSightings } from './sightings.js'
import { createWindow, type WindowParts } from './window.js'

/** The options of one run of an attack. */
export interface StageOptions {
  /** The weak modes of the lab; empty for a strict one. */
  readonly weak: readonly WeakName[]
  readonly signal: AbortSignal
  /** The most milliseconds for one exchange. */
  readonly timeoutMs?: number
  /** Reports the lab that was started, in one line. */
  readonly narrate?: (line: string) => void
  /** The state of the lab. Left out: one in memory, for this run alone. */
  readonly home?: StateHome
  /** The victim's real browser. Left out: one without a window. */
  readonly window?: VictimsWindow
}

/** The real browser in which a person plays the victim. */
export interface VictimsWindow extends Pick<WindowParts, 'open' | 'say'> {
  /** Longest wait for the person, in milliseconds. */
  readonly patience: number
}

/** An open scene, and the word that only the victim's data has. */
export interface Stage {
  readonly scene: Scene
  readonly word: string
  stop(): Promise<void>
}

/** Largest body that the attacker's server reads, in bytes. */
const BODY_LIMIT = 64 * 1024

/** Most visits that the attacker's server keeps. */
const MOST_VISITS = 1000

/** The person who attacks, as the lab knows them: a user like any other. */
const ATTACKER = { username: 'mallory', password: 'malice-and-more' } as const

/** Makes the attacker's server as a site, and what attacks see of it. */
function attackerSite() {
  const visits: HttpRequest[] = []
  const pages = new Map<string, Parameters<AttackerSite['serve']>[1]>()
  const handle = async (request: HttpRequest): Promise<HttpResponse> => {
    if (visits.length < MOST_VISITS) visits.push(request)
    return (await pages.get(splitUrl(request.url).path)?.(request)) ?? THANKS
  }
  return { visits, pages, site: () => ({ name: 'attacker', handle }) }
}

/** A lab file whose lists may grow while the servers run. */
type AttackedConfig = LabConfig & { readonly clients: Client[]; readonly resources: string[] }

/** The built-in lab with a word in alice's profile, and with a user who attacks. */
async function attackedConfig(
  word: string,
  { compression }: Pick<Attack, 'compression'>,
  weak: readonly WeakName[],
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

/** The address of the honest applications. A person's browser finds a page there; nobody else goes there. */
async function applicationAddress(
  mounts: Mounts,
  listener: Pick<Mount, 'port' | 'portOption' | 'bodyLimit'>,
  shown: boolean,
): Promise<string> {
  if (!shown) return 'http://127.0.0.1/callback'
  const site = (): Site => ({ name: 'application', handle: async () => LOGGED_IN })
  const { baseUrl } = await mounts.mount({ ...listener, scheme: 'http', site })
  return `${baseUrl}/callback`
}

/** Starts the lab and the attacker's server of one run, on free ports of this machine. Nothing is planted yet. */
export async function openStage(attack: Attack, options: StageOptions): Promise<Stage> {
  const { weak, signal, timeoutMs = 30_000 } = options
  const memory = options.home === undefined ? memoryState() : undefined
  const home = memory ?? options.home!
  const word = `rabbit-${randomBytes(8).toString('hex')}`
  const secret = `teapot-${randomBytes(8).toString('hex')}`
  const config = await attackedConfig(word, attack, weak)
  const clock = movableClock()
  const { now } = clock
  const mounts = await openMounts({ home, host: '127.0.0.1', now, command: 'attack run' })
  const own = attackerSite()
  const sightings = options.window && createSightings(now, signal, options.window.patience)
  const watched = (site: Site): Site => sightings?.watch(site) ?? site
  const listener = {
    port: 0,
    portOption: '--port',
    bodyLimit: BODY_LIMIT,
    site: () => watched(own.site()),
  } as const
  const { baseUrl } = await mounts.mount(listener)
  const onPath = await openMounts({ home, now, command: 'attack run' })
  const { baseUrl: pathUrl } = await onPath.mount({ ...listener, scheme: 'http' })
  const callback = await applicationAddress(mounts, listener, options.window !== undefined)
  const lab = await startLab({
    ...{ config, home, now },
    ports: { authorization: 0, resource: 0, ...(attack.demoClient && { client: 0 }) },
    ...(attack.clientIssuers && { clientIssuers: attack.clientIssuers(baseUrl) }),
    weakOutside: `${baseUrl}/counter`,
    around: watched,
  }).catch(async (error: unknown) => {
    await Promise.all([mounts.stop(), onPath.stop()])
    throw error
  })
  const notice = weakNotice(weak)
  options.narrate?.(`Started a lab for this attack: ${lab.urls.authorization}`)
  if (notice !== undefined) options.narrate?.(notice)
  for (const entry of attack.clients?.(baseUrl, lab.urls.client ?? '') ?? [])
    config.clients.push(toClient(entry))
  config.resources.push(...(attack.resources?.(baseUrl) ?? []))
  const transport = createTransport({
    caPem: lab.caPem,
    now,
    timeoutMs,
    requestOn: ends => lab.requestOn(ends),
    env: {},
  })
  const log = createRefusalLog()
  lab.events.subscribe(log.add)
  const browser = () => createBrowser(transport.send, now, signal)
  const { send } = transport
  const alice = config.users[0]!
  const victim = () =>
    options.window && sightings
      ? createWindow({ ...options.window, sightings, name: alice.username }, browser())
      : browser()
  const scene: Scene = {
    urls: { ...lab.urls, resource: lab.urls.resource! },
    victim: victim(),
    attacker: browser(),
    anotherBrowser: browser,
    accounts: {
      victim: { username: alice.username, password: alice.password! },
      attacker: { username: ATTACKER.username, password: ATTACKER.password },
    },
    site: {
      url: baseUrl,
      visits: own.visits,
      serve: (path, answer) => void own.pages.set(path, answer),
    },
    pathUrl,
    callback,
    step: createWalk({ send, signal }, attack.plan).step,
    refusal: exchange => refusalOf(exchange, log, attack.defences),
    random: lab.random,
    advance: clock.advance,
    now,
    client: id => config.clients.findLast(each => each.client_id === id)!,
    secret,
    async ownAssertion(recipient) {
      const key = await ensureAssertionIssuer(home)
      const issuedAt = now()
      return makeSamlAssertion(
        {
          ...{ issuer: BUILT_IN_ISSUER, subject: ATTACKER.username, audience: lab.urls.authorization },
          ...{ recipient, issuedAt, expiresAt: issuedAt + 300_000 },
          id: Buffer.from(lab.random(16)).toString('hex'),
        },
        key,
      )
    },
  }
  return {
    scene,
    word,
    async stop() {
      transport.close()
      await Promise.all([lab.stop(), mounts.stop(), onPath.stop()])
      memory?.remove()
    },
  }
}
