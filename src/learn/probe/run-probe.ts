import { randomBytes, randomInt } from 'node:crypto'
import { createHeadlessAgent } from '../../client/headless.js'
import { answerOnce, type KnownUser } from '../../client/known-login.js'
import { redirectTarget } from '../../client/page-visitor.js'
import type { LabConfig } from '../../lab/lab-file/config.js'
import type { Lab } from '../../lab/model.js'
import { UserError } from '../../protocol/errors.js'
import type { Send } from '../../protocol/http/exchange.js'
import { splitUrl } from '../../protocol/http/message.js'
import type { Client } from '../../protocol/oauth/client.js'
import { OAuthError } from '../../protocol/oauth/oauth-error.js'
import { parseLoopback } from '../../protocol/oauth/redirect-uri.js'
import { tokenHash } from '../../protocol/tokens/verify.js'
import { defined } from '../../protocol/values.js'
import { trusting } from '../engine/learner-env.js'
import type { ProbeName, ProbeReport, ProbeRun } from '../model.js'
import { type ClientProcess, startClient } from './client-process.js'
import { changing, isToken, isUserinfo, layered, pass } from './front.js'
import type { Layer, Members, RunPlan, Scene } from './model.js'
import { readableIdToken } from './plans/parts.js'
import { PLANS } from './plans/plans.js'
import { type ProbeLab, startProbeLab } from './probe-lab.js'
import { watchClient } from './watch-client.js'

/**
 * Opens an authorization request as a browser without a screen does, and logs in there.
 * @returns the address at which the browser ends; undefined when the login leads nowhere
 * @throws OAuthError for a request that the server refuses
 */
export async function openRequest(
  request: URL,
  { send, user, signal }: { readonly send: Send; readonly user: KnownUser; readonly signal: AbortSignal },
): Promise<string | undefined> {
  const agent = createHeadlessAgent({ send, askLogin: answerOnce(user) })
  const of = (name: string) => request.searchParams.get(name) ?? ''
  const task = {
    request: {
      url: request.href,
      endpoint: `${request.origin}${request.pathname}`,
      responseType: of('response_type'),
      clientId: of('client_id'),
      redirectUri: of('redirect_uri') || 'http://127.0.0.1/callback',
      state: of('state'),
      issPromised: true,
    },
    signal,
  }
  for await (const { landed } of agent.authorize(task)) if (landed !== undefined) return landed
  return undefined
}

/** Opaque names for access tokens, which a client can show and not read. */
interface Hiding {
  /** Names the access token of an answer; at_hash of the ID token fits the name. */
  readonly hide: (members: Members) => Promise<Members>
  /** Puts the token back at userinfo. */
  readonly layer: Layer
}

function hiding({ resign }: Pick<ProbeLab, 'resign'>): Hiding {
  const tokens = new Map<string, string>()
  return {
    async hide(members) {
      const { access_token: token, id_token: id } = members
      if (typeof token !== 'string') return members
      const name = randomBytes(32).toString('base64url')
      tokens.set(`Bearer ${name}`, `Bearer ${token}`)
      const readable = readableIdToken(members)
      if (readable === undefined || typeof id !== 'string') return { ...members, access_token: name }
      const hash = tokenHash(name, String(readable.header.alg))
      return { ...members, access_token: name, id_token: await resign(id, { at_hash: hash }) }
    },
    layer(request, next) {
      if (!isUserinfo(splitUrl(request.url).path)) return next(request)
      const headers = request.headers.map(
        ([name, value]) =>
          [name, /^authorization$/i.test(name) ? (tokens.get(value) ?? value) : value] as const,
      )
      return next({ ...request, headers })
    },
  }
}

/** The client cannot know the order. The first run needs no run before it. */
export function shuffledRuns(given: readonly RunPlan[], random: (below: number) => number): RunPlan[] {
  const runs = [...given]
  for (let i = runs.length - 1; i > 0; i--) {
    const j = random(i + 1)
    const swapped = runs[i]!
    runs[i] = runs[j]!
    runs[j] = swapped
  }
  // Before the first run there is no other login whose value could be used.
  if (runs[0]?.needsEarlier) runs.reverse()
  return runs
}

/** Milliseconds for the address to open, and for the client's reaction. Go builds its own library first. */
const WAIT = { address: 120_000, reaction: 10_000 }

export interface ProbeOptions {
  readonly command: readonly string[]
  readonly folder: string
  /** The state folder, for the CA. */
  readonly home: string
  readonly config: LabConfig
  readonly client: Client
  readonly user: KnownUser
  /** Called before each run. */
  readonly begin?: (run: number, of: number) => void
}

class ProbeFailure extends Error {}

function clientEnv({ caFile }: Lab, issuer: string, client: Client): NodeJS.ProcessEnv {
  return {
    ...process.env,
    ISSUER: issuer,
    CLIENT_ID: client.client_id,
    CLIENT_SECRET: client.client_secret ?? '',
    ...trusting(caFile),
  }
}

const get = (url: string) => ({
  method: 'GET',
  url,
  body: new Uint8Array(),
  headers: [['accept', 'text/html'] as const],
})

/** A server may send the browser on to another address before the login page. */
async function loginAddress(url: string, send: Send): Promise<URL> {
  const exchange = await send(get(url), { signal: AbortSignal.timeout(WAIT.reaction) })
  const target = redirectTarget(exchange)
  const leaves = target !== undefined && new URL(target).pathname === new URL(url).pathname
  return new URL(leaves ? target : url)
}

