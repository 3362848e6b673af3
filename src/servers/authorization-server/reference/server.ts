import { SignJWT } from 'jose'
import { createExpiringMap } from '../../../protocol/bounded-maps.js'
import { cut } from '../../../protocol/events.js'
import { readPairs } from '../../../protocol/http/form.js'
import {
  type HttpRequest,
  type HttpResponse,
  header,
  jsonResponse,
  redirectResponse,
  splitUrl,
  text,
  textResponse,
} from '../../../protocol/http/message.js'
import { type Html, html } from '../../../protocol/http/page.js'
import { createRouter, type Route, type Site } from '../../../protocol/http/site.js'
import {
  type AuthorizationErrorCode,
  OAuthError,
  type TokenErrorCode,
} from '../../../protocol/oauth/oauth-error.js'
import {
  type ResponsePairs,
  type VerifiedRedirectUri,
  withFragment,
  withQuery,
} from '../../../protocol/oauth/redirect-uri.js'
import { jsonError, NOT_STORED } from '../endpoints/client-endpoint.js'
import { type Context, type Publish, refusal } from '../events.js'
import { type CheckPassword, createPasswordCheck } from '../logins/passwords.js'
import { page } from '../pages/page.js'
import type { AuthorizationServerPorts, AuthorizationServerSettings } from '../settings.js'
import { unbuiltTokenEndpoint } from '../stages/at-stage.js'
import { STAGES } from '../stages/stages.js'
import { createRegistry, type Registry } from '../stores/registry.js'

/**
 * Makes a server that behaves exactly like the reference, for teaching its errors. It uses the users and the pages of
 * the standard profile, and none of its checks. It must listen on loopback addresses only.
 * @throws UsageError for a password_hash that cannot be read
 */
export function createReferenceServer(
  settings: AuthorizationServerSettings,
  ports: AuthorizationServerPorts,
): Site {
  const registry = createRegistry(settings.clients, settings.users)
  const codes = createReferenceCodes(ports.random, ports.now)
  const checkPassword = createPasswordCheck(settings.users)
  const built = STAGES[settings.stage].signing !== 'nothing'
  const issueToken = built ? createReferenceTokens(settings.issuer, ports) : undefined
  const routes: readonly Route[] = [
    {
      path: '/',
      methods: { GET: () => textResponse(200, `Hello from oauth-lab.\n${REFERENCE_WARNING}\n`) },
    },
    referenceAuthorization({ ports, registry, codes, checkPassword, issueToken }),
    issueToken ? referenceTokenEndpoint(codes, issueToken) : unbuiltTokenEndpoint(),
  ]
  return { name: 'authorization', handle: createRouter(routes) }
}

interface ReferenceAuthorizationParts {
  readonly ports: Pick<AuthorizationServerPorts, 'now' | 'random'>
  readonly registry: Registry
  readonly codes: ReferenceCodes
  readonly checkPassword: CheckPassword
  /** Undefined at a stage that issues no tokens. */
  readonly issueToken: IssueReferenceToken | undefined
}

