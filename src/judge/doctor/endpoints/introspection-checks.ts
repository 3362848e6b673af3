import { answerMembers } from '../../../flows/answers/answer-members.js'
import type { FormPairs } from '../../../protocol/http/form.js'
import { alterToken } from '../../tamper/forged-tokens.js'
import { isPublic } from '../../tamper/situation.js'
import { fault, type Judgement, notApplicable, notTried, pass, remark } from '../finding.js'
import { withoutPublicClients } from '../profile-checks.js'
import {
  answered,
  ofConfidential,
  type Requester,
  refusedAs,
  refusedWith,
  seen,
  UNKNOWN_TOKEN,
} from '../requester.js'
import { ofEndpoint } from './endpoint-check.js'

const NO_TOKEN = 'the flow without any wrong move gets no token'

const UNSUPPORTED = 'the server introspects no tokens of this type (unsupported_token_type)'

/** Judges by a good access token, as a confidential client. Nothing is tried without one. */
async function withToken(
  requester: Requester,
  judge: (token: string) => Promise<Judgement>,
): Promise<Judgement> {
  if (isPublic(requester.server.client)) return notApplicable('the client is public, and may not introspect')
  const held = await requester.tokens()
  return held === undefined ? notTried(NO_TOKEN) : judge(held.access_token)
}

/** The parameters that ask about a token that is good, if there is one. */
async function anyToken({ tokens }: Requester): Promise<FormPairs> {
  return [['token', (await tokens())?.access_token ?? UNKNOWN_TOKEN]]
}

/** Judges an answer that must report no active token. */
function inactive(exchange: Parameters<typeof answered>[0]): Judgement {
  return answered(exchange, (answer, status) => {
    if (status === 401 || status === 403)
      return notApplicable(`the client may not introspect: ${seen(answer)}`)
    const { active, error, ...more } = answerMembers(answer)
    if (error === 'unsupported_token_type') return notTried(UNSUPPORTED)
    if (status < 300 && active === true) return fault('reported as active')
    if (status >= 300) return remark(`refused otherwise: expected 200 and active: false; got ${seen(answer)}`)
    if (active !== false) return fault('the answer has no member active')
    const members = Object.keys(more)
    return members.length === 0
      ? pass('active: false')
      : remark(`active: false, beside ${members.join(', ')}`)
  })
}

/** Judges the answer to somebody who may not ask. */
function uninformed(exchange: Parameters<typeof answered>[0]): Judgement {
  return answered(exchange, (answer, status) => {
    const { active } = answerMembers(answer)
    if (status < 300 && active === true) return fault('the token is described')
    if (status < 300) return remark(`not refused, and nothing is described: ${seen(answer)}`)
    return refusedWith(answer, [], [400, 401, 403])
  })
}

/** Checks the introspection endpoint (RFC 7662). */
export const introspectionChecks = ofEndpoint('introspection', 'introspection_endpoint', [
  {
    name: 'introspection-active',
    severity: 'weakness',
    title: 'an honest token is active, and belongs to its client',
    rule: 'RFC 7662 §2.2',
    check: (requester, url) =>
      withToken(requester, async token =>
        answered(await requester.post(url, [['token', token]]), (answer, status) => {
          if (status === 401 || status === 403)
            return notApplicable(`the client may not introspect: ${seen(answer)}`)
          const { active, error, client_id: owner } = answerMembers(answer)
          if (error === 'unsupported_token_type') return notTried(UNSUPPORTED)
          if (active !== true) return fault(`not reported as active: ${seen(answer)}`)
          if (owner !== undefined && owner !== requester.server.client.clientId) {
            return fault('it names another client_id')
          }
          return pass('active: true')
        }),
      ),
  },
  {
    name: 'introspection-unknown-token',
    title: 'a token that nobody issued is not active, and nothing more is said',
    rule: 'RFC 7662 §2.2',
    check: async ({ server: { client }, post }, url) =>
      isPublic(client)
        ? notApplicable('the client is public, and may not introspect')
        : inactive(await post(url, [['token', UNKNOWN_TOKEN]])),
  },
  {
    name: 'introspection-altered-token',
    title: 'a token whose subject was changed is not active',
    rule: 'RFC 7662 §4',
    check: (requester, url) =>
      withToken(requester, async token =>
        inactive(await requester.post(url, [['token', alterToken(token)]])),
      ),
  },
  {
    name: 'introspection-no-credentials',
    title: 'nobody introspects without authentication',
    rule: 'RFC 7662 §2.1',
    check: async (requester, url) =>
      uninformed(await requester.pretend('no-proof', url, await anyToken(requester))),
  },
  {
    name: 'introspection-wrong-secret',
    title: 'a client with a wrong secret, key or certificate is refused',
    rule: 'RFC 7662 §2.1',
    check: (requester, url) =>
      ofConfidential(requester, async () =>
        refusedAs('wrong-proof', requester, url, await anyToken(requester)),
      ),
  },
  {
    name: 'introspection-public-client',
    title: 'a public client, which everybody can pretend to be, learns nothing about tokens',
    rule: 'RFC 7662 §4',
    check: async (requester, url) => {
      const { client, publicClient } = requester.server
      const someone = isPublic(client) ? client : publicClient
      if (someone === undefined) {
        return (
          withoutPublicClients(requester.metadata) ??
          notTried('no public client of this server is known: --second-client-id')
        )
      }
      return uninformed(await requester.post(url, await anyToken(requester), someone))
    },
  },
])
