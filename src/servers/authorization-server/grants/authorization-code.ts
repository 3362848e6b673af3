import { cut } from '../../../protocol/events.js'
import type { Client } from '../../../protocol/oauth/client.js'
import { formatScope } from '../../../protocol/oauth/scope.js'
import { butReadAgain } from '../../../protocol/second-reading.js'
import type { Publish } from '../events.js'
import type { BaseParts } from '../parts.js'
import type { CodeRecord, RedeemedCode } from '../stores/codes.js'
import { type Grant, invalidGrant, required } from './grant.js'

const RULE = 'RFC 6749 §4.1.3'

/** The authorization code grant (RFC 6749 §4.1.3, RFC 7636 §4.6). */
export function authorizationCodeGrant(parts: BaseParts): Grant {
  const { defences, registry, codes, issuedTokens, refreshTokens } = parts

  function replayed(code: string, { client_id, username, family }: RedeemedCode, publish: Publish) {
    const rule = 'RFC 6749 §4.1.2'
    publish({ type: 'code.replayed', client_id, username, code: cut(code), rule })
    for (const jti of issuedTokens.revokeFamily(family)) {
      publish({ type: 'token.revoked', client_id, username, jti, reason: 'its code was replayed' })
    }
    return invalidGrant('the code was redeemed before; what was issued for it is revoked', rule, seen(code))
  }

  /** Returns the record of a code that this client may redeem now. @throws OAuthError `invalid_grant` */
  function redeemable(code: string, { client_id }: Client, publish: Publish): CodeRecord {
    const found = codes.find(code)
    if (found === undefined) {
      const other = refreshTokens.find(code)
        ? '; it is a refresh token: send it as refresh_token, with grant_type=refresh_token'
        : butReadAgain('code', code, each => codes.find(each) !== undefined)
      throw invalidGrant(`the code is unknown or expired${other}`, RULE, seen(code))
    }
    const issuedTo = found.state === 'issued' ? found.record.client_id : found.client_id
    if (!defences.isCodeOf(issuedTo, client_id))
      throw invalidGrant('the code was issued to another client', RULE, seen(code))
    if (found.state === 'redeemed') throw replayed(code, found, publish)
    const { record } = found
    if (codes.hasExpired(record)) throw invalidGrant('the code is unknown or expired', RULE, seen(code))
    if (registry.user(record.username) === undefined) {
      throw invalidGrant('there is no such user any more', RULE, seen(code))
    }
    return record
  }

  return {
    grantType: 'authorization_code',
    parameters: ['code', 'redirect_uri', 'code_verifier'],
    async decide(client, parameters, { publish }) {
      const code = required(parameters.code, 'code', RULE)
      const record = redeemable(code, client, publish)
      checkRedirectUri(record, parameters.redirect_uri)
      defences.checkVerifier(record, parameters.code_verifier)
      const { username, scope, nonce, session, resources, claims, details = [], dpopJkt } = record
      const { loginAt, acr, amr } = record
      return {
        subject: username,
        scope,
        login: { loginAt, acr, amr, nonce, session },
        claims,
        authorizedResources: resources,
        authorizedDetails: details,
        requiredKeys: dpopJkt === undefined ? [] : [{ of: 'dpop_jkt', jkt: dpopJkt }],
        redeem(entitlement) {
          // Another request may have redeemed the code since the first check.
          redeemable(code, client, publish)
          defences.spendCode(codes, code, record, entitlement.family)
          publish({
            type: 'code.redeemed',
            client_id: client.client_id,
            username,
            code: cut(code),
            scope: formatScope(scope),
          })
          // The refresh token covers all that was authorized, even when this access token gets less.
          return refreshTokens.issueFor({ ...entitlement, resources, details }, record)
        },
      }
    },
  }
}

const seen = (code: string) => `code ${cut(code)}`

/** Checks that redirect_uri is identical, as a string, to the one of the authorization request (RFC 6749 §4.1.3). */
function checkRedirectUri(record: CodeRecord, sent: string | undefined): void {
  if (sent === undefined && record.redirectUriSent) {
    throw invalidGrant('redirect_uri is missing; the authorization request had one', RULE)
  }
  if (sent !== undefined && sent !== record.redirect_uri) {
    throw invalidGrant('redirect_uri is not the one of the authorization request', RULE)
  }
}
