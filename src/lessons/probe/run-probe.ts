import { randomInt } from 'node:crypto'
import { createHeadlessAgent } from '../../client/headless.js'
import { answerOnce, type KnownUser } from '../../client/known-login.js'
import { createTransport } from '../../client/transport.js'
import { UserError } from '../../errors.js'
import type { Send } from '../../http/exchange.js'
import type { LabConfig } from '../../lab/config.js'
import type { Lab } from '../../lab/model.js'
import type { Client } from '../../oauth/client.js'
import { OAuthError } from '../../oauth/oauth-error.js'
import { parseLoopback } from '../../oauth/redirect-uri.js'
import type { ProbeName, ProbeReport, ProbeRun } from '../model.js'
import { type ClientProcess, startClient } from './client-process.js'
import { type Lie, lied, shuffledRuns } from './lies.js'

/**
 * The waits of a run, in milliseconds: for the address to open, and for the client's reaction to the answer. The first run
 * of a compiled language is long: Go builds its own library first.
 */
const WAIT = { address: 120_000, reaction: 5000 }

/** A probe of a client. */
export interface ProbeOptions {
  /** The program of the client and its arguments. */
  readonly command: readonly string[]
  /** The folder in which it runs. */
  readonly folder: string
  /** The state folder, for the CA. */
  readonly home: string
  readonly config: LabConfig
  readonly client: Client
  readonly user: KnownUser
  /** Called before each run, with its number and how many there are. */
  readonly begin?: (run: number, of: number) => void
}

/** The reason why a client cannot be probed. */
class ProbeFailure extends Error {}

/** The environment of the client: the server, its own credentials, and the CA by the names that programs read. */
function clientEnv(lab: Lab, client: Client): NodeJS.ProcessEnv {
  const { caFile } = lab
  return {
    ...process.env,
    ISSUER: lab.urls.authorization,
    CLIENT_ID: client.client_id,
    CLIENT_SECRET: client.client_secret ?? '',
    CA: caFile,
    NODE_EXTRA_CA_CERTS: caFile,
    SSL_CERT_FILE: caFile,
    CURL_CA_BUNDLE: caFile,
    REQUESTS_CA_BUNDLE: caFile,
  }
}

/** Logs the user in at the address that the client printed. @returns the address of the answer */
async function answerTo(url: string, send: Send, { user }: ProbeOptions): Promise<string> {
  const request = new URL(url)
  const of = (name: string) => request.searchParams.get(name) ?? ''
  const redirectUri = of('redirect_uri')
  if (redirectUri !== '' && parseLoopback(redirectUri) === undefined) {
    throw new ProbeFailure(
      `Your client wants its answer at ${redirectUri}; the probe only answers on this computer.`,
    )
  }
  const agent = createHeadlessAgent({ send, askLogin: answerOnce(user) })
  const errand = {
    request: {
      url,
      endpoint: `${request.origin}${request.pathname}`,
      issuer: request.origin,
      responseType: 'code',
      clientId: of('client_id'),
      redirectUri: redirectUri || 'http://127.0.0.1/callback',
      state: of('state'),
      issPromised: true,
    },
    signal: AbortSignal.timeout(WAIT.address),
  }
  try {
    for await (const { landed } of agent.authorize(errand)) if (landed !== undefined) return landed
  } catch (error) {
    if (!(error instanceof OAuthError) && !(error instanceof UserError)) throw error
    throw new ProbeFailure(`The server refused the request of your client: ${error.message}`)
  }
  throw new ProbeFailure('The login at the server did not end with an answer for your client.')
}

/** Brings the answer to the client: where it listens, else on its stdin. */
async function deliver(address: string, client: ClientProcess, send: Send): Promise<void> {
  if (new URL(address).port !== '') {
    const request = {
      method: 'GET',
      url: address,
      headers: [['accept', 'text/html'] as const],
      body: new Uint8Array(),
    }
    const visited = await send(request, { signal: AbortSignal.timeout(WAIT.reaction) }).then(
      ({ response }) => response !== undefined,
      () => false,
    )
    if (visited) return
  }
  client.answer(address)
}

/** Waits until a condition holds, or until the time is over. */
async function waitFor(holds: () => boolean, ms: number): Promise<void> {
  const end = performance.now() + ms
  while (!holds() && performance.now() < end) await new Promise(resolve => setTimeout(resolve, 20))
}

/**
 * Runs the learner's client six times at a lab of its own: three times the server answers rightly, three times it lies
 * about one member, in an order that the client cannot know.
 */
export async function runProbe(probe: ProbeName, options: ProbeOptions): Promise<ProbeReport> {
  const { startLab } = await import('../../lab/lab.js')
  const { config, home, client: registered } = options
  const lab = await startLab({ config: { ...config, weak: [] }, home, ports: { authorization: 0 } })
  const transport = createTransport({ caPem: lab.caPem })
  let redeemed = false
  let tried = false
  lab.events.subscribe(({ type }) => {
    if (type === 'code.redeemed') redeemed = true
    if (type === 'code.redeemed' || type === 'token.refused') tried = true
  })
  let earlier = ''

  async function oneRun(lie: Lie | undefined): Promise<ProbeRun> {
    const client = startClient(options.command, { env: clientEnv(lab, registered), cwd: options.folder })
    try {
      const url = await client.address(lab.urls.authorization, WAIT.address)
      if (url === undefined) {
        const said = client.lastLine()
        const end = said === '' ? 'It wrote nothing.' : `It wrote: ${said.slice(0, 200)}`
        throw new ProbeFailure(`Your client printed no address of ${lab.urls.authorization} to open. ${end}`)
      }
      const answer = await answerTo(url, transport.send, options)
      const sent = new URL(url).searchParams.get('state') ?? ''
      const right = probe === 'state' ? sent : lab.urls.authorization
      const value = lie ? lie.value(right, earlier) : undefined
      const told = lie ? lied(answer, probe, value) : answer
      redeemed = false
      tried = false
      await deliver(told, client, transport.send)
      await waitFor(() => tried || client.ended(), WAIT.reaction)
      earlier = right
      const received = new URL(told).searchParams.get(probe) ?? ''
      const run = { finished: lie ? tried : redeemed, expected: right, received }
      return lie ? { ...run, wrong: lie.name } : run
    } finally {
      await client.stop()
    }
  }

  const runs: ProbeRun[] = []
  try {
    const order = shuffledRuns(probe, below => randomInt(below))
    for (const [i, lie] of order.entries()) {
      options.begin?.(i + 1, order.length)
      runs.push(await oneRun(lie))
    }
    return { probe, runs }
  } catch (error) {
    if (error instanceof ProbeFailure) return { probe, runs, failed: error.message }
    throw error
  } finally {
    transport.close()
    await lab.stop()
  }
}
