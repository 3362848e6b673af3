import { createHeadlessAgent } from '../../client/headless.js'
import { answerOnce, type KnownUser } from '../../client/known-login.js'
import type { Send } from '../../protocol/http/exchange.js'
import { authorizationRequest } from '../../protocol/oauth/authorization-request.js'
import { authorizationResponse } from '../../protocol/oauth/authorization-response.js'
import type { Client } from '../../protocol/oauth/client.js'
import { tokenRequest, tokenResponse } from '../../protocol/oauth/token.js'
import { defined } from '../../protocol/values.js'
import type { OwnTokens } from './model.js'

export interface LoginPlan {
  readonly issuer: string
  readonly client: Client
  readonly user: KnownUser
  readonly scope: string
  readonly nonce?: string | undefined
  readonly random: (length: number) => Uint8Array
  readonly signal: AbortSignal
}

/** At the real server: every token is genuine. */
export async function logIn(send: Send, plan: LoginPlan): Promise<OwnTokens> {
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