/** @returns the address of the answer */
async function answerTo(url: string, send: Send, user: KnownUser, allowed?: string): Promise<string> {
  const request = await loginAddress(url, send)
  if (allowed !== undefined) request.searchParams.set('scope', allowed)
  const redirectUri = request.searchParams.get('redirect_uri') ?? ''
  if (redirectUri !== '' && parseLoopback(redirectUri) === undefined) {
    throw new ProbeFailure(
      `Your client wants its answer at ${redirectUri}; the probe only answers on this computer.`,
    )
  }
  try {
    const signal = AbortSignal.timeout(WAIT.address)
    const landed = await openRequest(request, { send, user, signal })
    if (landed !== undefined) return landed
  } catch (error) {
    if (!(error instanceof OAuthError) && !(error instanceof UserError)) throw error
    throw new ProbeFailure(`The server refused the request of your client: ${error.message}`)
  }
  throw new ProbeFailure('The login at the server did not end with an answer for your client.')
}

/** To its address, else to its stdin. @returns the status of the page at the address */
async function deliver(address: URL, client: ClientProcess, send: Send): Promise<number | undefined> {
  if (address.port !== '') {
    const status = await send(get(address.href), { signal: AbortSignal.timeout(WAIT.reaction) }).then(
      ({ response }) => response?.status,
      () => undefined,
    )
    if (status !== undefined) return status
  }
  client.answer(address.href)
  return undefined
}

/** @throws ProbeFailure for a client that prints no address */
async function printedAddress(client: ClientProcess, issuers: readonly string[]): Promise<string> {
  const url = await client.address(issuers, WAIT.address)
  if (url !== undefined) return url
  const said = client.lastLine()
  const end = said === '' ? 'It wrote nothing.' : `It wrote: ${said.slice(0, 200)}`
  throw new ProbeFailure(`Your client printed no address of ${issuers[0]} to open. ${end}`)
}

/** Runs at the servers of a probe. */
function runner(probe: ProbeName, lab: ProbeLab, options: ProbeOptions) {
  const plan = PLANS[probe]
  const { server, other, send, victim } = lab
  const registered = plan.client?.(options.client) ?? options.client
  const { user } = options
  const watch = watchClient(new Set([server, other]))
  let earlier: URL | undefined

  async function runWith(run: RunPlan, client: ClientProcess, issuers: readonly string[]): Promise<ProbeRun> {
    const { wrong } = run
    const [issuer = server.url] = issuers
    let change: (members: Members) => Members | Promise<Members> = members => members
    const { hide, layer: named } = hiding(lab)
    const dishonest = run.layer?.(server.url) ?? pass
    const lies = changing(isToken, members => change(members))
    watch.lay(at => (at.url === issuer ? layered(named, layered(dishonest, lies)) : pass))
    const printed = await printedAddress(client, issuers).catch(error => {
      // A client may refuse metadata, or a missing secret, before it prints anything.
      if (wrong === undefined || (run.layer ?? run.env) === undefined) throw error
    })
    if (printed === undefined)
      return {
        finished: false,
        expected: issuer,
        received: run.received ?? server.url,
        ...defined({ wrong }),
      }

    const request = new URL(printed)
    const scene: Scene = {
      issuer,
      other: other.url,
      client: registered,
      username: user.username,
      request,
      earlier,
      hide,
      logIn: login => lab.logIn(login, request.searchParams.get('scope') ?? 'openid'),
      async codeFor(asked, who) {
        const landed = new URL(await answerTo(asked.href, send, who === 'same' ? user : victim))
        return landed.searchParams.get('code') ?? ''
      },
    }
    const right = new URL(await answerTo(printed, send, user, run.allowed))
    const answer = (await run.answer?.(right, scene)) ?? right
    change = (await run.tokens?.(scene)) ?? change
    watch.begin()
    const status = await deliver(answer, client, send)
    await watch.reaction(client, plan.finishes, status !== undefined, WAIT.reaction)
    earlier = request
    const observed = watch.observed(client, status)
    const finished = (run.finished ?? plan.finished)(observed, wrong !== undefined, scene)
    const [expected, received] = plan.values({ scene, answer, observed, run, ...watch.answers() })
    return { finished, expected, received, ...defined({ wrong }) }
  }

  return {
    plan,
    end: watch.end,
    async run(run: RunPlan): Promise<ProbeRun> {
      const issuers = run.asksOther ? [other.url, server.url] : [server.url]
      const env = { ...clientEnv(server.lab, issuers[0] ?? '', registered), ...run.env }
      const client = startClient(options.command, { env, cwd: options.folder })
      try {
        return await runWith(run, client, issuers)
      } finally {
        await client.stop()
      }
    },
  }
}

/** Runs the learner's client at honest and at lying servers, three times each, in an order that it cannot know. */
export async function runProbe(probe: ProbeName, options: ProbeOptions): Promise<ProbeReport> {
  const { two = false, client } = PLANS[probe]
  const lab = await startProbeLab({ ...options, two, client: client?.(options.client) ?? options.client })
  const { plan, run, end } = runner(probe, lab, options)
  const runs: ProbeRun[] = []
  try {
    const order = shuffledRuns(plan.runs, below => randomInt(below))
    for (const [i, each] of order.entries()) {
      options.begin?.(i + 1, order.length)
      runs.push(await run(each))
    }
    return { probe, runs }
  } catch (error) {
    if (error instanceof ProbeFailure) return { probe, runs, failed: error.message }
    throw error
  } finally {
    end()
    await lab.stop()
  }
}
