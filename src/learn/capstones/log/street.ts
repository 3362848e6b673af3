import { createHeadlessAgent } from '../../../client/headless.js'
import { answerOnce } from '../../../client/known-login.js'
import { createTransport } from '../../../client/transport.js'
import { startLab } from '../../../lab/lab.js'
import { type LabConfig, loadLabConfig } from '../../../lab/lab-file/config.js'
import { seededRandom } from '../../../lab/seeded-random.js'
import { memoryState } from '../../../lab/state/memory-state.js'
import { UserError } from '../../../protocol/errors.js'
import type { LabEvent } from '../../../protocol/events.js'
import type { Exchange } from '../../../protocol/http/exchange.js'
import { encodeForm } from '../../../protocol/http/form.js'
import { bytes, type HeaderList } from '../../../protocol/http/message.js'
import type { Client } from '../../../protocol/oauth/client.js'
import { OAuthError } from '../../../protocol/oauth/oauth-error.js'
import type { WeakName } from '../../../protocol/rules/weak-modes.js'
import { isJsonObject } from '../../../protocol/values.js'
import { toClient } from '../../../servers/authorization-server/client-rules/defaults.js'
import { movableClock } from '../../../session/targets/lab.js'

/** From the blocks for documentation (RFC 5737). */
export const ADDRESSES = {
  alice: '192.0.2.11',
  bob: '192.0.2.24',
  carol: '192.0.2.37',
  servers: '203.0.113.8',
} as const

/** A user of the lab like any other, with an application of their own. */
export const THIEF = { username: 'mallory', password: 'malice-and-more', client: 'mallory-app' } as const

/** Nobody listens there. */
export const CALLBACK = 'http://127.0.0.1/callback'

export type Fields = Readonly<Record<string, string>>

/** A lab in which people from many addresses do one thing after the other. */
export interface Street {
  readonly urls: { readonly authorization: string; readonly resource: string }
  /** `length` bytes that repeat with the seed. */
  readonly random: (length: number) => Uint8Array
  /** With the addresses of those who caused them. */
  readonly events: readonly LabEvent[]
  /** Sets the clock of the lab forward, in seconds. */
  wait(seconds: number): void
  /** Milliseconds since the epoch. */
  now(): number
  /** @returns the address of the answer; undefined when the server refused */
  authorize(from: string, username: string, fields: Fields): Promise<URL | undefined>
  /** A client with a secret sends it. @returns the members of the answer */
  token(
    from: string,
    client: string,
    fields: Fields,
    headers?: HeaderList,
  ): Promise<Readonly<Record<string, unknown>>>
  read(from: string, token: string, headers?: HeaderList): Promise<Exchange>
  stop(): Promise<void>
}

const SIGNAL_MS = 30_000

async function peopled(weak: readonly WeakName[]): Promise<LabConfig> {
  const loaded = await loadLabConfig(null)
  const { username, password, client } = THIEF
  const app = toClient({
    client_id: client,
    client_name: 'Application of Mallory',
    client_secret: 'mallory-secret-0123456789abcdef0123456',
    redirect_uris: [CALLBACK],
    grant_types: ['authorization_code'],
    response_types: ['code'],
    require_pkce: false,
  })
  return {
    ...loaded,
    weak,
    clients: [...loaded.clients, app],
    users: [...loaded.users, { username, password, claims: { name: 'Mallory' } }],
  }
}

function basic({ client_id: id, client_secret: secret }: Client): HeaderList {
  if (secret === undefined) return []
  return [['authorization', `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`]]
}

/** Its clock stands still between requests. */
export async function openStreet(
  seed: number,
  { weak, start }: { readonly weak: readonly WeakName[]; readonly start: number },
): Promise<Street> {
  const config = await peopled(weak)
  const clock = movableClock(() => start, true)
  const random = seededRandom(seed)
  const home = memoryState()
  const { now } = clock
  const lab = await startLab({ config, home, now, random, ports: { authorization: 0, resource: 0 } })
  const { urls, caPem } = lab
  const transport = createTransport({ caPem, now, env: {} })
  const events: LabEvent[] = []
  let address = ''
  lab.events.subscribe(event => {
    events.push({ ...event, remoteAddress: address })
  })

  const send = (url: string, more: { method?: string; headers?: HeaderList; body?: string }) =>
    transport.send(
      { method: 'GET', url, headers: [], ...more, body: bytes(more.body ?? '') },
      { signal: AbortSignal.timeout(SIGNAL_MS) },
    )

  return {
    urls: { authorization: urls.authorization, resource: urls.resource ?? '' },
    random,
    events,
    now,
    wait: seconds => clock.advance(seconds * 1000),
    async authorize(from, username, fields) {
      address = from
      const person = config.users.find(each => each.username === username)
      const query = encodeForm(Object.entries({ response_type: 'code', redirect_uri: CALLBACK, ...fields }))
      const endpoint = `${urls.authorization}/authorization`
      const request = {
        url: `${endpoint}?${query}`,
        endpoint,
        issuer: urls.authorization,
        responseType: 'code',
        clientId: fields.client_id ?? '',
        redirectUri: fields.redirect_uri ?? CALLBACK,
        state: fields.state ?? '',
        issPromised: true,
      }
      const askLogin = answerOnce({ username, password: person?.password ?? '' })
      const agent = createHeadlessAgent({ send: transport.send, askLogin })
      try {
        for await (const { landed } of agent.authorize({ request, signal: AbortSignal.timeout(SIGNAL_MS) })) {
          if (landed !== undefined) return new URL(landed)
        }
      } catch (error) {
        if (!(error instanceof OAuthError) && !(error instanceof UserError)) throw error
      }
      return undefined
    },
    async token(from, id, fields, headers = []) {
      address = from
      const client = config.clients.find(each => each.client_id === id)
      const credentials = client === undefined ? [] : basic(client)
      const body = encodeForm(
        Object.entries(credentials.length === 0 ? { client_id: id, ...fields } : fields),
      )
      const type = ['content-type', 'application/x-www-form-urlencoded'] as const
      const { response } = await send(`${urls.authorization}/token`, {
        method: 'POST',
        headers: [type, ...credentials, ...headers],
        body,
      })
      const answer: unknown = JSON.parse(response?.body ?? '{}')
      return isJsonObject(answer) ? answer : {}
    },
    read(from, token, headers = [['authorization', `Bearer ${token}`]]) {
      address = from
      return send(`${urls.resource}/resource`, { headers })
    },
    async stop() {
      transport.close()
      await lab.stop()
      home.remove()
    },
  }
}
