import { randomBytes } from 'node:crypto'
import { createHeadlessAgent } from '../../client/headless.js'
import { answerOnce, type KnownUser } from '../../client/known-login.js'
import { createTransport, type Transport } from '../../client/transport.js'
import { openAlgorithmKeyring } from '../../lab/keys/algorithm-keyring.js'
import type { LabConfig } from '../../lab/lab-file/config.js'
import type { Lab } from '../../lab/model.js'
import type { Send } from '../../protocol/http/exchange.js'
import { authorizationRequest } from '../../protocol/oauth/authorization-request.js'
import { authorizationResponse } from '../../protocol/oauth/authorization-response.js'
import type { Client } from '../../protocol/oauth/client.js'
import { tokenRequest, tokenResponse } from '../../protocol/oauth/token.js'
import { decodeJwt } from '../../protocol/tokens/decode.js'
import { signJwt } from '../../protocol/tokens/keys.js'
import { defined } from '../../protocol/values.js'
import { responseKey } from '../../servers/authorization-server/tokens/client-responses.js'
import { createFront, type Front } from './front.js'
import type { OwnLogin, OwnTokens } from './model.js'

interface LoginPlan {
  readonly issuer: string
  readonly client: Client
  readonly user: KnownUser
  readonly scope: string
  readonly nonce?: string | undefined
  readonly random: (length: number) => Uint8Array
  readonly signal: AbortSignal
}

/** At the real server: every token is genuine. */
async function logIn(send: Send, plan: LoginPlan): Promise<OwnTokens> {
  const { issuer, client, user, scope, nonce, random, signal } = plan
  const value = (length: number) => Buffer.from(random(length)).toString('base64url')
  const redirectUri = client.redirect_uris[0] ?? 'http://127.0.0.1/callback'
  const codeVerifier = value(32)
  const request = authorizationRequest(
    defined({
      endpoint: `${issuer}/authorization`,
      issuer,
      responseType: 'code',
      issPromised: true,
      clientId: client.client_id,
      redirectUri,
      scope,
      state: value(16),
      nonce,
      codeVerifier,
    }),
  )
  const agent = createHeadlessAgent({ send, askLogin: answerOnce(user) })
  let landed = ''
  for await (const visit of agent.authorize({ request, signal })) landed = visit.landed ?? landed
  const { code } = authorizationResponse(landed, request)
  const { client_secret: clientSecret, token_endpoint_auth_method: method } = client
  const auth =
    clientSecret === undefined
      ? 'none'
      : method === 'client_secret_post'
        ? 'client_secret_post'
        : 'client_secret_basic'
  const trade = tokenRequest(
    defined({
      endpoint: `${issuer}/token`,
      clientId: client.client_id,
      clientSecret,
      auth,
      grantType: 'authorization_code',
      parameters: [
        ['code', code],
        ['redirect_uri', redirectUri],
        ['code_verifier', codeVerifier],
      ] as const,
    }),
  )
  const { tokens } = tokenResponse(await send(trade, { signal }))
  return { access_token: tokens.access_token, id_token: tokens.id_token ?? '' }
}

const OTHER_CLIENT: Client = {
  client_id: 'free-quiz',
  client_name: 'Free quiz',
  redirect_uris: ['http://127.0.0.1/callback'],
  grant_types: ['authorization_code'],
  response_types: ['code'],
  enabled: true,
  require_pkce: true,
  code_challenge_methods: ['S256'],
  token_profile: 'jwt',
}

/** Milliseconds. */
const LOGIN_MS = 20_000

/** With a place in front of it where a layer may lie. */
export interface ProbedServer {
  readonly lab: Lab
  readonly front: Front
  readonly url: string
}

export interface ProbeLab {
  readonly server: ProbedServer
  /** The same one where the probe has only one server. */
  readonly other: ProbedServer
  readonly send: Transport['send']
  /** Without the client under test. */
  readonly logIn: (login: OwnLogin, scope: string) => Promise<OwnTokens>
  /** Somebody else. */
  readonly victim: KnownUser
  /** Changes claims of an ID token, and signs it by the key of its server. */
  readonly resign: (idToken: string, claims: Readonly<Record<string, unknown>>) => Promise<string>
  stop(): Promise<void>
}

export interface ProbeLabOptions {
  readonly config: LabConfig
  /** For the CA and the keys. */
  readonly home: string
  readonly client: Client
  readonly user: KnownUser
  /** Starts a second authorization server. */
  readonly two: boolean
}

/** On free ports. */
export async function startProbeLab(options: ProbeLabOptions): Promise<ProbeLab> {
  const { startLab } = await import('../../lab/lab.js')
  const { home, client, user, two } = options
  const victim = { username: 'a-victim', password: randomBytes(16).toString('base64url'), claims: {} }
  const config: LabConfig = {
    ...options.config,
    weak: [],
    clients: [
      ...options.config.clients.map(each => (each.client_id === client.client_id ? client : each)),
      OTHER_CLIENT,
    ],
    users: [...options.config.users, victim],
  }
  const start = async (): Promise<ProbedServer> => {
    const front = createFront()
    const lab = await startLab({ config, home, ports: { authorization: 0 }, around: front.wrap })
    return { lab, front, url: lab.urls.authorization }
  }
  const server = await start()
  const other = two ? await start() : server
  const transport = createTransport({ caPem: server.lab.caPem })
  const { stage, signingSecret, signingKeyFile, lifetimes } = config
  const keys = defined({ home, stage, signingSecret, signingKeyFile, tokenLifetime: lifetimes.accessToken })
  const keyring = await openAlgorithmKeyring({ ...keys, made: () => {}, rotated: () => {} })
  return {
    server,
    other,
    victim,
    send: transport.send,
    async resign(idToken, claims) {
      const key = await responseKey(keyring, client, client.id_token_signed_response_alg)
      return signJwt({ ...decodeJwt(idToken).claims, ...claims }, key)
    },
    logIn: ({ client: whose, user: who, nonce }, scope) =>
      logIn(transport.send, {
        issuer: server.url,
        scope,
        nonce,
        random: server.lab.random,
        client: whose === 'own' ? client : OTHER_CLIENT,
        user: who === 'same' ? user : victim,
        signal: AbortSignal.timeout(LOGIN_MS),
      }),
    async stop() {
      transport.close()
      await Promise.all([server.lab.stop(), ...(two ? [other.lab.stop()] : [])])
    },
  }
}
