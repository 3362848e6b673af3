import { bounded } from '../../protocol/events.js'
import type { Send } from '../../protocol/http/exchange.js'
import type { HttpRequest } from '../../protocol/http/message.js'
import type { Html, PageScript } from '../../protocol/http/page.js'
import { readUserinfo } from '../../protocol/oauth/answers.js'
import type { AuthorizationRequest } from '../../protocol/oauth/authorization-request.js'
import { authorizationResponse } from '../../protocol/oauth/authorization-response.js'
import { type Check, isBreach } from '../../protocol/oauth/check.js'
import { OAuthError } from '../../protocol/oauth/oauth-error.js'
import { tokenRequest, tokenResponse } from '../../protocol/oauth/token.js'
import type { Citation } from '../../protocol/rules/rule.js'
import { TokenFormatError } from '../../protocol/tokens/decode.js'
import type { JwkSet } from '../../protocol/tokens/keys.js'
import { readKeySet } from '../../protocol/tokens/keys.js'
import { type Verdict, verifyJwt } from '../../protocol/tokens/verify.js'
import type { JsonObject } from '../../protocol/values.js'
import { fieldsOf } from './forms.js'
import type { Login } from './sessions.js'

/** Accepted difference between the clocks of two computers, in seconds. */
const CLOCK_LEEWAY = 5

const get = (url: string, headers: HttpRequest['headers'] = []): HttpRequest => ({
  method: 'GET',
  url,
  headers: [['accept', 'application/json'], ...headers],
  body: new Uint8Array(),
})

/** Returns the request for the claims of the token's user (RFC 6750 §2.1). */
export const userinfoRequest = (url: string, accessToken: string): HttpRequest =>
  get(url, [['authorization', `Bearer ${accessToken}`]])

/** Returns the request that redeems a code (RFC 6749 §4.1.3, RFC 7636 §4.5). */
function redemption({ at, endpoints, request }: Login, code: string): HttpRequest {
  const { clientId, clientSecret = '', auth } = at
  return tokenRequest({
    grantType: 'authorization_code',
    endpoint: endpoints.token,
    clientId,
    clientSecret,
    auth,
    parameters: [
      ['code', code],
      ['redirect_uri', request.redirectUri],
      ['code_verifier', request.codeVerifier],
    ],
  })
}

/** The checks of an ID token (OpenID Connect Core §3.1.3.7), those of its nonce and its at_hash included. */
async function verified(
  idToken: string,
  accessToken: string,
  jwks: JwkSet,
  { at, request }: Login,
  now: number,
): Promise<Verdict> {
  try {
    return await verifyJwt(
      idToken,
      { kind: 'jwks', jwks },
      {
        issuer: at.issuer,
        audience: at.clientId,
        idToken: true,
        accessToken,
        now,
        tolerance: CLOCK_LEEWAY,
        ...(request.nonce !== undefined && { nonce: request.nonce }),
      },
    )
  } catch (error) {
    if (!(error instanceof TokenFormatError)) throw error
    throw refused(`the id_token is no signed JWT: ${error.message}`, 'OpenID Connect Core §2')
  }
}

function refused(description: string, rule: Citation): OAuthError<'invalid_token'> {
  return new OAuthError('invalid_token', { description, rule })
}

/** @throws OAuthError for the first check that failed */
function requireAll(checks: readonly Check[]): void {
  const failed = checks.find(isBreach)
  if (failed === undefined) return
  const detail = failed.detail === undefined ? '' : `: ${failed.detail}`
  throw refused(`the ${failed.name} of the id_token is not accepted${detail}`, failed.rule)
}

