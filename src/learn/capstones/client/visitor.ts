import { createCookieJar } from '../../../client/cookies.js'
import { createHeadlessAgent } from '../../../client/headless.js'
import { answerOnce, type KnownUser } from '../../../client/known-login.js'
import { UserError } from '../../../protocol/errors.js'
import { isUrl } from '../../../protocol/http/address.js'
import type { Exchange, Send } from '../../../protocol/http/exchange.js'
import { header } from '../../../protocol/http/message.js'
import { OAuthError } from '../../../protocol/oauth/oauth-error.js'

const MOST_REDIRECTS = 5

/** Milliseconds. */
const WAIT = 8000

export interface Places {
  readonly send: Send
  /** No trailing slash. */
  readonly client: string
  readonly issuer: string
  readonly user: KnownUser
}

/** A person's browser. It follows redirects within the client alone. */
export interface Visitor {
  /** Every address that the client sent it to, or that it opened there. */
  readonly addresses: readonly string[]
  /** @returns the last answer; undefined when none came */
  open(address: string): Promise<Exchange | undefined>
  /** @returns the authorization request; undefined when the client made none */
  begin(next?: string): Promise<URL | undefined>
  /** @returns the address of the answer; undefined when the server refused the request */
  logIn(request: URL): Promise<URL | undefined>
  /** The page of the notes; undefined where the client does not show it. */
  notes(): Promise<string | undefined>
}

/** Completed as browsers do; undefined without an address. */
function targetOf({ request, response }: Exchange): string | undefined {
  if (response === undefined || response.status < 300 || response.status > 399) return undefined
  const location = header(response, 'location')
  return location !== undefined && isUrl(location, request.url)
    ? new URL(location, request.url).href
    : undefined
}

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
