import type { Client } from '../../../protocol/oauth/client.js'
import { tokenHash } from '../../../protocol/tokens/verify.js'
import { defined } from '../../../protocol/values.js'
import type { Publish } from '../events.js'
import type { Login } from '../model.js'
import type { Subjects } from '../pairwise/subjects.js'
import type { AuthorizationServerPorts, AuthorizationServerSettings } from '../settings.js'
import type { ClaimSources } from './claim-sources.js'
import type { ClientResponses } from './client-responses.js'

/** The parts that make id_tokens. */
export interface IdTokenParts {
  readonly settings: Pick<AuthorizationServerSettings, 'issuer' | 'lifetimes'>
  readonly ports: Pick<AuthorizationServerPorts, 'now'>
  readonly responses: ClientResponses
  readonly claimSources: Pick<ClaimSources, 'move'>
  readonly subjects: Subjects
}

/** The content of an id_token: a user and a login. */
export interface Identity {
  /** The username. */
  readonly subject: string
  readonly login: Login
  /** The access token of the same response, for at_hash. */
  readonly accessToken?: string
  /** The code of the same response, for c_hash (OpenID Connect Core §3.3.2.11). */
  readonly code?: string
  /** Claims of the user, for a response without an access token for /userinfo (OpenID Connect Core §5.4). */
  readonly claims?: Readonly<Record<string, unknown>>
}

/**
 * Signs an id_token for a client, and encrypts it where the client is registered for that.
 * @throws OAuthError `invalid_request` when the client has no key to encrypt to
 */
export type SignIdToken = (client: Client, identity: Identity, publish: Publish) => Promise<string>

/** NumericDates are seconds (RFC 7519 §2). */
const seconds = (milliseconds: number) => Math.floor(milliseconds / 1000)

/** Makes the function that signs id_tokens (OpenID Connect Core §2). */
export function createIdTokens({
  settings,
  ports,
  responses,
  subjects,
  claimSources,
}: IdTokenParts): SignIdToken {
  return async (client, { subject, login, accessToken, code, claims }, publish) => {
    const iat = seconds(ports.now())
    const { alg } = await responses.keyFor(client, 'id_token')
    const said = defined({
      ...(await claimSources.move(subject, claims ?? {})),
      iss: settings.issuer,
      sub: await subjects.subFor(client, subject),
      aud: client.client_id,
      exp: iat + seconds(settings.lifetimes.accessToken),
      iat,
      auth_time: seconds(login.loginAt),
      acr: login.acr,
      amr: login.amr,
      nonce: login.nonce,
      sid: login.session && (await subjects.sidFor(client, login.session.sid)),
      at_hash: accessToken && tokenHash(accessToken, alg),
      c_hash: code && tokenHash(code, alg),
    })
    return responses.protect(said, { client, kind: 'id_token', publish })
  }
}
