import { randomBytes } from 'node:crypto'
import { makeSamlAssertion } from '../../client/saml-assertion.js'
import { createWalk } from '../../flows/walk.js'
import { type Mount, type Mounts, openMounts } from '../../lab/listening/mounts.js'
import { BUILT_IN_ISSUER, ensureAssertionIssuer } from '../../lab/sites/built-in-assertion-issuer.js'
import { memoryState } from '../../lab/state/memory-state.js'
import type { StateHome } from '../../lab/state/state-folder.js'
import { type HttpRequest, type HttpResponse, splitUrl } from '../../protocol/http/message.js'
import type { Site } from '../../protocol/http/site.js'
import { type WeakName, weakNotice } from '../../protocol/rules/weak-modes.js'
import { type AttackedLab, type AttackerServers, startOwnLab } from './attacked-lab.js'
import { LOGGED_IN, THANKS } from './attacker-pages.js'
import { createBrowser } from './browser.js'
import type { LabChoice } from './choose-lab.js'
import { openInnerServer } from './inner-server.js'
import { joinRunningLab } from './joined-lab.js'
import type { Attack } from './model.js'
import { refusalOf } from './refusal.js'
import type { AttackerSite, InnerServer, Scene } from './scene.js'
import { createSightings } from './sightings.js'
import { createWindow, type WindowParts } from './window.js'

/** The options of one run of an attack. */
export interface StageOptions {
  /** The weak modes of the lab; empty for a strict one. */
  readonly weak: readonly WeakName[]
  /** The chosen lab. Left out: the attack starts one. */
  readonly at?: LabChoice
  readonly signal: AbortSignal
  /** The most milliseconds for one exchange. */
  readonly timeoutMs?: number
  /** Reports the lab in a few lines. */
  readonly narrate?: (line: string) => void
  /** The state of the attacker's servers, and of a lab that is started. Left out: one in memory, for this run alone. */
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

/** The listeners of the attacker. */
interface AttackerListeners extends AttackerServers {
  readonly pathUrl: string
  readonly callback: string
  readonly inner?: InnerServer | undefined
  readonly stop: () => Promise<void>
}

/** The options of the servers of one run. */
interface ServerOptions {
  readonly home: StateHome
  readonly now: () => number
  /** True where a person plays the victim. */
  readonly shown: boolean
  /** The word at the server in the network of the lab. Absent: there is no such server. */
  readonly word?: string | undefined
}

/** Opens the attacker's servers, and where a person plays the victim the address of the honest applications. */
async function openServers(
  site: () => Site,
  { home, now, shown, word }: ServerOptions,
): Promise<AttackerListeners> {
  const mounts = await openMounts({ home, host: '127.0.0.1', now, command: 'attack run' })
  const onPath = await openMounts({ home, now, command: 'attack run' })
  const stop = async () => {
    await Promise.all([mounts.stop(), onPath.stop()])
  }
  try {
    const listener = { port: 0, portOption: '--port', bodyLimit: BODY_LIMIT, site } as const
    const { baseUrl: url } = await mounts.mount(listener)
    const { baseUrl: loopbackUrl } = await mounts.mount({ ...listener, scheme: 'http' })
    const { baseUrl: pathUrl } = await onPath.mount({ ...listener, scheme: 'http' })
    const callback = await applicationAddress(mounts, listener, shown)
    const inner = word === undefined ? undefined : await openInnerServer(mounts, listener, word)
    const { caPem } = mounts.certificates
    return { url, loopbackUrl, pathUrl, callback, caPem, inner, hosts: inner?.hosts, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** Reports the lab of an attack, and first of all whether it is its own. */
function report({ urls }: AttackedLab, { weak, at, narrate = () => {} }: StageOptions): void {
  const own = at?.joined === undefined
  const other = at === undefined ? '' : `  (${at.other})`
  narrate(`${own ? 'Started a lab for this attack:' : 'Uses the running lab'} ${urls.authorization}${other}`)
  if (at?.unused !== undefined) narrate(at.unused)
  const notice = weakNotice(weak)
  if (notice !== undefined) narrate(notice)
}

/** Opens the attacker's servers of one run on free ports, and its lab. Nothing is planted yet. */
export async function openStage(attack: Attack, options: StageOptions): Promise<Stage> {
  const { weak, at, signal, window, timeoutMs = 30_000 } = options
  // A running lab asks the attacker's server for documents: that server has a certificate of the same authority.
  const given = at?.joined?.home ?? options.home
  const memory = given === undefined ? memoryState() : undefined
  const home = memory ?? given!
  const word = `rabbit-${randomBytes(8).toString('hex')}`
  const secret = `teapot-${randomBytes(8).toString('hex')}`
  const own = attackerSite()
  const sightings = window && createSightings(Date.now, signal, window.patience)
  const watched = (site: Site): Site => sightings?.watch(site) ?? site
  const shown = window !== undefined
  const servers = await openServers(() => watched(own.site()), {
    ...{ home, now: Date.now, shown },
    word: attack.innerServer && word,
  })
  const opening = at?.joined
    ? joinRunningLab(attack, servers, at.joined, timeoutMs)
    : startOwnLab(attack, servers, { weak, home, word, timeoutMs, around: watched })
  const lab = await opening.catch(async (error: unknown) => {
    await servers.stop()
    throw error
  })
  report(lab, options)
  const { urls, config, send, now, random, catcher, foreignResource } = lab
  const browser = () => createBrowser(send, now, signal)
  const alice = config.users[0]!
  const victim = () =>
    window && sightings ? createWindow({ ...window, sightings, name: alice.username }, browser()) : browser()
  const scene: Scene = {
    ...{ catcher, foreignResource, random, now, secret, advance: lab.advance },
    urls: { ...urls, resource: urls.resource! },
    victim: victim(),
    attacker: browser(),
    anotherBrowser: browser,
    accounts: {
      victim: { username: alice.username, password: alice.password! },
      attacker: lab.attacker,
    },
    site: {
      url: servers.url,
      visits: own.visits,
      serve: (path, answer) => void own.pages.set(path, answer),
    },
    pathUrl: servers.pathUrl,
    inner: servers.inner,
    callback: servers.callback,
    step: createWalk({ send, signal }, attack.plan).step,
    refusal: async exchange => refusalOf(exchange, await lab.refused(exchange), attack.defences),
    client: id => config.clients.findLast(each => each.client_id === id)!,
    async ownAssertion(recipient) {
      const key = await ensureAssertionIssuer(lab.home)
      const issuedAt = now()
      return makeSamlAssertion(
        {
          ...{ issuer: BUILT_IN_ISSUER, subject: lab.attacker.username, audience: urls.authorization },
          ...{ recipient, issuedAt, expiresAt: issuedAt + 300_000 },
          id: Buffer.from(random(16)).toString('hex'),
        },
        key,
      )
    },
  }
  return {
    scene,
    word,
    async stop() {
      await Promise.all([lab.stop(), servers.stop()])
      memory?.remove()
    },
  }
}