/** `/authorization` of the reference. It checks the login and the response type, and nothing else. */
function referenceAuthorization(parts: ReferenceAuthorizationParts): Route {
  const { ports, registry, codes, checkPassword, issueToken } = parts
  const types = issueToken ? ['code', 'token'] : ['code']

  function refuse(publish: Publish, code: AuthorizationErrorCode, description: string): HttpResponse {
    publish({ type: 'authorization.refused', channel: 'page', error: code, description, rule: 'reference' })
    return referenceErrorPage(description)
  }

  function refusedType(asked: ReferenceParameters, publish: Publish): HttpResponse | undefined {
    const type = asked.get('response_type')
    if (type !== undefined && types.includes(type)) return undefined
    return refuse(publish, 'unsupported_response_type', `response_type must be ${types.join(' or ')}`)
  }

  function showForm(asked: ReferenceParameters, publish: Publish, message?: string): HttpResponse {
    const csrf = Buffer.from(ports.random(32)).toString('base64url')
    const clientId = asked.get('client_id')
    publish({ type: 'login.shown', client_id: clientId ?? '', scope: asked.get('scope') ?? '' })
    return referenceLoginPage({ clientId, csrf, message })
  }

  const login = async (http: HttpRequest, { publish }: Context) => {
    const asked = referenceParameters(splitUrl(refererOf(http)).query)
    const wrongType = refusedType(asked, publish)
    if (wrongType) return wrongType
    const fields = referenceParameters(text(http.body))
    const user = registry.user(fields.get('username') ?? '')
    const clientId = asked.get('client_id') ?? ''
    if ((await checkPassword(user, fields.get('password') ?? '')) !== 'right' || user === undefined) {
      const message = 'Username or password is wrong.'
      publish({
        type: 'login.failed',
        client_id: clientId,
        reason: 'credentials',
        description: message,
        rule: 'RFC 6749 §3.1',
      })
      return showForm(asked, publish, message)
    }
    publish({ type: 'login.succeeded', client_id: clientId, username: user.username })
    return answer(asked, user.username, publish)
  }

  async function answer(
    asked: ReferenceParameters,
    username: string,
    publish: Publish,
  ): Promise<HttpResponse> {
    const redirectUri = asked.get('redirect_uri')
    if (redirectUri === undefined)
      return refuse(publish, 'invalid_request', 'redirect_uri is missing: nowhere to go')
    const clientId = asked.get('client_id') ?? ''
    const scope = asked.get('scope')
    const state = asked.get('state')
    if (asked.get('response_type') === 'token' && issueToken !== undefined) {
      return referenceRedirect(redirectUri, 'fragment', [
        ['access_token', await issueToken(username, clientId, 'implicit', publish)],
        ['token_type', 'Bearer'],
        ['expires_in', String(EXPIRES_IN)],
        ['scope', scope],
        ['state', state],
      ])
    }
    const code = codes.issue({
      username,
      client_id: clientId,
      response_type: 'code',
      redirect_uri: redirectUri,
      at: ports.now(),
    })
    const said = { client_id: clientId, username, scope: scope ?? '' }
    publish({ type: 'code.issued', ...said, code: cut(code) })
    return referenceRedirect(redirectUri, 'query', [
      ['code', code],
      ['scope', scope],
      ['state', state],
    ])
  }

  const form = (http: HttpRequest, { publish }: Context) => {
    const asked = referenceParameters(splitUrl(http.url).query)
    return refusedType(asked, publish) ?? showForm(asked, publish)
  }
  return { path: '/authorization', methods: { GET: form, POST: login } }
}

/** Returns the Referer, from any site, as an absolute URL, which `splitUrl` needs. */
function refererOf(http: HttpRequest): string {
  const referer = header(http, 'referer') ?? ''
  return referer.includes('://') ? referer : `https://nowhere${referer}`
}

/** Parameters of a form, known and unknown. The first value of a repeated parameter counts. */
type ReferenceParameters = ReadonlyMap<string, string>

/** Reads form text. Text that cannot be decoded gives no parameters. Empty values count as missing. */
function referenceParameters(form: string): ReferenceParameters {
  const values = new Map<string, string>()
  for (const [name, value] of readPairs(form)) if (value !== '' && !values.has(name)) values.set(name, value)
  return values
}

/**
 * Converts any address to a VerifiedRedirectUri. In the standard profile only a match with the registered addresses
 * makes one, which prevents an open redirect. The reference has that open redirect, so this cast is deliberate.
 */
function unchecked(redirectUri: string): VerifiedRedirectUri {
  // Percent-encode every character that a header cannot carry, or it could split the response.
  const written = redirectUri.replace(/[^\x21-\x7e]+/gu, text => encodeURIComponent(text.toWellFormed()))
  return written.split('#', 1)[0] as VerifiedRedirectUri
}

/** A 302 with the parameters in the query (response_type code) or in the fragment (token). */
function referenceRedirect(
  redirectUri: string,
  place: 'query' | 'fragment',
  pairs: ResponsePairs,
): HttpResponse {
  const write = place === 'query' ? withQuery : withFragment
  return redirectResponse(write(unchecked(redirectUri), pairs), [['cache-control', 'no-store']])
}

/** The warning of this profile: on every page and in the greeting. */
export const REFERENCE_WARNING =
  'Profile reference: this server redirects anywhere, checks no client, no csrf value and no code. For learning, on this machine only.'

function warningPage(status: number, title: string, content: Html): HttpResponse {
  return page(status, title, html`<p class="alert"><strong>${REFERENCE_WARNING}</strong></p>${content}`)
}

/** The login form. It has a csrf value, which nothing checks. */
function referenceLoginPage(shown: {
  readonly clientId: string | undefined
  readonly csrf: string
  readonly message: string | undefined
}): HttpResponse {
  const { clientId = 'an application that did not say its name', csrf, message } = shown
  return warningPage(
    200,
    'Log in',
    html`<h1>Log in</h1>
<p><strong>${clientId}</strong> wants access.</p>
${message === undefined ? undefined : html`<p role="alert" class="alert">${message}</p>\n`}<form method="post">
<label for="username">Username</label>
<input type="text" id="username" name="username" required autocomplete="username" autofocus>
<label for="password">Password</label>
<input type="password" id="password" name="password" required autocomplete="current-password">
<input type="hidden" name="csrf" value="${csrf}">
<button type="submit">Log in</button>
</form>`,
  )
}

