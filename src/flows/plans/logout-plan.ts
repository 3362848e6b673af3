import { isForUserinfo } from '../options.js'
import type { PlannedStep } from '../step.js'
import { afterwards, codeSteps, type PlanOptions, path, tokenStep } from './plan-parts.js'

/** Shows if an access token outlives the session; undefined where none is known. */
export function survivorEndpoint({
  resource,
  metadata,
  ...more
}: Pick<PlanOptions, 'resource' | 'metadata'>): string | undefined {
  return resource ?? (isForUserinfo({ metadata, ...more }) ? metadata.userinfo_endpoint : undefined)
}

/** The steps of a logout before they happen (OpenID Connect RP-Initiated Logout §2). */
export function logoutPlan(options: PlanOptions): PlannedStep[] {
  const { resource: _, ...verified } = options
  return [
    ...codeSteps(options),
    tokenStep(options),
    ...afterwards(verified),
    ...leavingSteps(options),
    ...survivors(options),
  ]
}

function leavingSteps({ metadata, logoutMethod = 'GET', postLogoutRedirectUri }: PlanOptions): PlannedStep[] {
  const logout = path(metadata.end_session_endpoint, '/end-session')
  const silent = {
    from: 'user_agent',
    to: 'authorization_server',
    title: `GET ${path(metadata.authorization_endpoint, '/authorization')}`,
  } as const
  const back: PlannedStep = {
    name: 'logout_response',
    from: 'user_agent',
    to: 'client',
    title: `GET ${path(postLogoutRedirectUri, '/logged-out')}`,
    rfc: 'OpenID Connect RP-Initiated Logout §3',
    why: 'The browser comes back to an address that is registered for this client, with the state of the request.',
  }
  return [
    {
      ...silent,
      name: 'session_check',
      rfc: 'OpenID Connect Core §3.1.2.1',
      why: 'A request with prompt=none gets no page: a code shows that the server still knows who is logged in.',
    },
    {
      name: 'logout_request',
      from: 'user_agent',
      to: 'authorization_server',
      title: `${logoutMethod} ${logout}`,
      rfc: 'OpenID Connect RP-Initiated Logout §2',
      why: 'The client sends the browser to the server, and the ID token says whose session is to end.',
    },
    {
      name: 'logout_confirmation',
      from: 'user_agent',
      to: 'authorization_server',
      title: `POST ${logout}`,
      rfc: 'OpenID Connect RP-Initiated Logout §2',
      why: 'The server asks first where no ID token shows that this client may log out the person.',
    },
    {
      name: 'frontchannel_logout',
      from: 'user_agent',
      to: 'client',
      title: 'GET the frames of the logout page',
      rfc: 'OpenID Connect Front-Channel Logout §3',
      why: 'Frames of the logout page open an address of each client, which ends its own session.',
    },
    ...(postLogoutRedirectUri === undefined ? [] : [back]),
    {
      ...silent,
      name: 'ended_session_check',
      rfc: 'OpenID Connect Core §3.1.2.6',
      why: 'The same request once more: login_required shows that the session at the server has ended.',
    },
  ]
}

function survivors(options: PlanOptions): PlannedStep[] {
  const endpoint = survivorEndpoint(options)
  const token: PlannedStep = {
    name: 'surviving_token_request',
    from: 'client',
    to: options.resource === undefined ? 'authorization_server' : 'resource_server',
    title: `GET ${path(endpoint, '/resource')}`,
    rfc: '6750 §2.1',
    why: 'The access token of before: a logout ends a session, and no resource server hears of that.',
  }
  return [
    ...(endpoint === undefined ? [] : [token]),
    tokenStep(options, {
      name: 'surviving_refresh_request',
      rfc: 'OpenID Connect Back-Channel Logout §2.7',
      why: 'The refresh token of before: it may bring new tokens after the logout, until the client revokes it.',
    }),
  ]
}