async function identify(login: Login, code: string, { send, now }: GrantTools): Promise<Identified> {
  const { endpoints, at } = login
  const { tokens, checks } = tokenResponse(await send(redemption(login, code)))
  const { access_token: accessToken, id_token: idToken } = tokens
  if (idToken === undefined) {
    throw refused('the token response has no id_token', 'OpenID Connect Core §3.1.3.3')
  }
  // The keys are read at every login, so that a rotation needs no rule of its own.
  const jwks = readKeySet(await send(get(endpoints.keys)))
  const verdict = await verified(idToken, accessToken, jwks, login, now())
  requireAll(verdict.checks)
  const subject = String(verdict.token.claims.sub)
  const { sid } = verdict.token.claims
  const info =
    endpoints.userinfo === undefined
      ? { claims: verdict.token.claims, checks: [] }
      : readUserinfo(await send(userinfoRequest(endpoints.userinfo, accessToken)), subject)
  return {
    person: {
      issuer: at.issuer,
      subject,
      ...described(info.claims, subject),
      accessToken,
      idToken,
      ...(typeof sid === 'string' && { sid }),
    },
    checks: [...checks, ...verdict.checks, ...info.checks],
  }
}

/**
 * The code grant (RFC 6749 §4.1) with an ID token, which says who logged in at this client. An access token does not, because
 * every client of the server may hold one of this person (RFC 6749 §10.16).
 */
export const codeGrant: Grant = {
  responseType: 'code',
  relay: () => undefined,
  read(parameters, login, expected) {
    if (fieldsOf(parameters, ['access_token']).access_token !== undefined) {
      throw new OAuthError('invalid_response', {
        description:
          'the answer brings an access token, which does not say who is here; this client takes a code',
        rule: 'RFC 6749 §10.16',
      })
    }
    const { code, checks } = authorizationResponse(`${expected.redirectUri}?${parameters}`, expected)
    return {
      code,
      async identify(tools) {
        const found = await identify(login, code, tools)
        return { ...found, checks: [...checks, ...found.checks] }
      },
    }
  },
}

/** A person, and the checks that say who it is. */
export interface Identified {
  readonly person: Person
  readonly checks: readonly Check[]
}

/** The tools of a grant. */
interface GrantTools {
  readonly send: Send
  /** Milliseconds since the epoch. */
  readonly now: () => number
}

/** An authorization response whose state and iss are right. */
interface ReadAnswer {
  /** The code, where the response has one. */
  readonly code?: string
  /** Learns who logged in. @throws OAuthError, TransportError, TimeoutError */
  readonly identify: (tools: GrantTools) => Promise<Identified>
}

/** The way in which this client learns who logged in. */
export interface Grant {
  readonly responseType: string
  /** Returns the page for a callback without parameters; undefined: such a request is read as an answer. */
  readonly relay: () => { readonly content: Html; readonly script: PageScript } | undefined
  /**
   * Reads an authorization response.
   * @param parameters the response as it came, form-encoded
   * @param expected the request to compare it with
   * @throws OAuthError
   */
  readonly read: (parameters: string, login: Login, expected: AuthorizationRequest) => ReadAnswer
}

/** A person whose login was verified. */
export interface Person {
  readonly issuer: string
  /** Unique at the issuer alone (OpenID Connect Core §5.7). */
  readonly subject: string
  readonly name: string
  readonly email?: string
  readonly accessToken: string
  /** Absent where the client asked for none. */
  readonly idToken?: string
  /** The session at the issuer, where the ID token names one. */
  readonly sid?: string
}

/** Longest name and e-mail address that are kept, in UTF-16 units. */
const MAX_NAME_LENGTH = 100

function textOf(claims: JsonObject, name: string): string | undefined {
  const value = claims[name]
  return typeof value === 'string' && value !== '' ? bounded(value, MAX_NAME_LENGTH) : undefined
}

/** Returns the members of a person that claims describe (OpenID Connect Core §5.1). */
export function described(claims: JsonObject, subject: string): Pick<Person, 'name' | 'email'> {
  const email = textOf(claims, 'email')
  const name = textOf(claims, 'name') ?? textOf(claims, 'preferred_username') ?? email
  return { name: name ?? bounded(subject, MAX_NAME_LENGTH), ...(email !== undefined && { email }) }
}