function referenceErrorPage(message: string): HttpResponse {
  return warningPage(400, 'Request refused', html`<h1>Request refused</h1><p role="alert">${message}</p>`)
}

/** A code with the members that the interface specification lists. */
interface ReferenceCode {
  readonly username: string
  readonly client_id: string
  readonly response_type: 'code'
  readonly redirect_uri: string
  readonly at: number
}

/** Codes that never expire and can be redeemed any number of times. */
interface ReferenceCodes {
  issue(record: ReferenceCode): string
  find(code: string): ReferenceCode | undefined
}

/** Most codes in memory. Without this limit, requests could exhaust the memory. */
const MAX_CODES = 10_000

/** Most bytes of them. */
const MAX_BYTES = 32 * 1024 * 1024

function createReferenceCodes(random: (length: number) => Uint8Array, now: () => number): ReferenceCodes {
  const codes = createExpiringMap<ReferenceCode>({
    lifetime: Number.POSITIVE_INFINITY,
    limit: MAX_CODES,
    maxBytes: MAX_BYTES,
    now,
  })
  return {
    issue(record) {
      const code = Buffer.from(random(32)).toString('base64url')
      codes.set(code, record, record.client_id)
      return code
    },
    find: code => codes.get(code),
  }
}

/** Lifetime that token responses state, in seconds. */
const EXPIRES_IN = 3600

/** Makes an access token. The client may be unknown. */
type IssueReferenceToken = (
  username: string,
  clientId: string,
  grantType: 'authorization_code' | 'implicit',
  publish: Publish,
) => Promise<string>

/**
 * Makes access tokens of the reference: six claims, with times in milliseconds, and `exp` 3600 milliseconds after
 * `iat`. A verifier that reads seconds (RFC 7519 §2) sees an expiry tens of thousands of years ahead.
 */
function createReferenceTokens(
  issuer: string,
  ports: Pick<AuthorizationServerPorts, 'now' | 'keyring'>,
): IssueReferenceToken {
  return async (username, clientId, grantType, publish) => {
    const now = ports.now()
    const claims = {
      sub: username,
      nbf: now - 30,
      iat: now,
      exp: now + EXPIRES_IN,
      iss: issuer,
      aud: clientId,
    }
    const key = ports.keyring.current()
    // No kid: the keys are not published, so a kid would name nothing.
    const token = await new SignJWT(claims)
      .setProtectedHeader({ typ: 'JWT', alg: key.alg })
      .sign(key.alg === 'HS256' ? key.secret : key.privateKey)
    publish({
      type: 'token.issued',
      client_id: clientId,
      sub: username,
      grant_type: grantType,
      scope: '',
      token_type: 'Bearer',
      aud: clientId,
      access_token: cut(token),
      jti: '',
      expires_in: EXPIRES_IN,
      id_token: false,
    })
    return token
  }
}

/** `/token` of the reference. It issues a token for any known code, to any client, any number of times. */
function referenceTokenEndpoint(codes: ReferenceCodes, issueToken: IssueReferenceToken): Route {
  function refuse(publish: Publish, error: OAuthError<TokenErrorCode>): HttpResponse {
    publish({ type: 'token.refused', status: 400, ...refusal(error) })
    return jsonError(error, 400)
  }

  const answer = async (http: HttpRequest, { publish }: Context) => {
    const sent = referenceParameters(text(http.body))
    const rule = 'RFC 6749 §5.2'
    if (sent.get('grant_type') !== 'authorization_code') {
      const description = 'grant_type must be authorization_code'
      return refuse(publish, new OAuthError('unsupported_grant_type', { description, rule }))
    }
    const record = codes.find(sent.get('code') ?? '')
    if (record === undefined) {
      return refuse(publish, new OAuthError('invalid_grant', { description: 'the code is unknown', rule }))
    }
    const clientId = sent.get('client_id') ?? record.client_id
    const token = await issueToken(record.username, clientId, 'authorization_code', publish)
    const body = { access_token: token, token_type: 'Bearer', expires_in: EXPIRES_IN }
    return jsonResponse(200, body, NOT_STORED)
  }
  return { path: '/token', methods: { POST: answer } }
}
