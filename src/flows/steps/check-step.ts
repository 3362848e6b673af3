import type { TokenResponse } from '../../protocol/oauth/token.js'
import { defined } from '../../protocol/values.js'
import { readClaimSources } from '../answers/claim-sources.js'
import { grantedScope } from '../answers/granted-scope.js'
import { openEncrypted } from '../answers/open-encrypted.js'
import { readUserinfoAnswer } from '../answers/userinfo-answer.js'
import {
  type BesideIdToken,
  readKeys,
  type TokenExpectations,
  verifyBrowserIdToken,
  verifyTokens,
} from '../answers/verify-tokens.js'
import { asksForOpenId, type FlowOptions, isForUserinfo } from '../options.js'
import type { FlowPorts } from '../ports.js'
import type { StepName } from '../step.js'
import { get, type Steps, type Walk } from '../walk.js'
import { callResource, resourceRequest } from './resource-step.js'

/** Facts about the tokens that the options do not contain. */
export type Known = Pick<TokenExpectations, 'nonce' | 'fromBrowser' | 'demand'> & {
  /** True when `openid` promises an id_token. */
  readonly login: boolean
}

/**
 * Verifies tokens, and asks userinfo who logged in where `openid` was granted and the token is for it.
 * @returns the subject of the id_token; undefined without a verified id_token
 */
export async function* checkTokens(
  walk: Walk,
  ports: Pick<FlowPorts, 'now' | 'send' | 'signal'>,
  wanted: FlowOptions,
  tokens: TokenResponse,
  { login, ...known }: Known,
): Steps<string | undefined> {
  const {
    metadata,
    carriedKeys,
    audience,
    resourceIndicator,
    clientSecret,
    decryptionKey,
    registeredAlgorithms: registered,
    foreignAccessTokens = false,
  } = wanted
  const { now } = ports
  const openId = login && asksForOpenId(grantedScope(wanted.scope, tokens.scope))
  const exchange = metadata.jwks_uri === undefined ? undefined : await walk.send(get(metadata.jwks_uri))
  const keys = yield* walk.orRefused('keys_request', exchange, () => readKeys(exchange))
  const expected = defined({
    issuer: metadata.issuer,
    clientId: wanted.clientId,
    now: now(),
    openId,
    foreignAccessTokens,
    ...known,
    carriedKeys,
    audience,
    resource: resourceIndicator,
    clientSecret,
    idTokenAlgorithms: metadata.id_token_signing_alg_values_supported,
    registeredAlgorithm: registered?.idToken,
  })
  const opened = yield* walk.orRefused('keys_request', exchange, async () =>
    tokens.id_token === undefined
      ? tokens
      : { ...tokens, id_token: await openEncrypted(tokens.id_token, 'id_token', decryptionKey) },
  )
  const verdict = await verifyTokens(opened, keys, expected)
  yield walk.step('keys_request', defined({ exchange, ...verdict.shown }))
  if (verdict.refusal) throw verdict.refusal

  if (openId && metadata.userinfo_endpoint !== undefined && isForUserinfo(wanted)) {
    const answer = await walk.send(resourceRequest(metadata.userinfo_endpoint, tokens.access_token))
    const { claims, ...info } = yield* walk.orRefused('userinfo_request', answer, () =>
      readUserinfoAnswer(answer, {
        issuer: metadata.issuer,
        clientId: wanted.clientId,
        subject: verdict.subject,
        published: keys,
        carriedKeys,
        clientSecret,
        decryptionKey,
        algorithms: metadata.userinfo_signing_alg_values_supported,
        registeredAlgorithm: registered?.userinfo,
        now: now(),
      }),
    )
    yield walk.step('userinfo_request', { exchange: answer, ...info })
    yield* readClaimSources(walk, ports, claims, { options: wanted, published: keys })
  }
  return verdict.subject
}

/** An id_token that came through the browser, and what it must fit. */
type BrowserIdToken = Pick<TokenExpectations, 'nonce' | 'demand'> &
  BesideIdToken & { readonly name: StepName; readonly idToken: string }

/** Verifies an id_token that came through the browser (OpenID Connect Core §3.2.2.11, §3.3.2.12). */
export async function* checkBrowserIdToken(
  walk: Walk,
  { now }: Pick<FlowPorts, 'now'>,
  wanted: FlowOptions,
  { name, idToken, code, accessToken, ...known }: BrowserIdToken,
): Steps<void> {
  const { metadata, carriedKeys, clientId, clientSecret, decryptionKey } = wanted
  const exchange = metadata.jwks_uri === undefined ? undefined : await walk.send(get(metadata.jwks_uri))
  const published = yield* walk.orRefused(name, exchange, () => readKeys(exchange))
  const opened = yield* walk.orRefused(name, exchange, () =>
    openEncrypted(idToken, 'id_token', decryptionKey),
  )
  const { token, refusal } = await verifyBrowserIdToken(
    opened,
    { published, carriedKeys, clientSecret },
    defined({
      issuer: metadata.issuer,
      clientId,
      ...known,
      idTokenAlgorithms: metadata.id_token_signing_alg_values_supported,
      registeredAlgorithm: wanted.registeredAlgorithms?.idToken,
      now: now(),
    }),
    defined({ code, accessToken }),
  )
  const named = code === undefined ? '' : ', and the code is the one that it names'
  const note = refusal?.description ?? `the id_token is verified${named}`
  yield walk.step(name, defined({ exchange, token, note }))
  if (refusal !== undefined) throw refusal
}

/** Verifies new tokens, and presents the access token where a resource server is known. */
export async function* spendTokens(
  walk: Walk,
  ports: Pick<FlowPorts, 'now' | 'send' | 'signal'>,
  wanted: FlowOptions,
  tokens: TokenResponse,
  known: Known,
): Steps<TokenResponse> {
  yield* checkTokens(walk, ports, wanted, tokens, known)
  yield* callResource(walk, wanted, tokens.access_token)
  return tokens
}
