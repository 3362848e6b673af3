import type { FlowName } from '../../flows/flows.js'
import type { McpOptions } from '../../flows/mcp/options.js'
import { asksForOpenId, type FlowOptions, HYBRID_TYPE } from '../../flows/options.js'
import type { StepName } from '../../flows/step.js'

/** The credentials that a client can trade for tokens. */
export type Grant =
  | 'code'
  | 'password'
  | 'client-credentials'
  | 'refresh'
  | 'assertion'
  | 'device'
  | 'ciba'
  | 'token-exchange'

/** A part of the answer to an authorization request. */
export type AnswerPart = 'code' | 'access_token' | 'id_token'

/** The messages of a flow that wrong moves can change. */
export interface FlowShape {
  /** The response type of the authorization request; absent without one. */
  readonly asks?: 'code' | 'token'
  /** The parts of the answer to it, which the browser brings. */
  readonly brings?: readonly AnswerPart[]
  /** Its token requests in order; the last is what the flow is about. */
  readonly grants: readonly Grant[]
  /** True when a user logs in at the server, so that `openid` brings an id_token. */
  readonly login?: true
  /** True when the flow logs out at its end. */
  readonly logsOut?: true
  /** True for the flow of an MCP client, which finds its servers, and introduces itself. */
  readonly mcp?: true
}

/** The code grant. */
export const codeShape: FlowShape = { asks: 'code', brings: ['code'], grants: ['code'], login: true }

const grantTypes: Readonly<Record<string, Grant>> = {
  authorization_code: 'code',
  password: 'password',
  client_credentials: 'client-credentials',
  refresh_token: 'refresh',
  'urn:ietf:params:oauth:grant-type:jwt-bearer': 'assertion',
  'urn:ietf:params:oauth:grant-type:saml2-bearer': 'assertion',
  'urn:ietf:params:oauth:grant-type:device_code': 'device',
  'urn:openid:params:grant-type:ciba': 'ciba',
  'urn:ietf:params:oauth:grant-type:token-exchange': 'token-exchange',
}

/** The grant of a `grant_type`; undefined for one that no flow uses. */
export function grantNamed(grantType: string | undefined): Grant | undefined {
  return grantType !== undefined && Object.hasOwn(grantTypes, grantType) ? grantTypes[grantType] : undefined
}

/** The parts that the answer to a response type has. */
function partsOf(responseType: string): AnswerPart[] {
  const values = responseType.split(' ')
  const named: readonly (readonly [string, AnswerPart])[] = [
    ['code', 'code'],
    ['token', 'access_token'],
    ['id_token', 'id_token'],
  ]
  return named.filter(([value]) => values.includes(value)).map(([, part]) => part)
}

/** The step in which the client verifies the tokens that the browser brought. */
export function verificationStep({ asks }: FlowShape): StepName {
  return asks === 'code' ? 'id_token_verification' : 'keys_request'
}

/** The shape of a flow. */
export function shapeOf(
  name: FlowName,
  { first, accessToken, refreshToken, scope, responseType }: Partial<FlowOptions> = {},
): FlowShape {
  const leave: FlowShape =
    (accessToken ?? refreshToken) !== undefined
      ? { grants: [] }
      : first === 'password'
        ? { grants: ['password'] }
        : codeShape
  switch (name) {
    case 'code':
      return codeShape
    case 'logout':
      return { ...codeShape, logsOut: true }
    case 'hybrid':
      return { ...codeShape, brings: partsOf(responseType ?? HYBRID_TYPE) }
    case 'implicit':
      return {
        asks: 'token',
        brings: partsOf(asksForOpenId(scope) ? 'id_token token' : 'token'),
        grants: [],
        login: true,
      }
    case 'resource':
      return accessToken === undefined ? codeShape : { grants: [] }
    case 'refresh':
      return { ...leave, grants: [...leave.grants, name] }
    case 'token-exchange': {
      const { login: _, ...before } = leave
      return { ...before, grants: [...leave.grants, name] }
    }
    case 'device':
    case 'ciba':
      return { grants: [name], login: true }
    default:
      return { grants: [name] }
  }
}

/** The step that shows the token request of a grant; `last` where a client polls more than once. */
export function stepOfGrant(grant: Grant | undefined, last: boolean): StepName {
  switch (grant) {
    case 'refresh':
      return 'refresh_request'
    case 'token-exchange':
      return 'exchange_request'
    case 'device':
    case 'ciba':
      return last ? 'token_request' : 'poll_request'
    default:
      return 'token_request'
  }
}

/** The shape of the MCP flow, by its grant. */
export function mcpShape({ grant }: Pick<McpOptions, 'grant'>): FlowShape {
  switch (grant) {
    case 'authorization_code':
      return { asks: 'code', brings: ['code'], grants: ['code'], mcp: true }
    case 'client_credentials':
      return { grants: ['client-credentials'], mcp: true }
    default:
      return { grants: ['assertion'], mcp: true }
  }
}
