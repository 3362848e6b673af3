import { cut } from '../../events/outside-text.js'
import { verifierMatches, verifierProblem } from '../../oauth/pkce.js'
import { formatScope } from '../../oauth/scope.js'
import type { Publish } from '../events.js'
import { narrowedResources } from '../parameters/resources.js'
import type { CodeRecord, CodeState, Codes } from '../stores/codes.js'
import type { IssuedTokens } from '../stores/issued-tokens.js'
import type { RefreshTokens } from '../stores/refresh-tokens.js'
import type { Grant } from './grant.js'
import { invalidGrant, required } from './refusals.js'

/** What the grant works with. */
export interface AuthorizationCodeParts {
  readonly codes: Codes
  readonly issuedTokens: IssuedTokens
  readonly refreshTokens: RefreshTokens
}

/** The authorization code grant (RFC 6749 §4.1.3, RFC 7636 §4.6). */
export function authorizationCodeGrant(parts: AuthorizationCodeParts): Grant {
  const { codes, issuedTokens, refreshTokens } = parts

  function replayed(
    code: string,
    { client_id, username, family }: CodeState & { state: 'redeemed' },
    publish: Publish,
  ) {
    const rule = 'RFC 6749 §4.1.2'
    publish({ type: 'code.replayed', client_id, username, code: cut(code), rule })
    for (const jti of issuedTokens.revokeFamily(family)) {
      publish({ type: 'token.revoked', client_id, username, jti, reason: 'its code was replayed' })
    }
    return invalidGrant('the code was redeemed before; what was issued for it is revoked', rule, seen(code))
  }

  return {
    grantType: 'authorization_code',
    parameters: ['code', 'redirect_uri', 'code_verifier'],
    // No await between the look-up and the redemption: of parallel attempts only the first finds the code issued.
    async redeem(client, parameters, context) {
      const rule = 'RFC 6749 §4.1.3'
      const { redirect_uri: redirectUri, code_verifier: verifier } = parameters
      const code = required(parameters.code, 'code', rule)
      const found = codes.find(code)
      if (found === undefined) throw invalidGrant('the code is unknown or expired', rule, seen(code))
      const issuedTo = found.state === 'issued' ? found.record.client_id : found.client_id
      if (issuedTo !== client.client_id) {
        throw invalidGrant('the code was issued to another client', rule, seen(code))
      }
      if (found.state === 'redeemed') throw replayed(code, found, context.publish)
      const { record } = found
      if (codes.hasExpired(record)) throw invalidGrant('the code is unknown or expired', rule, seen(code))
      checkRedirectUri(record, redirectUri)
      checkVerifier(record, verifier)
      checkKey(record, context.jkt)
      const resources = narrowedResources(context.resources, record.resources)
      const family = issuedTokens.family()
      codes.redeem(code, record, family)
      const { username, scope, nonce, loginAt } = record
      context.publish({
        type: 'code.redeemed',
        client_id: client.client_id,
        username,
        code: cut(code),
        scope: formatScope(scope),
      })
      const { jkt } = context
      const key = jkt === undefined ? {} : { jkt }
      const refreshToken = refreshTokens.issueFor(client, {
        ...{ client_id: client.client_id, username, scope, resources: record.resources, loginAt, family },
        ...key,
      })
      return {
        ...{ subject: username, scope, resources, family, ...key },
        login: { at: loginAt, ...(nonce === undefined ? {} : { nonce }) },
        ...(refreshToken === undefined ? {} : { refreshToken }),
      }
    },
  }
}

const seen = (code: string) => `code ${cut(code)}`

/** Identical, as a string, when the authorization request named it. */
function checkRedirectUri(record: CodeRecord, sent: string | undefined): void {
  const rule = 'RFC 6749 §4.1.3'
  if (sent === undefined && record.redirectUriSent) {
    throw invalidGrant('redirect_uri is missing; the authorization request had one', rule)
  }
  if (sent !== undefined && sent !== record.redirect_uri) {
    throw invalidGrant('redirect_uri is not the one of the authorization request', rule)
  }
}

/** The key that the authorization request named must redeem the code (RFC 9449 §10). */
function checkKey({ dpopJkt }: CodeRecord, jkt: string | undefined): void {
  if (dpopJkt === undefined || dpopJkt === jkt) return
  const rule = 'RFC 9449 §10'
  throw jkt === undefined
    ? invalidGrant('the authorization request had dpop_jkt; a DPoP proof is missing', rule)
    : invalidGrant('the key of the DPoP proof is not the dpop_jkt of the authorization request', rule)
}

function checkVerifier({ challenge }: CodeRecord, verifier: string | undefined): void {
  const rule = 'RFC 7636 §4.6'
  if (challenge === undefined) {
    if (verifier === undefined) return
    // Else an attacker could strip the challenge from the request and nobody would notice.
    throw invalidGrant(
      'code_verifier is sent, but the authorization request had no code_challenge',
      'RFC 9700 §2.1.1',
    )
  }
  if (verifier === undefined) throw invalidGrant('code_verifier is missing', rule)
  const problem = verifierProblem(verifier)
  if (problem !== undefined) throw invalidGrant(problem, 'RFC 7636 §4.1')
  if (!verifierMatches(verifier, challenge.value, challenge.method)) {
    throw invalidGrant('code_verifier does not belong to the code_challenge', rule)
  }
}
