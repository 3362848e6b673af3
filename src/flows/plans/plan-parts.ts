import { splitUrl } from '../../protocol/http/message.js'
import { isJwtMode } from '../../protocol/oauth/authorization-request.js'
import { asksForOpenId, beginsWithToken, type FlowOptions, isForUserinfo } from '../options.js'
import type { PlannedStep, StepName } from '../step.js'

export type PlanOptions = Pick<FlowOptions, 'metadata' | 'redirectUri'> & Partial<FlowOptions>

/** The path of an address, or the usual path when the address is unknown. */
export function path(url: string | undefined, fallback: string): string {
  return url === undefined || !url.includes('://') ? fallback : splitUrl(url).path
}

/** RFC 9101. */
export function objectSteps({ requestObject }: PlanOptions): PlannedStep[] {
  if (requestObject === undefined) return []
  const how = { signed: 'sign', unsigned: 'write', encrypted: 'sign and encrypt' }[requestObject.kind]
  return [
    {
      name: 'request_object',
      from: 'client',
      to: requestObject.kind === 'encrypted' ? 'authorization_server' : 'client',
      title: `${how} a request object`,
      rfc: '9101 §4',
      why: 'The client puts the parameters into a JWT. A signature shows which client asks, and that nobody changed the request.',
    },
  ]
}

/** A request object, and a pushed request (RFC 9126). */
function pushSteps(options: PlanOptions): PlannedStep[] {
  const { metadata, push } = options
  if (!push) return objectSteps(options)
  return [
    ...objectSteps(options),
    {
      name: 'pushed_authorization_request',
      from: 'client',
      to: 'authorization_server',
      title: `POST ${path(metadata.pushed_authorization_request_endpoint, '/par')}`,
      rfc: '9126 §2.1',
      why: 'The client hands the request to the server itself, so that nothing in the browser can read or change it.',
    },
  ]
}

/** The steps from the authorization request to a response that holds a code. */
export function codeSteps(options: PlanOptions): PlannedStep[] {
  return [...pushSteps(options), ...browserSteps(options), ...responseSteps(options)]
}

/** JARM. */
function responseSteps({ responseMode, metadata }: PlanOptions): PlannedStep[] {
  if (!isJwtMode(responseMode)) return []
  return [
    {
      name: 'response_verification',
      from: 'client',
      to: 'authorization_server',
      title:
        metadata.jwks_uri === undefined ? 'verify the response' : `GET ${path(metadata.jwks_uri, '/jwks')}`,
      rfc: 'JARM §2.4',
      why: 'The answer is a JWT: before the client reads a parameter of it, it checks who made it, for whom, until when, and the signature.',
    },
  ]
}

function browserSteps({ metadata, redirectUri }: PlanOptions): PlannedStep[] {
  const authorization = path(metadata.authorization_endpoint, '/authorization')
  return [
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
  ]
}

/** The steps from the authorization request to a response that holds the token (RFC 6749 §4.2, figure 4). */
export function implicitSteps(options: PlanOptions): PlannedStep[] {
  const [request, form, login, response] = browserSteps(options) as [
    PlannedStep,
    PlannedStep,
    PlannedStep,
    PlannedStep,
  ]
  return [
    ...pushSteps(options),
    { ...request, rfc: '6749 §4.2.1' },
    form,
    {
      ...login,
      rfc: '6749 §4.2.2',
      why: 'The resource owner logs in, and the server puts the token itself behind the # of the address.',
    },
    {
      ...response,
      rfc: '6749 §4.2.2',
      why: 'A browser keeps what is behind the #: a script of the client reads the token there. It lies in the history and in reach of every script of that page, which is why RFC 9700 §2.1.2 says to use codes instead.',
    },
    ...responseSteps(options),
  ]
}

/** The steps from the authorization request to a response that holds a code and tokens (OpenID Connect Core §3.3.2). */
export function hybridSteps(options: PlanOptions): PlannedStep[] {
  const posted = options.responseMode?.startsWith('form_post')
  const where = posted ? 'in a form that the browser posts' : 'behind the # of the address'
  const words: Partial<Record<StepName, Partial<PlannedStep>>> = {
    authorization_request: { rfc: 'OpenID Connect Core §3.3.2.1' },
    login: {
      rfc: 'OpenID Connect Core §3.3.2.5',
      why: `The resource owner logs in, and the server puts a code and tokens ${where}.`,
    },
    authorization_response: {
      title: `${posted ? 'POST' : 'GET'} ${path(options.redirectUri, '/callback')}`,
      rfc: 'OpenID Connect Core §3.3.2.8',
      why: 'The browser brings the code and the tokens to the client, which checks whose answer it is.',
    },
  }
  return codeSteps(options).map(step => ({ ...step, ...words[step.name] }))
}

/** A token request of some grant. */
export function tokenStep({ metadata }: PlanOptions, more: Partial<PlannedStep> = {}): PlannedStep {
  return {
    name: 'token_request',
    from: 'client',
    to: 'authorization_server',
    title: `POST ${path(metadata.token_endpoint, '/token')}`,
    rfc: '6749 §4.1.3',
    why: 'The client exchanges the code for a token.',
    ...more,
  }
}

export function keysStep({ metadata, carriedKeys }: PlanOptions): PlannedStep {
  return {
    name: 'keys_request',
    from: 'client',
    to: 'authorization_server',
    ...(metadata.jwks_uri === undefined
      ? {
          title: carriedKeys?.title ?? 'no keys published',
          why: 'No keys are published: the client verifies tokens with a key from its configuration, or not at all.',
        }
      : {
          title: `GET ${path(metadata.jwks_uri, '/jwks')}`,
          why: 'The client fetches the published keys and verifies what it was given.',
        }),
    rfc: '7517 §5',
  }
}

function userinfoStep({ metadata }: PlanOptions): PlannedStep {
  return {
    name: 'userinfo_request',
    from: 'client',
    to: 'authorization_server',
    title: `GET ${path(metadata.userinfo_endpoint, '/userinfo')}`,
    rfc: '6750 §2.1',
    why: 'The client presents the access token and learns who logged in.',
  }
}

/** The request with the token, where a resource server is known. */
export function resourceSteps({ resource }: PlanOptions): PlannedStep[] {
  if (resource === undefined) return []
  return [
    {
      name: 'resource_request',
      from: 'client',
      to: 'resource_server',
      title: `GET ${path(resource, '/resource')}`,
      rfc: '6750 §2.1',
      why: 'The client presents the token to the resource server, which knows the authority and checks for itself.',
    },
  ]
}

/** The last steps of every grant: they verify the tokens and use them. */
export function afterwards(options: PlanOptions): PlannedStep[] {
  return [
    keysStep(options),
    ...(asksForOpenId(options.scope) && isForUserinfo(options) ? [userinfoStep(options)] : []),
    ...resourceSteps(options),
  ]
}

/** The steps that obtain the first tokens, in a flow that needs tokens before its own grant. */
export function firstSteps(options: PlanOptions): PlannedStep[] {
  if (beginsWithToken(options)) return []
  return options.first === 'password'
    ? [tokenStep(options, passwordWords)]
    : [...codeSteps(options), tokenStep(options)]
}

export const passwordWords: Partial<PlannedStep> = {
  rfc: '6749 §4.3.2',
  why: 'The client itself sends the password of the resource owner: it has seen it, which is why RFC 9700 §2.4 forbids this grant.',
}
