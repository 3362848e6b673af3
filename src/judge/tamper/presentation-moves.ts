import { decodeIfJwt } from '../../flows/answers/verify-tokens.js'
import { resourceRequest } from '../../flows/steps/resource-step.js'
import { encodeForm } from '../../protocol/http/form.js'
import type { HttpRequest } from '../../protocol/http/message.js'
import { alterToken, hmacToken, selfSignedToken, unsignedToken } from './forged-tokens.js'
import type { NotMade, PresentationMove, Refusal } from './move.js'

const invalidToken: Refusal = { by: 'resource', status: [401], errors: ['invalid_token'] }

/** The audience of the token of `other-audience`. */
export const OTHER_AUDIENCE = 'https://api.example'

/** The request that shows a token, or the reason why the token cannot be made. */
function shows(url: string, token: string | NotMade): HttpRequest | NotMade {
  return typeof token === 'string' ? resourceRequest(url, token) : token
}

/** Access tokens that must not be taken, at the userinfo endpoint or a resource server. */
export const presentationMoves: readonly PresentationMove[] = [
  {
    name: 'no-token',
    at: 'userinfo_request',
    does: 'asks without any access token',
    risk: 'everybody reads what the token protects',
    rule: 'RFC 6750 §3',
    expects: [{ by: 'resource', status: [401], errors: [] }],
    present: ({ endpoint }) => resourceRequest(endpoint),
  },
  {
    name: 'altered-token',
    at: 'userinfo_request',
    does: 'changes the subject in the access token and keeps the signature',
    risk: 'everybody who has a token has everybody’s rights',
    rule: 'RFC 7519 §7.2',
    expects: [invalidToken],
    present: ({ endpoint, tokens }) => resourceRequest(endpoint, alterToken(tokens.access_token)),
  },
  {
    name: 'alg-none',
    at: 'userinfo_request',
    does: 'takes the signature off and says alg: none',
    risk: 'everybody can make tokens',
    rule: 'RFC 8725 §3.2',
    expects: [invalidToken],
    present: ({ endpoint, tokens }) => shows(endpoint, unsignedToken(tokens.access_token)),
  },
  {
    name: 'hmac-with-public-key',
    at: 'userinfo_request',
    does: 'signs with HS256 and the published public key as the secret',
    risk: 'everybody can make tokens: the key is public',
    rule: 'RFC 8725 §2.1',
    expects: [invalidToken],
    present: ({ endpoint, tokens, keys }) => shows(endpoint, hmacToken(tokens.access_token, keys)),
  },
  {
    name: 'foreign-key',
    at: 'userinfo_request',
    does: 'signs with a key of its own under the name of the server’s key',
    risk: 'everybody can make tokens',
    rule: 'RFC 7519 §7.2',
    expects: [invalidToken],
    present: async ({ endpoint, tokens }) => shows(endpoint, await selfSignedToken(tokens.access_token)),
  },
  {
    name: 'embedded-key',
    at: 'userinfo_request',
    does: 'signs with a key of its own and sends that key along in the header',
    risk: 'everybody can make tokens',
    rule: 'RFC 8725 §3.10',
    expects: [invalidToken],
    present: async ({ endpoint, tokens }) =>
      shows(endpoint, await selfSignedToken(tokens.access_token, { embedded: true })),
  },
  {
    name: 'id-token-as-access-token',
    at: 'userinfo_request',
    idToken: true,
    does: 'shows the id_token in place of the access token',
    risk: 'a token that only says who logged in opens doors',
    rule: 'RFC 8725 §3.12',
    expects: [invalidToken],
    present: ({ endpoint, tokens }) =>
      tokens.id_token === undefined
        ? { problem: 'no id_token was issued' }
        : resourceRequest(endpoint, tokens.id_token),
  },
  {
    name: 'other-audience',
    at: 'userinfo_request',
    does: 'shows a resource server a token that is for another one',
    risk: 'a resource server passes tokens on and acts as the person elsewhere',
    rule: 'RFC 9068 §4',
    expects: [invalidToken],
    ask: [['resource', OTHER_AUDIENCE]],
    notHere: ({ resourceServer }) =>
      resourceServer ? undefined : 'no resource server is known, and userinfo is not one',
    present: ({ endpoint, tokens }) =>
      isForElsewhere(tokens.access_token)
        ? resourceRequest(endpoint, tokens.access_token)
        : { problem: 'the server issues no token for a named resource (RFC 8707)' },
  },
  {
    name: 'token-in-query',
    at: 'userinfo_request',
    does: 'puts the access token into the address',
    risk: 'the token ends up in logs and histories',
    rule: 'RFC 9700 §4.3.2',
    expects: [{ by: 'resource', status: [400, 401], errors: [] }],
    present: ({ endpoint, tokens: { access_token } }) =>
      resourceRequest(
        `${endpoint}${endpoint.includes('?') ? '&' : '?'}${encodeForm([['access_token', access_token]])}`,
      ),
  },
  {
    name: 'expired-token',
    at: 'userinfo_request',
    does: 'waits until the access token has expired, by the server’s clock',
    risk: 'a token that leaks once is good for ever',
    rule: 'RFC 6750 §3.1',
    expects: [invalidToken],
    wait: 'accessToken',
    present: ({ endpoint, tokens }) => resourceRequest(endpoint, tokens.access_token),
  },
]

function isForElsewhere(token: string): boolean {
  const aud = decodeIfJwt(token)?.claims.aud
  return Array.isArray(aud) ? aud.includes(OTHER_AUDIENCE) : aud === OTHER_AUDIENCE
}
