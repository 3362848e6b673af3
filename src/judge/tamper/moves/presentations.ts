import { resourceRequest } from '../../../flows/steps/resource-step.js'
import { decodeIfJwt } from '../../../protocol/tokens/decode.js'
import { alterToken, hmacToken, selfSignedToken, unsignedToken } from '../forged-tokens.js'
import { withQuery } from '../messages.js'
import { atResource, type Made, type PresentationMove, presentationTable } from '../move.js'
import type { Situation } from '../situation.js'

/** The audience of the token of `other-audience`. */
export const OTHER_AUDIENCE = 'https://api.example'

/** Shows a token that is made of the access token, or says why it cannot be made. */
const showing =
  (forge: (token: string, what: Parameters<PresentationMove['present']>[0]) => Made<string>) =>
  async (what: Parameters<PresentationMove['present']>[0]) => {
    const token = await forge(what.tokens.access_token, what)
    return typeof token === 'string' ? resourceRequest(what.endpoint, token) : token
  }

/** The audiences that a token names; none for an opaque one. */
const audiencesOf = (token: string) => [decodeIfJwt(token)?.claims.aud ?? []].flat()

/** Access tokens that must not be taken, at the userinfo endpoint or a resource server. */
export const presentationMoves = presentationTable({ expects: [atResource('invalid_token')] }, [
  {
    name: 'no-token',
    does: 'asks without any access token',
    risk: 'everybody reads what the token protects',
    rule: 'RFC 6750 §3',
    expects: [atResource()],
    present: ({ endpoint }) => resourceRequest(endpoint),
  },
  {
    name: 'altered-token',
    does: 'changes the subject in the access token and keeps the signature',
    risk: 'everybody who has a token has everybody’s rights',
    rule: 'RFC 7519 §7.2',
    present: showing(alterToken),
  },
  {
    name: 'alg-none',
    does: 'takes the signature off and says alg: none',
    risk: 'everybody can make tokens',
    rule: 'RFC 8725 §3.2',
    present: showing(unsignedToken),
  },
  {
    name: 'hmac-with-public-key',
    does: 'signs with HS256 and the published public key as the secret',
    risk: 'everybody can make tokens: the key is public',
    rule: 'RFC 8725 §2.1',
    present: showing((token, { keys }) => hmacToken(token, keys)),
  },
  {
    name: 'foreign-key',
    does: 'signs with a key of its own under the name of the server’s key',
    risk: 'everybody can make tokens',
    rule: 'RFC 7519 §7.2',
    present: showing(token => selfSignedToken(token)),
  },
  {
    name: 'embedded-key',
    does: 'signs with a key of its own and sends that key along in the header',
    risk: 'everybody can make tokens',
    rule: 'RFC 8725 §3.10',
    present: showing(token => selfSignedToken(token, { embedded: true })),
  },
  {
    name: 'id-token-as-access-token',
    idToken: true,
    does: 'shows the id_token in place of the access token',
    risk: 'a token that only says who logged in opens doors',
    rule: 'RFC 8725 §3.12',
    present: showing((_token, { tokens }) => tokens.id_token ?? { problem: 'no id_token was issued' }),
  },
  {
    name: 'other-audience',
    does: 'shows a resource server a token that is for another one',
    risk: 'a resource server passes tokens on and acts as the person elsewhere',
    rule: 'RFC 9068 §4',
    ask: [['resource', OTHER_AUDIENCE]],
    notHere: ({ resourceServer }) =>
      resourceServer ? undefined : 'no resource server is known, and userinfo is not one',
    present: showing(token =>
      audiencesOf(token).includes(OTHER_AUDIENCE)
        ? token
        : { problem: 'the server issues no token for a named resource (RFC 8707)' },
    ),
  },
  {
    name: 'token-in-query',
    does: 'puts the access token into the address',
    risk: 'the token ends up in logs and histories',
    rule: 'RFC 9700 §4.3.2',
    expects: [{ by: 'resource', status: [400, 401], errors: [] }],
    present: ({ endpoint, tokens: { access_token } }) =>
      resourceRequest(withQuery(endpoint, [['access_token', access_token]])),
  },
  {
    name: 'expired-token',
    does: 'waits until the access token has expired, by the server’s clock',
    risk: 'a token that leaks once is good for ever',
    rule: 'RFC 6750 §3.1',
    wait: 'accessToken',
    present: showing(token => token),
  },
])

/** Why a token without a named resource may be good at an MCP server; undefined where it is for others. */
function forOneServer({ issued, presentAt }: Situation): string | undefined {
  const named = audiencesOf(issued ?? '')
  if (named.length === 0)
    return 'the token does not say whom it is for, and a server may issue tokens for one resource alone (RFC 8707 §2)'
  return named.length === 1 && named[0] === presentAt
    ? 'the authorization server issues tokens for this MCP server unless it is asked for others'
    : undefined
}

/** Tokens that were asked for in the wrong way, which an MCP server must not take. */
export const mcpTokenMoves = presentationTable({ only: 'mcp' }, [
  {
    name: 'no-resource',
    does: 'leaves resource out of both requests, and shows the token to the MCP server',
    risk: 'a token that is good everywhere is stolen at the weakest server',
    rule: 'MCP 2026-07-28 Security §1',
    expects: [
      atResource('invalid_token'),
      { by: 'redirect', errors: ['invalid_target', 'invalid_request'] },
      { by: 'token', errors: ['invalid_target', 'invalid_request'] },
    ],
    leavesOut: ['resource'],
    harmless: forOneServer,
    present: showing(token => token),
  },
])
