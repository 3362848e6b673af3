import { discover } from '../../client/discovery.js'
import { cut } from '../../protocol/events.js'
import type { Send } from '../../protocol/http/exchange.js'
import {
  type AuthorizationRequest,
  authorizationRequest,
} from '../../protocol/oauth/authorization-request.js'
import type { AuthorizationServerMetadata } from '../../protocol/oauth/metadata.js'
import { OAuthError } from '../../protocol/oauth/oauth-error.js'
import { formatScope } from '../../protocol/oauth/scope.js'
import { defined } from '../../protocol/values.js'
import type { Identified } from './code-grant.js'
import type { DefendedSettings } from './defences.js'
import type { DemoClientEvent, Publish } from './events.js'
import { fieldsOf, RequestRefusal } from './forms.js'
import { createLogins, type Endpoints, type Login } from './sessions.js'
import type { DemoClientPorts, Issuer } from './settings.js'

/** The scopes of every login: who the person is, and a name to show. */
const SCOPES = ['openid', 'profile', 'email']

/** A browser at this site. */
interface Visitor {
  /** The secret in its cookie; undefined without one. */
  readonly browser: string | undefined
  readonly network: string
  readonly send: Send
  readonly publish: Publish
}

/** A login that a person asks for. */
interface Wanted {
  /** The key of the issuer; undefined: the first one. */
  readonly issuer: string | undefined
  readonly returnTo: string
}

/** A finished login. `code` is absent where tokens came through the browser. */
export interface Finished extends Identified {
  readonly login: Login
  readonly code?: string
}

/** The logins of people at this client. */
interface SignIn {
  /**
   * Starts a login. Returns the address to send the browser to.
   * @throws OAuthError, TransportError, TimeoutError
   */
  start(wanted: Wanted, visitor: Visitor & { readonly browser: string }): Promise<string>
  /**
   * Finishes a login.
   * @param path the path of the request
   * @param parameters the authorization response as it came, form-encoded
   * @throws OAuthError, TransportError, TimeoutError
   */
  finish(path: string, parameters: string, visitor: Pick<Visitor, 'browser' | 'send'>): Promise<Finished>
}

function required(
  metadata: AuthorizationServerMetadata,
  name: 'authorization_endpoint' | 'token_endpoint' | 'jwks_uri',
): string {
  const url = metadata[name]
  if (url !== undefined) return url
  throw new OAuthError('invalid_metadata', {
    description: `the metadata has no ${name}`,
    rule: 'RFC 8414 §2',
  })
}

function startedEvent({ at, request, returnTo }: Login): DemoClientEvent {
  const { state, nonce, codeVerifier, responseType, redirectUri } = request
  return defined({
    type: 'demo_client.login_started',
    issuer: at.issuer,
    client_id: at.clientId,
    response_type: responseType,
    redirect_uri: redirectUri,
    state: state && cut(state),
    nonce: nonce && cut(nonce),
    pkce: codeVerifier === undefined ? 'none' : 'S256',
    return_to: returnTo,
  })
}

/** Makes the logins of a client. */
export function createSignIn(settings: DefendedSettings, { now, random }: DemoClientPorts): SignIn {
  const { issuers, defences, baseUrl } = settings
  const logins = createLogins(now)
  const redirectPath = (at: Issuer) => defences.redirectPath(at, issuers[0])

  function issuerOf(key: string | undefined): Issuer {
    const found = key === undefined ? issuers[0] : issuers.find(each => each.key === key)
    if (found !== undefined) return found
    throw new RequestRefusal(400, 'this client knows no such authorization server', 'RFC 9700 §4.4.2')
  }

  /** Makes a login with fresh values. Nothing is kept yet. */
  async function prepared(at: Issuer, returnTo: string, send: Send): Promise<Login> {
    const metadata = await discover(at.issuer, send)
    const endpoints: Endpoints = defined({
      token: required(metadata, 'token_endpoint'),
      keys: required(metadata, 'jwks_uri'),
      userinfo: metadata.userinfo_endpoint,
      endSession: metadata.end_session_endpoint,
    })
    const request: AuthorizationRequest = authorizationRequest(
      defined({
        endpoint: required(metadata, 'authorization_endpoint'),
        issuer: at.issuer,
        responseType: defences.grant.responseType,
        clientId: at.clientId,
        redirectUri: baseUrl + redirectPath(at),
        scope: formatScope(SCOPES.filter(each => metadata.scopes_supported?.includes(each) ?? true)),
        state: defences.state(random),
        nonce: defences.nonce(random),
        codeVerifier: defences.codeVerifier(random),
        issPromised: metadata.authorization_response_iss_parameter_supported === true,
      }),
    )
    return { at, endpoints, request, returnTo }
  }

  /** @throws OAuthError for an answer at the address of another issuer */
  function checkAddress(path: string, { at }: Login): void {
    if (redirectPath(at) === path) return
    throw new OAuthError('issuer_mismatch', {
      description: 'the answer came to the address of another authorization server',
      rule: 'RFC 9700 §4.4.2.2',
      evidence: `expected ${redirectPath(at)}, got ${path}`,
    })
  }

  return {
    async start({ issuer, returnTo }, { browser, network, send, publish }) {
      const login = await prepared(issuerOf(issuer), returnTo, send)
      const { state } = login.request
      if (state !== undefined) logins.keep(state, browser, login, network)
      publish(startedEvent(login))
      return login.request.url
    },
    async finish(path, parameters, { browser, send }) {
      const { state, iss } = fieldsOf(parameters, ['state', 'iss'])
      const at = issuers.find(each => redirectPath(each) === path) ?? issuers[0]
      const unasked = () => prepared(at, '/notes', send)
      const login = await defences.loginOf({ state, browser, logins, unasked })
      const answer = defences.grant.read(parameters, login, defences.expected(login.request, iss))
      checkAddress(path, login)
      const { code } = answer
      return { login, ...defined({ code }), ...(await answer.identify({ send, now })) }
    },
  }
}
