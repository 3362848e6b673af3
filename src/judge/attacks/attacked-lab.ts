import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { redirectTarget } from '../../client/page-visitor.js'
import { createTransport } from '../../client/transport.js'
import { clockOf } from '../../lab/clock.js'
import { startLab } from '../../lab/lab.js'
import { type LabConfig, loadLabConfig } from '../../lab/lab-file/config.js'
import type { LabUrls } from '../../lab/listening/listeners.js'
import type { Hosts } from '../../lab/outgoing/client-addresses.js'
import { eventMark, type KeptEvent, readEvents } from '../../lab/state/event-file.js'
import type { RunningLab } from '../../lab/state/running.js'
import type { StateHome } from '../../lab/state/state-folder.js'
import type { LabEvent } from '../../protocol/events.js'
import type { Exchange, Send } from '../../protocol/http/exchange.js'
import { parseForm } from '../../protocol/http/form.js'
import { headerValues, runAgent, splitUrl } from '../../protocol/http/message.js'
import type { Site } from '../../protocol/http/site.js'
import { challengeFor, parseChallenges } from '../../protocol/oauth/bearer.js'
import type { Client } from '../../protocol/oauth/client.js'
import { foreignRule } from '../../protocol/rules/rule.js'
import type { WeakName } from '../../protocol/rules/weak-modes.js'
import { defined, parsedObject } from '../../protocol/values.js'
import { toClient } from '../../servers/authorization-server/client-rules/defaults.js'
import { secondUser } from '../../session/people/users.js'
import { movableClock } from '../../session/targets/lab.js'
import type { Account } from './browser.js'
import type { Attack, Catcher, Defence, Refusal } from './model.js'

/** Most events that are kept: an attack causes fewer. */
const MOST_EVENTS = 4000

const isRefusal = ({ type, rule }: LabEvent): boolean =>
  typeof rule === 'string' && /[._](?:refused|failed|denied|replayed|reused)$/.test(type)

/** Makes an empty log of the refusals that the servers of the lab report. */
function createRefusalLog() {
  const kept: LabEvent[] = []
  return {
    add(event: LabEvent) {
      if (isRefusal(event) && kept.length < MOST_EVENTS) kept.push(event)
    },
    /** Returns the refusal of the request with this id: its own, or that of a request that it caused. */
    find: (id: number) =>
      kept.find(({ cause }) => cause === id) ?? kept.find(({ request }) => request === id),
  }
}

const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

/** The members of a refusal before it has the name of a check. */
interface Told {
  readonly error?: string | undefined
  readonly rule?: string | undefined
  readonly description?: string | undefined
}

function toldByEvent(event: LabEvent | undefined): Told {
  if (event === undefined) return {}
  return {
    error: text(event.error) ?? event.type,
    rule: text(event.rule),
    description: text(event.description) ?? text(event.reason),
  }
}

/** Reads the error of an answer: in the address of a redirect, the challenge, or the JSON body. */
function toldByAnswer(exchange: Exchange): Told {
  const { response } = exchange
  if (response === undefined) return {}
  const target = redirectTarget(exchange)
  if (target !== undefined) {
    const values = new Map(parseForm(splitUrl(target).query))
    return { error: values.get('error'), description: values.get('error_description') }
  }
  const challenges = parseChallenges(headerValues(response, 'www-authenticate'))
  const parameters = (challengeFor('Bearer', challenges) ?? challenges[0])?.parameters
  const body = parsedObject(response.body) ?? {}
  return {
    error: parameters?.error ?? text(body.error),
    description: parameters?.error_description ?? text(body.error_description),
  }
}

/** The check that a message of the resource server names: `the token is not for this server; aud: …`. */
const NAMED_CHECK = /(?:^|; )([a-z_]+): /

/**
 * Returns the refusal of an exchange: from the event of the server where there is one, else from the answer. The check
 * has its name from the defences of the attack, by the rule. Returns undefined for an answer that refuses nothing.
 * @param reported the event in which a server refused the request
 */
export function refusalOf(
  exchange: Exchange,
  reported: LabEvent | undefined,
  defences: readonly Defence[],
): Refusal | undefined {
  const event = toldByEvent(reported)
  const answer = toldByAnswer(exchange)
  const status = exchange.response?.status ?? 0
  const error = event.error ?? answer.error ?? (status >= 400 ? `http_${status}` : undefined)
  if (error === undefined) return undefined
  const detail = event.description ?? answer.description ?? `status ${status}`
  const rule = event.rule ?? ''
  const known = defences.find(each => each.rule === rule)
  const named = NAMED_CHECK.exec(detail)?.[1]
  return { check: known?.check ?? named ?? error, rule: foreignRule(rule), detail }
}

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

/** The person who attacks, as the lab of an attack knows them: a user like any other. */
const ATTACKER: Account = { username: 'mallory', password: 'malice-and-more' }

