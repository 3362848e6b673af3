import { createCookieJar } from '../../../client/cookies.js'
import { createHeadlessAgent } from '../../../client/headless.js'
import { answerOnce, type KnownUser } from '../../../client/known-login.js'
import { UserError } from '../../../protocol/errors.js'
import { isUrl } from '../../../protocol/http/address.js'
import type { Exchange, Send } from '../../../protocol/http/exchange.js'
import { header } from '../../../protocol/http/message.js'
import { OAuthError } from '../../../protocol/oauth/oauth-error.js'

/** Most redirects that a visitor follows within the client. */
const MOST_REDIRECTS = 5

/** Longest wait for an answer of the client, in milliseconds. */
const WAIT = 8000

/** The places of a run: the client under test and its server. */
export interface Places {
  readonly send: Send
  /** Base URL of the client, without a slash at its end. */
  readonly client: string
  readonly issuer: string
  readonly user: KnownUser
}

/** A browser of a person who visits the client. It follows redirects within the client alone. */
export interface Visitor {
  /** Every address that the client sent this browser to, and that it opened at the client. */
  readonly addresses: readonly string[]
  /** Opens an address of the client. @returns the last answer; undefined when none came */
  open(address: string): Promise<Exchange | undefined>
  /** Begins a login. @returns the authorization request; undefined when the client made none */
  begin(next?: string): Promise<URL | undefined>
  /** Logs in at the server. @returns the address of the answer; undefined when the server refused the request */
  logIn(request: URL): Promise<URL | undefined>
  /** The page of the notes, when the client shows it; undefined for anybody it does not know. */
  notes(): Promise<string | undefined>
}

/** The address that an answer leads to, completed as browsers do; undefined without one. */
function targetOf({ request, response }: Exchange): string | undefined {
  if (response === undefined || response.status < 300 || response.status > 399) return undefined
  const location = header(response, 'location')
  return location !== undefined && isUrl(location, request.url)
    ? new URL(location, request.url).href
    : undefined
}

/** Makes a browser without cookies. */
export function createVisitor({ send, client, issuer, user }: Places): Visitor {
  const jar = createCookieJar()
  const addresses: string[] = []
  let left: string | undefined

  async function visit(address: string): Promise<Exchange | undefined> {
    addresses.push(address)
    const headers = [['accept', 'text/html'] as const, ...jar.header(address)]
    const request = { method: 'GET', url: address, headers, body: new Uint8Array() }
    const exchange = await send(request, { signal: AbortSignal.timeout(WAIT) }).catch(() => undefined)
    if (exchange?.response) jar.store(address, exchange.response)
    return exchange
  }

  async function open(address: string): Promise<Exchange | undefined> {
    left = undefined
    let exchange = await visit(address)
    for (let i = 0; i < MOST_REDIRECTS; i++) {
      const target = exchange && targetOf(exchange)
      if (target === undefined) return exchange
      if (new URL(target).origin !== client) {
        left = target
        addresses.push(target)
        return exchange
      }
      exchange = await visit(target)
    }
    return exchange
  }

  return {
    addresses,
    open,
    async begin(next = '/notes') {
      await open(`${client}/login?next=${encodeURIComponent(next)}`)
      return left?.startsWith(`${issuer}/`) ? new URL(left) : undefined
    },
    async logIn(request) {
      const of = (name: string) => request.searchParams.get(name) ?? ''
      const agent = createHeadlessAgent({ send, askLogin: answerOnce(user) })
      const task = {
        request: {
          url: request.href,
          endpoint: `${request.origin}${request.pathname}`,
          issuer,
          responseType: 'code',
          clientId: of('client_id'),
          redirectUri: of('redirect_uri'),
          state: of('state'),
          issPromised: true,
        },
        signal: AbortSignal.timeout(WAIT),
      }
      try {
        for await (const { landed } of agent.authorize(task)) if (landed !== undefined) return new URL(landed)
      } catch (error) {
        if (!(error instanceof OAuthError) && !(error instanceof UserError)) throw error
      }
      return undefined
    },
    async notes() {
      const exchange = await open(`${client}/notes`)
      const { response } = exchange ?? {}
      return response?.status === 200 ? response.body : undefined
    },
  }
}
