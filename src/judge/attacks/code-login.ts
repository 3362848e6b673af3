import type { Step, StepName } from '../../flows/step.js'
import type { Exchange } from '../../protocol/http/exchange.js'
import type { HeaderList } from '../../protocol/http/message.js'
import { codeChallenge } from '../../protocol/oauth/pkce.js'
import { authorizationUrl, authorize, grantRequest, parameterOf, type Walker } from './moves.js'
import type { Scene } from './scene.js'

/** A public client of the built-in lab. */
export const PUBLIC_CLIENT = 'demo-native'

/** A login by the code flow with PKCE, in an application of the person. */
export interface CodeLogin extends Omit<Walker, 'names'> {
  /** Step names: of the request, of the forms, of the token request. */
  readonly names: readonly [request: StepName, form: StepName, tokens: StepName]
  readonly scope: string
  /** Further parameters of both requests. */
  readonly more?: Readonly<Record<string, string>>
  /** Further headers of the token request. */
  readonly headers?: HeaderList
}

/** Logs a person in for the public client, and redeems the code. Returns the answer of the token endpoint, or the page that ended the login. */
export async function* logInByCode(
  scene: Scene,
  { names: [request, form, tokens], scope, more = {}, headers = [], ...walker }: CodeLogin,
): AsyncGenerator<Step, Exchange, void> {
  const verifier = Buffer.from(scene.random(32)).toString('base64url')
  const url = authorizationUrl(scene, {
    ...{ response_type: 'code', client_id: PUBLIC_CLIENT, redirect_uri: scene.callback, scope },
    ...{ state: Buffer.from(scene.random(16)).toString('base64url'), ...more },
    ...{ code_challenge: codeChallenge(verifier), code_challenge_method: 'S256' },
  })
  const { target, exchange } = yield* authorize(scene, url, { ...walker, names: [request, form] })
  const code = target === undefined ? undefined : parameterOf(target, 'code')
  if (code === undefined) return exchange
  const redemption = { code, redirect_uri: scene.callback, code_verifier: verifier, ...more }
  const trade = grantRequest(scene, PUBLIC_CLIENT, 'authorization_code', redemption)
  const answer = await walker.browser.send({ ...trade, headers: [...trade.headers, ...headers] })
  yield scene.step(tokens, { exchange: answer })
  return answer
}