/** A lab file whose lists may grow while the servers run. */
type AttackedConfig = LabConfig & { readonly clients: Client[]; readonly resources: string[] }

/** The built-in lab with a word in alice's profile, and with a user who attacks. */
async function attackedConfig(
  { compression }: Attack,
  word: string,
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

/**
 * Starts the lab of one attack, on free ports. The clients and resources of the attack are registered.
 * @param options.word the word that the victim has in her profile
 * @param options.around returns a site that is mounted in the place of each site of the lab
 */
export async function startOwnLab(
  attack: Attack,
  { url, caPem, hosts }: AttackerServers,
  options: {
    readonly weak: readonly WeakName[]
    readonly home: StateHome
    readonly word: string
    readonly timeoutMs: number
    readonly around: (site: Site) => Site
  },
): Promise<AttackedLab> {
  const { home, around, timeoutMs, word, weak } = options
  const config = await attackedConfig(attack, word, weak)
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
  const transport = createTransport({
    caPem: `${lab.caPem}\n${caPem}`,
    now,
    timeoutMs,
    requestOn: ends => lab.requestOn(ends),
    env: {},
  })
  return {
    urls: lab.urls,
    config,
    home,
    now,
    random: lab.random,
    send: transport.send,
    attacker: ATTACKER,
    catcher: { client: entries[0]?.client_id ?? '', address: `${url}/catch` },
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

/** A running lab that an attack may play at: its record was checked. */
export interface JoinedLab {
  readonly record: RunningLab
  /** Its lab file. */
  readonly config: LabConfig
  /** The state folder with the record and the events. */
  readonly home: string
}

/** The path at which native applications of a lab take their answers. */
const NATIVE_PATH = '/callback'

/** Makes the world of an attack out of a lab that runs already. Nothing is registered there, and its clock stays. */
export async function joinRunningLab(
  { running }: Attack,
  { url, caPem, loopbackUrl }: AttackerServers,
  { record, config, home }: JoinedLab,
  timeoutMs: number,
): Promise<AttackedLab> {
  const { urls } = record
  const { standIn = '', answersAt = NATIVE_PATH } = 'never' in running ? {} : running
  const now = clockOf(record.clock)
  const agent = runAgent('attack', randomBytes(4))
  const origins = Object.values(urls).map(each => new URL(each).origin)
  const log = await openEventFileLog(home, agent.slice(agent.indexOf('(') + 1, -1), origins)
  const authorities = `${await readFile(record.ca, 'utf8')}\n${caPem}`
  const transport = createTransport({ caPem: authorities, now, timeoutMs, agent, env: {} })
  const [resource] = config.resources === 'any' ? [] : config.resources
  return {
    urls,
    config,
    home,
    now,
    attacker: secondUser(config.users[0]?.username, config.users)!,
    catcher: { client: standIn, address: `${loopbackUrl}${answersAt}` },
    foreignResource: resource ?? url,
    send: log.counted(transport.send),
    random: length => randomBytes(length),
    advance: () => false,
    refused: log.find,
    stop: async () => transport.close(),
  }
}

/** Longest wait for the event of an answered request, and the pause between two reads, in milliseconds. */
const LONGEST = 2000
const PAUSE = 25

/**
 * Opens the log of a run by the event file of a running lab. The lab is another process, so that no exchange knows the number of
 * its request there: the people of an attack take turns, and the n-th request of the run is the one that was sent as the n-th.
 * @param run the run that the events name, such as `attack 1a2b3c4d`
 * @param origins those of the lab. Requests to other origins leave no events
 */
async function openEventFileLog(home: string, run: string, origins: readonly string[]) {
  const start = await eventMark(home)
  const order = new WeakMap<Exchange, number>()
  let sent = 0
  const ofRun = (event: KeptEvent): event is KeptEvent & { readonly request: number } =>
    event.type === 'request.answered' && event.run === run && typeof event.request === 'number'
  return {
    /** The same `send`, whose exchanges can be looked up. */
    counted:
      (send: Send): Send =>
      async (request, options) => {
        if (!origins.includes(splitUrl(request.url).origin)) return send(request, options)
        const n = sent++
        const exchange = await send(request, options)
        order.set(exchange, n)
        return exchange
      },
    /** Returns the event in which a server refused the request of an exchange. */
    async find(exchange: Exchange): Promise<LabEvent | undefined> {
      const n = order.get(exchange)
      if (n === undefined) return undefined
      for (let waited = 0; waited <= LONGEST; waited += PAUSE) {
        const { events } = await readEvents(home, start)
        const answered = events.filter(ofRun).sort((a, b) => a.request - b.request)[n]
        if (answered) {
          // The events of a request are written before that of its answer.
          const log = createRefusalLog()
          for (const event of events) if (event.lab === answered.lab) log.add(event)
          return log.find(answered.request)
        }
        await sleep(PAUSE)
      }
      return undefined
    },
  }
}
