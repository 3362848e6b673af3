import { decodeIfJwt } from '../../../flows/answers/verify-tokens.js'
import { resourceRequest } from '../../../flows/steps/resource-step.js'
import type { PresentationMove, Situation } from '../move.js'

/** Why a token without a named resource may be good at an MCP server; undefined where it is for others. */
function forOneServer({ issued, presentAt }: Situation): string | undefined {
  const aud = issued === undefined ? undefined : decodeIfJwt(issued)?.claims.aud
  if (aud === undefined)
    return 'the token does not say whom it is for, and a server may issue tokens for one resource alone (RFC 8707 §2)'
  const named = [aud].flat()
  return named.length === 1 && named[0] === presentAt
    ? 'the authorization server issues tokens for this MCP server unless it is asked for others'
    : undefined
}

/** Tokens that were asked for in the wrong way, which an MCP server must not take. */
export const mcpTokenMoves: readonly PresentationMove[] = [
  {
    name: 'no-resource',
    only: 'mcp',
    at: 'userinfo_request',
    does: 'leaves resource out of both requests, and shows the token to the MCP server',
    risk: 'a token that is good everywhere is stolen at the weakest server',
    rule: 'MCP 2026-07-28 Security §1',
    expects: [
      { by: 'resource', status: [401], errors: ['invalid_token'] },
      { by: 'redirect', errors: ['invalid_target', 'invalid_request'] },
      { by: 'token', errors: ['invalid_target', 'invalid_request'] },
    ],
    leavesOut: ['resource'],
    harmless: forOneServer,
    present: ({ endpoint, tokens }) => resourceRequest(endpoint, tokens.access_token),
  },
]
