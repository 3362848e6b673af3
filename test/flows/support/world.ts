import { type Callback, createCallback } from '../../../src/client/callback.js'
import { createHeadlessVerifier } from '../../../src/client/device-headless.js'
import { createHeadlessAgent, type OneTimeCodeOf } from '../../../src/client/headless.js'
import type { AskLogin } from '../../../src/client/login.js'
import type { FlowOptions } from '../../../src/flows/options.js'
import type { AllPorts } from '../../../src/flows/ports.js'
import type { NewEvent } from '../../../src/protocol/events.js'
import type { Send } from '../../../src/protocol/http/exchange.js'
import type { HttpRequest, HttpResponse } from '../../../src/protocol/http/message.js'
import { bytes, splitUrl, text } from '../../../src/protocol/http/message.js'
import type { DetailTypes } from '../../../src/protocol/oauth/authorization-details.js'
import type { Client } from '../../../src/protocol/oauth/client.js'
import type { AuthorizationServerMetadata } from '../../../src/protocol/oauth/metadata.js'
import { fixedKeyring, generateSigningKeyPem, loadSigningKey } from '../../../src/protocol/tokens/keys.js'
import type { AssertionIssuer, User } from '../../../src/servers/authorization-server/model.js'
import { createAuthorizationServer } from '../../../src/servers/authorization-server/server.js'
import { createMacTokens } from '../../../src/servers/authorization-server/stores/mac-tokens.js'
import { createResourceServer } from '../../../src/servers/resource-server/server.js'
import { DEFAULT_ROUTES } from '../../../src/servers/resource-server/settings.js'
import { oneTimeCodes } from '../../../src/session/people/users.js'
import { type Ask, recordingSite } from '../../support/ask.js'
import { countedRandom, login, NOW, sendTo } from './network.js'

export { login, NOW, sendTo } from './network.js'
export { collect, expectRefused, outcomeIn, stepOf, stepsOf } from './records.js'

export const ISSUER = 'https://lab.test'
/** Origin of the resource server. */
export const RESOURCE = 'https://resource.test'
export const REDIRECT_URI = 'http://127.0.0.1:7000/callback'

export const signingKey = await loadSigningKey(await generateSigningKeyPem())

export const demo: Client = {
  client_id: 'demo',
  client_secret: 'demo-secret',
  redirect_uris: ['http://127.0.0.1/callback'],
  enabled: true,
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
  require_pkce: false,
  code_challenge_methods: ['S256'],
  token_profile: 'jwt',
}

const users: readonly User[] = [
  {
    username: 'alice',
    password: 'wonderland',
    totp_secret: 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ',
    claims: { name: 'Alice' },
  },
  { username: 'bob', password: 'builder', claims: { name: 'Bob' } },
]

/** Changes what a server answers: the honest answer in, the answer to give out. */
export type Tamper = (
  request: HttpRequest,
  answer: HttpResponse,
) => HttpResponse | Promise<HttpResponse | undefined> | undefined

export interface World {
  readonly ports: AllPorts
  readonly wanted: FlowOptions
  readonly callback: Callback
  readonly send: Send
  readonly events: NewEvent[]
  readonly controller: AbortController
}

/** A client, the real authorization server and a callback, joined without sockets. */
export async function world(
  options: {
    readonly scope?: string
    readonly askLogin?: AskLogin
    readonly oneTimeCode?: OneTimeCodeOf
    readonly askCode?: AskLogin
    readonly tamper?: Tamper
    readonly client?: Client
    /** Registered beside it. */
    readonly otherClients?: readonly Client[]
    readonly now?: () => number
    readonly assertionIssuers?: readonly AssertionIssuer[]
    readonly wanted?: Partial<FlowOptions>
    /** Resources that the server knows, beside the published resource server; absent: it knows every one. */
    readonly resources?: readonly string[]
    readonly detailTypes?: DetailTypes
    readonly dpopNonceRequired?: boolean
    /** Lets clients register themselves. */
    readonly registration?: boolean
  } = {},
): Promise<World> {
  const { scope, tamper, askLogin = login(['alice', 'wonderland']) } = options
  const events: NewEvent[] = []
  const random = countedRandom()
  let time = NOW
  const now = options.now ?? (() => time)
  const macTokens = createMacTokens({ lifetime: 3_600_000, now, random })
  const authorization = createAuthorizationServer(
    {
      issuer: ISSUER,
      stage: 'published-keys',
      profile: 'standard',
      faults: [],
      clients: [options.client ?? demo, ...(options.otherClients ?? [])],
      users,
      scopes: { openid: 'Know you', profile: 'Your name', 'records:read': 'Read records' },
      scopeClaims: {},
      defaultScope: 'records:read',
      lifetimes: { code: 600_000, accessToken: 3_600_000, refreshToken: 86_400_000, login: 3_600_000 },
      rateLimits: { login: 'off', passwordGrant: 'off', clientSecret: 'off' },
      responseTypeErrors: 'page',
      assertionIssuers: async () => options.assertionIssuers ?? [],
      dpopNonceRequired: options.dpopNonceRequired === true,
      resources: options.resources ?? 'any',
      ...(options.detailTypes && { detailTypes: options.detailTypes }),
      ...(options.registration && {
        registration: { mode: 'open', tokens: [], statementIssuers: [], rate: 'off' },
      }),
      protectedResources: () => (options.resources ? [RESOURCE] : []),
      introspectors: [],
    },
    { now, random, macTokens, keyring: fixedKeyring(signingKey) },
  )
  const server = recordingSite(authorization, events)
  const callback = createCallback(REDIRECT_URI)
  const resourceServer = createResourceServer(
    {
      baseUrl: RESOURCE,
      issuer: ISSUER,
      audiences: ['demo', RESOURCE],
      routes: DEFAULT_ROUTES,
      keys: { kind: 'discovery' },
    },
    {
      now,
      random,
      macKeys: macTokens.find,
      fetchJson: async url => {
        const { status, body } = await server.handle({ method: 'GET', url, headers: [], body: bytes('') })
        return { status, body: JSON.parse(text(body)) }
      },
    },
  )
  const resource = recordingSite(resourceServer, events)
  const tampered =
    (handle: Ask): Ask =>
    async request => {
      const answer = await handle(request)
      return (await tamper?.(request, answer)) ?? answer
    }
  const send = sendTo({
    [ISSUER]: tampered(server.handle),
    [RESOURCE]: tampered(resource.handle),
    [splitUrl(REDIRECT_URI).origin]: callback.handle,
  })
  const controller = new AbortController()
  const document = await send({
    method: 'GET',
    url: `${ISSUER}/.well-known/openid-configuration`,
    headers: [],
    body: new Uint8Array(),
  })
  const metadata = JSON.parse(document.response?.body ?? '') as AuthorizationServerMetadata
  return {
    ports: {
      send,
      userAgent: createHeadlessAgent({
        send,
        askLogin,
        callback,
        oneTimeCode: options.oneTimeCode ?? oneTimeCodes({ users, now }),
        askCode: options.askCode,
      }),
      deviceVerifier: createHeadlessVerifier({ send, askLogin }),
      askLogin,
      // Nobody waits in a test: the clock goes on by itself.
      wait: async ms => {
        time += ms
      },
      now,
      random,
      signal: controller.signal,
    },
    wanted: {
      metadata,
      clientId: 'demo',
      clientSecret: 'demo-secret',
      auth: 'client_secret_basic',
      redirectUri: REDIRECT_URI,
      pkce: true,
      audience: 'demo',
      ...(scope !== undefined && { scope }),
      ...options.wanted,
    },
    callback,
    send,
    events,
    controller,
  }
}
