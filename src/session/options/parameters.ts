import { UsageError } from '../../protocol/errors.js'
import type { FormPairs } from '../../protocol/http/form.js'

/** Parameters that people add to the requests of a flow. */
export interface RequestParameters {
  readonly authorization: FormPairs
  readonly token: FormPairs
}

/** The parameters that a flow sends by itself, each with the option that changes it. */
const ownAuthorization: ReadonlyMap<string, string> = new Map([
  ['response_type', 'choose the flow: flow code, flow implicit'],
  ['response_mode', 'the client reads the answer where the response type puts it'],
  ['client_id', '--client or --client-id'],
  ['redirect_uri', '--redirect-uri'],
  ['scope', '--scope'],
  ['state', 'it is made for every request'],
  ['nonce', 'it is made for every request'],
  ['code_challenge', '--no-pkce leaves it out'],
  ['code_challenge_method', '--no-pkce leaves it out'],
  ['request', '--request-object signed makes one'],
  ['request_uri', '--par pushes the request'],
  ['dpop_jkt', '--dpop'],
])

/** The same of a backchannel authentication request (OpenID Connect CIBA Core §7.1). */
const ownBackchannel: ReadonlyMap<string, string> = new Map([
  ['client_id', '--client or --client-id'],
  ['scope', '--scope'],
  ['login_hint', '--login-hint'],
  ['id_token_hint', '--id-token-hint'],
  ['binding_message', '--binding-message'],
  ['requested_expiry', '--requested-expiry'],
  ['client_notification_token', 'it is made for every request'],
])

const ownToken: ReadonlyMap<string, string> = new Map([
  ['grant_type', 'choose the flow'],
  ['code', 'it is what the server answered'],
  ['redirect_uri', '--redirect-uri'],
  ['code_verifier', '--no-pkce leaves it out'],
  ['client_id', '--client or --client-id'],
  ['client_secret', '--client-secret-file or --client-secret-stdin'],
  ['client_assertion', '--auth private_key_jwt --client-key FILE'],
  ['client_assertion_type', '--auth private_key_jwt --client-key FILE'],
  ['refresh_token', 'it is what the server answered'],
  ['device_code', 'it is what the server answered'],
  ['auth_req_id', 'it is what the server answered'],
  ['username', '--user'],
  ['password', '--user NAME:PASSWORD or --password-stdin'],
  ['scope', '--scope'],
])

function parse(text: string): { place: keyof RequestParameters; name: string; value: string } {
  const [, prefix = '', name = '', value = ''] = /^(token:)?([^=]*)=(.*)$/s.exec(text) ?? []
  if (name.trim() === '') {
    throw new UsageError(`--param ${text} is not NAME=VALUE`, [
      'Write NAME=VALUE for the authorization request, token:NAME=VALUE for the token request',
    ])
  }
  return { place: prefix === '' ? 'authorization' : 'token', name, value }
}

/**
 * Reads `--param` values. A parameter is added, never replaced: no flow sends one twice (RFC 6749 §3.1, §3.2).
 * @param flow.hasAuthorizationRequest false for a flow that has a token request alone
 * @param flow.isBackchannel true where a backchannel authentication request takes its place
 * @throws UsageError
 */
export function requestParameters(
  texts: readonly string[],
  flow: { readonly hasAuthorizationRequest: boolean; readonly isBackchannel?: boolean },
): RequestParameters {
  const read: { authorization: [string, string][]; token: [string, string][] } = {
    authorization: [],
    token: [],
  }
  for (const text of texts) {
    const { place, name, value } = parse(text)
    const how = (place === 'token' ? ownToken : flow.isBackchannel ? ownBackchannel : ownAuthorization).get(
      name,
    )
    if (how !== undefined) {
      throw new UsageError(`--param ${text.split('=', 1)[0]}: the flow itself sets ${name}`, [how])
    }
    if (place === 'authorization' && !flow.hasAuthorizationRequest && !flow.isBackchannel) {
      throw new UsageError(`--param ${name}: this flow has no authorization request`, [
        `For its token request:  --param token:${text}`,
      ])
    }
    if (read[place].some(([each]) => each === name)) {
      throw new UsageError(`--param ${name} is given twice; a parameter is sent once (RFC 6749 §3.1)`)
    }
    read[place].push([name, value])
  }
  return read
}
