import { answerMembers } from '../../../flows/answers/answer-members.js'
import { resourceRequest } from '../../../flows/steps/resource-step.js'
import { tokenRequest } from '../../../protocol/oauth/token.js'
import { fault, type Judgement, notApplicable, notTried, pass, passIf, remark } from '../finding.js'
import {
  answered,
  ofConfidential,
  type Requester,
  refusedAs,
  refusedWith,
  seen,
  UNKNOWN_TOKEN,
} from '../requester.js'
import { placesOf } from '../server-under-test.js'
import { ofEndpoint } from './endpoint-check.js'

const NO_TOKEN = 'no token was issued that could be revoked'
const NO_PLACE = 'there is neither a userinfo nor an introspection endpoint that judges the token'

/** True while the server itself accepts an access token; undefined where nobody can ask it. */
async function isAccepted(requester: Requester, token: string): Promise<boolean | undefined> {
  const { metadata, send, post } = requester
  // A resource server may verify tokens by itself, and then learns of no revocation (RFC 7009 §3).
  const userinfo = placesOf(requester).find(({ kind }) => kind === 'userinfo')
  if (userinfo) return answeredWell(await send(resourceRequest(userinfo.url, token)))
  const { introspection_endpoint: url } = metadata
  if (url === undefined) return undefined
  const exchange = await post(url, [['token', token]])
  return exchange && (answerMembers(exchange).active as boolean | undefined)
}

function answeredWell(exchange: Parameters<typeof answered>[0]): boolean | undefined {
  const status = exchange?.response?.status
  return status === undefined ? undefined : status < 300
}

/** Judges a refused revocation of an honest token. */
function refused(answer: Parameters<typeof seen>[0]): Judgement {
  const { error } = answerMembers(answer)
  // RFC 7009 §2.2.1 lets a server revoke refresh tokens alone.
  if (error === 'unsupported_token_type') return remark('the server revokes no access tokens')
  return fault(`not revoked: ${seen(answer)}`)
}

/** Checks the revocation endpoint (RFC 7009). The order matters: later checks need a token that is still good. */
export const revocationChecks = ofEndpoint('revocation', 'revocation_endpoint', [
  {
    name: 'revocation-other-client',
    title: 'a client cannot revoke the token of another',
    rule: 'RFC 7009 §2.1',
    check: async (requester, url) => {
      const { server, spare, post } = requester
      const other = server.other ?? server.publicClient
      if (other === undefined) return notTried('no second client of this server is known')
      const tokens = await spare()
      if (tokens === undefined) return notTried(NO_TOKEN)
      if ((await isAccepted(requester, tokens.access_token)) !== true) return notTried(NO_PLACE)
      const exchange = await post(url, [['token', tokens.access_token]], other)
      const still = await isAccepted(requester, tokens.access_token)
      return answered(exchange, (answer, status) => {
        if (still === undefined) return notTried('the token cannot be judged')
        if (!still) return fault(`the token is revoked (${seen(answer)})`)
        return status < 300 ? remark('answered 200, and nothing was revoked') : pass(seen(answer))
      })
    },
  },
  {
    name: 'revocation-works',
    title: 'a revoked access token is accepted no more',
    rule: 'RFC 7009 §2.1',
    check: async (requester, url) => {
      const tokens = await requester.spare()
      if (tokens === undefined) return notTried(NO_TOKEN)
      const before = await isAccepted(requester, tokens.access_token)
      if (before !== true)
        return notTried(before === undefined ? NO_PLACE : 'the token is not accepted before')
      const exchange = await requester.post(url, [
        ['token', tokens.access_token],
        ['token_type_hint', 'access_token'],
      ])
      const still = await isAccepted(requester, tokens.access_token)
      return answered(exchange, (answer, status) => {
        if (status >= 300) return refused(answer)
        return still === true ? fault('the token is still accepted') : pass(seen(answer))
      })
    },
  },
  {
    name: 'revocation-refresh-token',
    title: 'a revoked refresh token is accepted no more',
    rule: 'RFC 7009 §2.1',
    check: async ({ server: { client }, metadata, spare, post, send }, url) => {
      const token = (await spare())?.refresh_token
      const tokenEndpoint = metadata.token_endpoint
      if (token === undefined || tokenEndpoint === undefined)
        return notApplicable('no refresh token was issued')
      const revoked = answered(
        await post(url, [
          ['token', token],
          ['token_type_hint', 'refresh_token'],
        ]),
        (answer, status) => (status < 300 ? pass(seen(answer)) : fault(`not revoked: ${seen(answer)}`)),
      )
      if (revoked.result !== 'pass') return revoked
      const parameters = [['refresh_token', token]] as const
      return refusedWith(
        await send(
          tokenRequest({ endpoint: tokenEndpoint, ...client, grantType: 'refresh_token', parameters }),
        ),
        ['invalid_grant'],
      )
    },
  },
  {
    name: 'revocation-unknown-token',
    severity: 'remark',
    title: 'an unknown token is answered like a revoked one',
    rule: 'RFC 7009 §2.2',
    check: async ({ post }, url) =>
      answered(await post(url, [['token', UNKNOWN_TOKEN]]), (answer, status) =>
        passIf(status === 200, seen(answer)),
      ),
  },
  {
    name: 'revocation-no-credentials',
    title: 'a confidential client revokes nothing without its credentials',
    rule: 'RFC 7009 §2.1',
    check: (requester, url) =>
      ofConfidential(requester, () => refusedAs('no-proof', requester, url, [['token', UNKNOWN_TOKEN]])),
  },
  {
    name: 'revocation-wrong-secret',
    title: 'a client with a wrong secret, key or certificate is refused',
    rule: 'RFC 7009 §2.1',
    check: (requester, url) =>
      ofConfidential(requester, () => refusedAs('wrong-proof', requester, url, [['token', UNKNOWN_TOKEN]])),
  },
])
