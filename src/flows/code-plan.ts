import { splitUrl } from '../http/message.js'
import type { AuthorizationServerMetadata } from '../oauth/metadata.js'
import { parseScope } from '../oauth/scope.js'
import type { PlannedStep } from './step.js'
import type { CarriedKeys } from './verify-tokens.js'

/** What a plan depends on. */
export interface PlanOptions {
  readonly metadata: AuthorizationServerMetadata
  readonly redirectUri: string
  readonly scope?: string
  readonly carriedKeys?: CarriedKeys
}

/** Whether a scope value asks for OpenID Connect (OpenID Connect Core §3.1.2.1). */
export function asksForOpenId(scope: string | undefined): boolean {
  return scope !== undefined && (parseScope(scope)?.includes('openid') ?? false)
}

function path(url: string | undefined, fallback: string): string {
  return url === undefined || !url.includes('://') ? fallback : splitUrl(url).path
}

/** The steps of the code grant before they happen (RFC 6749 §4.1, figure 3). */
export function codePlan({ metadata, redirectUri, scope, carriedKeys }: PlanOptions): PlannedStep[] {
  const authorization = path(metadata.authorization_endpoint, '/authorization')
  const steps: PlannedStep[] = [
    {
      name: 'authorization_request',
      from: 'client',
      to: 'user_agent',
      title: 'open authorization URL',
      rfc: '6749 §4.1.1',
      why: 'The client sends the browser to the authorization server.',
    },
    {
      name: 'login_form',
      from: 'user_agent',
      to: 'authorization_server',
      title: `GET ${authorization}`,
      rfc: '6749 §3.1',
      why: 'The browser asks for the login form.',
    },
    {
      name: 'login',
      from: 'user_agent',
      to: 'authorization_server',
      title: `POST ${authorization}`,
      rfc: '6749 §4.1.2',
      why: 'The resource owner logs in, and the server issues a code.',
    },
    {
      name: 'authorization_response',
      from: 'user_agent',
      to: 'client',
      title: `GET ${path(redirectUri, '/callback')}`,
      rfc: '6749 §4.1.2',
      why: 'The browser brings the code to the client, which checks whose answer it is.',
    },
    {
      name: 'token_request',
      from: 'client',
      to: 'authorization_server',
      title: `POST ${path(metadata.token_endpoint, '/token')}`,
      rfc: '6749 §4.1.3',
      why: 'The client exchanges the code for a token.',
    },
    {
      name: 'keys_request',
      from: 'client',
      to: 'authorization_server',
      ...(metadata.jwks_uri === undefined
        ? {
            title: carriedKeys?.title ?? 'no keys published',
            why: 'No keys are published: what verifies tokens was brought to the client by hand, or nothing does.',
          }
        : {
            title: `GET ${path(metadata.jwks_uri, '/jwks')}`,
            why: 'The client fetches the published keys and verifies what it was given.',
          }),
      rfc: '7517 §5',
    },
  ]
  if (asksForOpenId(scope)) {
    steps.push({
      name: 'userinfo_request',
      from: 'client',
      to: 'authorization_server',
      title: `GET ${path(metadata.userinfo_endpoint, '/userinfo')}`,
      rfc: '6750 §2.1',
      why: 'The client presents the access token and learns who logged in.',
    })
  }
  return steps
}
