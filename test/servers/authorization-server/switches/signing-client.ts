import type { Header, HttpResponse } from '../../../../src/protocol/http/message.js'
import type { Client } from '../../../../src/protocol/oauth/client.js'
import { type DpopKey, generateDpopKey, makeDpopProof } from '../../../../src/protocol/tokens/dpop.js'
import type { AuthorizationServerSettings } from '../../../../src/servers/authorization-server/settings.js'
import { ecKey, makeJwt, type TestKey } from '../../../protocol/tokens/jwt-maker.js'
import {
  CHALLENGE,
  client,
  countedRandom,
  ISSUER,
  json,
  lab,
  landed,
  type Parameters,
  settings,
  VERIFIER,
} from '../support.js'

export const RETURN = 'https://bank.example/cb'
export const assertionKey = ecKey('bank')
export const [key, otherKey] = [await generateDpopKey(), await generateDpopKey()]

/** A client that authenticates by private_key_jwt. */
const bank = (more: Partial<Client> = {}): Client =>
  client('bank', {
    redirect_uris: [RETURN],
    jwks: { keys: [assertionKey.publicJwk] },
    token_endpoint_auth_method: 'private_key_jwt',
    ...more,
  })

/** Members of an assertion that replace those of a good one, and another signer. */
export interface AssertionChanges {
  readonly claims?: object
  readonly header?: object
  readonly by?: TestKey
}

const random = countedRandom()
let count = 0

/** A server with the client `bank`, and ways to send its requests. */
export function bankLab(more: Partial<Client> = {}, server: Partial<AuthorizationServerSettings> = {}) {
  const made = lab({ clients: [bank(more), ...settings.clients], ...server })
  const now = () => Math.floor(made.clock.now / 1000)
  function assertion({ claims = {}, header = {}, by = assertionKey }: AssertionChanges = {}): Parameters {
    const iat = now()
    const said = { iss: 'bank', sub: 'bank', aud: ISSUER, iat, exp: iat + 60, jti: `b${++count}`, ...claims }
    return {
      client_id: 'bank',
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      client_assertion: makeJwt(by, { kid: 'bank', ...header }, said),
    }
  }
  async function proof(path = '/token', by: DpopKey = key, ago = 0): Promise<Header> {
    const ports = { now: () => made.clock.now - ago, random }
    return ['dpop', await makeDpopProof(by, { method: 'POST', url: ISSUER + path }, ports)]
  }
  const request = (changes: Parameters = {}): Parameters => ({
    response_type: 'code',
    redirect_uri: RETURN,
    scope: 'openid records:read',
    state: 's',
    nonce: 'n',
    code_challenge: CHALLENGE,
    code_challenge_method: 'S256',
    ...changes,
  })
  const push = (changes: Parameters = {}, headers: readonly Header[] = [], by: AssertionChanges = {}) =>
    made.post('/par', { ...request(changes), ...assertion(by) }, headers)
  /** The parameters for the authorization endpoint of a pushed request. */
  const pushed = async (changes: Parameters = {}): Promise<Parameters> => ({
    client_id: 'bank',
    request_uri: String(json(await push(changes)).request_uri),
  })
  const code = async (changes: Parameters = {}): Promise<string> =>
    landed(await made.login(await pushed(changes))).code ?? ''
  const ask = (form: Parameters, headers: readonly Header[] = [], by: AssertionChanges = {}) =>
    made.token({ ...form, ...assertion(by) }, headers)
  const redeem = (issued: string, headers: readonly Header[] = [], by: AssertionChanges = {}) =>
    ask(
      { grant_type: 'authorization_code', code: issued, redirect_uri: RETURN, code_verifier: VERIFIER },
      headers,
      by,
    )
  const refresh = (token: unknown, headers: readonly Header[] = []): Promise<HttpResponse> =>
    ask({ grant_type: 'refresh_token', refresh_token: String(token) }, headers)
  /** The first answer of an authorization, bound to `key`. */
  const authorized = async () => json(await redeem(await code(), [await proof()]))
  return { ...made, assertion, proof, request, push, pushed, code, ask, redeem, refresh, authorized }
}
