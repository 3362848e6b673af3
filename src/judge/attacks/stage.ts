import { createPrivateKey, randomBytes } from 'node:crypto'
import { makeSamlAssertion } from '../../client/saml-assertion.js'
import { assertionClaims } from '../../flows/requests/assertion-source.js'
import { createWalk } from '../../flows/walk.js'
import { type Mounts, openMounts } from '../../lab/listening/mounts.js'
import { BUILT_IN_ISSUER, ensureAssertionIssuer } from '../../lab/sites/built-in-assertion-issuer.js'
import { memoryState } from '../../lab/state/memory-state.js'
import type { StateHome } from '../../lab/state/state-folder.js'
import { type HttpRequest, type HttpResponse, splitUrl, textResponse } from '../../protocol/http/message.js'
import type { Site } from '../../protocol/http/site.js'
import { type WeakName, weakNotice } from '../../protocol/rules/weak-modes.js'
import { signWith } from '../../protocol/tokens/client-assertion.js'
import { defined } from '../../protocol/values.js'
import {
  type AttackedLab,
  type AttackerServers,
  joinRunningLab,
  refusalOf,
  startOwnLab,
} from './attacked-lab.js'
import { LOGGED_IN, THANKS } from './attacker-pages.js'
import { type Account, createBrowser } from './browser.js'
import type { LabChoice } from './choose-lab.js'
import type { Attack, AttackerSite, InnerServer, Person, Scene } from './model.js'
import { createSightings, createWindow, type WindowParts } from './window.js'

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
  return { visits, pages, site: (): Site => ({ name: 'attacker', handle }) }
}

/** How the servers of an attack listen: on a free port, and bodies of at most 64 KiB. */
const LISTENER = { port: 0, portOption: '--port', bodyLimit: 64 * 1024 } as const

/** The name of a server in the network of the lab, and the address of the victim's data there. */
const INNER = { host: 'backup.internal', path: '/records/alice' }

/** Opens a server on this computer that stands for one in the network behind the lab: plain http, and no login. */
async function openInnerServer(mounts: Mounts, word: string): Promise<InnerServer> {
  let hits = 0
  const handle = async ({ url }: HttpRequest): Promise<HttpResponse> => {
    hits += 1
    return splitUrl(url).path === INNER.path
      ? textResponse(200, `Backup of alice: the key is under the ${word}`)
      : textResponse(404, 'no such backup')
  }
  const site = (): Site => ({ name: 'inner', handle })
  const { baseUrl } = await mounts.mount({ ...LISTENER, scheme: 'http', anyHost: true, site })
  return { url: `http://${INNER.host}:${new URL(baseUrl).port}${INNER.path}`, hits: () => hits }
}

/** The listeners of the attacker. */
interface AttackerListeners extends AttackerServers {
  readonly pathUrl: string
  /** The address of the honest applications. A person's browser finds a page there; nobody else goes there. */
  readonly callback: string
  readonly inner?: InnerServer | undefined
  readonly stop: () => Promise<void>
}

/**
 * Opens the attacker's servers, and where a person plays the victim the address of the honest applications.
 * @param host of the lab, whose name the attacker on the path takes; left out: localhost
 * @param shown true where a person plays the victim
 * @param word the word at the server in the network of the lab. Undefined: there is no such server
 */
async function openServers(
  site: () => Site,
  home: StateHome,
  host: string | undefined,
  shown: boolean,
  word: string | undefined,
): Promise<AttackerListeners> {
  const shared = { home, now: Date.now, command: 'attack run' }
  const mounts = await openMounts({ ...shared, host: '127.0.0.1' })
  const onPath = await openMounts(defined({ ...shared, host }))
  const stop = async () => {
    await Promise.all([mounts.stop(), onPath.stop()])
  }
  const plain = { ...LISTENER, scheme: 'http', site } as const
  const application = (): Site => ({ name: 'application', handle: async () => LOGGED_IN })
  try {
    const { baseUrl: url } = await mounts.mount({ ...LISTENER, site })
    const { baseUrl: loopbackUrl } = await mounts.mount(plain)
    const { baseUrl: pathUrl } = await onPath.mount(plain)
    const honest = shown ? (await mounts.mount({ ...plain, site: application })).baseUrl : 'http://127.0.0.1'
    const inner = word === undefined ? undefined : await openInnerServer(mounts, word)
    const hosts = inner && { [INNER.host]: '127.0.0.1' }
    const { caPem } = mounts.certificates
    return { url, loopbackUrl, pathUrl, callback: `${honest}/callback`, caPem, inner, hosts, stop }
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
  const own = attackerSite()
  const sightings = window && createSightings(Date.now, signal, window.patience)
  const around = (site: Site): Site => sightings?.watch(site) ?? site
  const inside = attack.innerServer && word
  const host = at?.joined && new URL(at.joined.record.urls.authorization).hostname
  const servers = await openServers(() => around(own.site()), home, host, window !== undefined, inside)
  const opening = at?.joined
    ? joinRunningLab(attack, servers, at.joined, timeoutMs)
    : startOwnLab(attack, servers, { weak, home, word, timeoutMs, around })
  const lab = await opening.catch(async (error: unknown) => {
    await servers.stop()
    throw error
  })
  report(lab, options)
  const { urls, config, send, now, random, catcher, foreignResource, advance } = lab
  const { username, password } = config.users[0]!
  const alice = { username, password: password! }
  const person = (account: Account): Person => ({ ...createBrowser(send, now, signal), account })
  const shown = window && sightings && { ...window, sightings, name: username }
  const assertionAbout = (subject: string) => {
    const issuedAt = now()
    return {
      issuer: BUILT_IN_ISSUER,
      subject,
      audience: urls.authorization,
      issuedAt,
      expiresAt: issuedAt + 300_000,
      id: Buffer.from(random(16)).toString('hex'),
    }
  }
  const scene: Scene = {
    catcher,
    foreignResource,
    random,
    now,
    advance,
    secret: `teapot-${randomBytes(8).toString('hex')}`,
    urls: { ...urls, resource: urls.resource! },
    victim: shown ? { ...createWindow(shown, person(alice)), account: alice } : person(alice),
    attacker: person(lab.attacker),
    anotherBrowser: () => person(alice),
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
      const about = { ...assertionAbout(lab.attacker.username), recipient }
      return makeSamlAssertion(about, await ensureAssertionIssuer(lab.home))
    },
    async victimsGrant(clientId) {
      const { keyPem } = await ensureAssertionIssuer(lab.home)
      const claims = assertionClaims({ ...assertionAbout(username), clientId })
      return signWith(claims, { alg: 'ES256', privateKey: createPrivateKey(keyPem) }, 'oauth-id-jag+jwt')
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
