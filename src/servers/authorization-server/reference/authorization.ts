import { cut } from '../../../protocol/events.js'
import {
  type HttpRequest,
  type HttpResponse,
  header,
  splitUrl,
  text,
} from '../../../protocol/http/message.js'
import type { Route } from '../../../protocol/http/site.js'
import type { AuthorizationErrorCode } from '../../../protocol/oauth/oauth-error.js'
import type { Context, Publish } from '../events.js'
import type { CheckPassword } from '../logins/passwords.js'
import type { AuthorizationServerPorts } from '../settings.js'
import type { Registry } from '../stores/registry.js'
import type { ReferenceCodes } from './codes.js'
import { referenceErrorPage, referenceLoginPage } from './pages.js'
import { type ReferenceParameters, referenceParameters } from './parameters.js'
import { referenceRedirect } from './redirect.js'
import { EXPIRES_IN, type IssueReferenceToken } from './tokens.js'

/** The parts that the endpoint uses. */
export interface ReferenceAuthorizationParts {
  readonly ports: Pick<AuthorizationServerPorts, 'now' | 'random'>
  readonly registry: Registry
  readonly codes: ReferenceCodes
  readonly checkPassword: CheckPassword
  /** Undefined at a stage that issues no tokens. */
  readonly issueToken: IssueReferenceToken | undefined
}

/** `/authorization` of the reference. It checks the login and the response type, and nothing else. */
export function referenceAuthorization(parts: ReferenceAuthorizationParts): Route {
  const { ports, registry, codes, checkPassword, issueToken } = parts
  const types = issueToken ? ['code', 'token'] : ['code']

  function refuse(publish: Publish, code: AuthorizationErrorCode, description: string): HttpResponse {
    publish({ type: 'authorization.refused', channel: 'page', error: code, description, rule: 'reference' })
    return referenceErrorPage(description)
  }

  /** Returns an error page for an unsupported response_type. The reference checks no other parameter. */
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
