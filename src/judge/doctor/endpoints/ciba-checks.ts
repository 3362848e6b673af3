import { answerMembers } from '../../../flows/answers/answer-members.js'
import type { Exchange } from '../../../protocol/http/exchange.js'
import type { FormPairs } from '../../../protocol/http/form.js'
import { CIBA_GRANT_TYPE } from '../../../protocol/oauth/answers.js'
import { type Judgement, NO_ANSWER, notApplicable, notTried, passIf } from '../finding.js'
import { ofConfidential, type Requester, refusedAs, refusedWith, seen } from '../requester.js'
import { ofEndpoint } from './endpoint-check.js'

const endpoint = 'backchannel_authentication_endpoint'

/** The reports of servers without the endpoint are silent about it. */
const applies = ({ metadata }: Requester) => metadata[endpoint] !== undefined

/** The honest request of each examination: one alone, because a person is asked each time. */
const begun = new WeakMap<Requester, Promise<Exchange | undefined>>()

/** The parameters of an honest request; undefined where nobody here knows a person. */
function honest({ server: { credentials } }: Requester): FormPairs | undefined {
  if (credentials === undefined) return undefined
  return [
    ['scope', 'openid'],
    ['login_hint', credentials.username],
    ['binding_message', 'doctor'],
  ]
}

/** Judges a server where the honest request is acknowledged. */
async function onBegun(
  requester: Requester,
  url: string,
  judge: (asked: FormPairs, authReqId: string) => Judgement | Promise<Judgement>,
): Promise<Judgement> {
  const asked = honest(requester)
  if (asked === undefined) return notTried('it is not known who logs in')
  const exchange = await (begun.get(requester) ?? begin(requester, url, asked))
  if (exchange?.response === undefined) return notTried(NO_ANSWER)
  const { status } = exchange.response
  if (status >= 500) return notTried(`the server fails: ${seen(exchange)}`)
  if (status >= 300)
    return notApplicable(`the client may not use backchannel authentication: ${seen(exchange)}`)
  const { auth_req_id: id } = answerMembers(exchange)
  return typeof id === 'string' ? judge(asked, id) : notTried('the answer has no auth_req_id')
}

function begin(requester: Requester, url: string, asked: FormPairs): Promise<Exchange | undefined> {
  const made = requester.post(url, asked)
  begun.set(requester, made)
  return made
}

/** A token request with an auth_req_id. */
const poll = (authReqId: string): FormPairs => [
  ['grant_type', CIBA_GRANT_TYPE],
  ['auth_req_id', authReqId],
]

const without = (pairs: FormPairs, ...names: readonly string[]) =>
  pairs.filter(([name]) => !names.includes(name))

/** Checks the backchannel authentication endpoint (OpenID Connect CIBA Core §7, §10). Nothing is approved. */
export const cibaChecks = ofEndpoint(
  'ciba',
  endpoint,
  [
    {
      name: 'ciba-announced',
      title: 'a server with the endpoint announces its grant and its delivery modes',
      rule: 'OpenID Connect CIBA Core §4',
      severity: 'weakness',
      check: async ({ metadata }) => {
        const { grant_types_supported: grants, backchannel_token_delivery_modes_supported: modes = [] } =
          metadata
        const known = modes.filter(each => /^(poll|ping|push)$/.test(each))
        if (!grants?.includes(CIBA_GRANT_TYPE)) return passIf(false, 'grant_types_supported lacks the grant')
        return passIf(known.length > 0, known.join(', ') || 'no delivery modes')
      },
    },
    {
      name: 'ciba-waits',
      title: 'a client gets no token before the person decided',
      rule: 'OpenID Connect CIBA Core §11',
      check: (requester, url) =>
        onBegun(requester, url, async (_asked, id) => {
          const { token_endpoint: tokens } = requester.metadata
          if (tokens === undefined) return notTried('the server announces no token_endpoint')
          return refusedWith(await requester.post(tokens, poll(id)), ['authorization_pending', 'slow_down'])
        }),
    },
    {
      name: 'ciba-other-client',
      title: 'another client gets nothing by the auth_req_id',
      rule: 'OpenID Connect CIBA Core §11',
      check: (requester, url) =>
        onBegun(requester, url, async (_asked, id) => {
          const { token_endpoint: tokens } = requester.metadata
          const other = requester.server.other ?? requester.server.publicClient
          if (other === undefined) return notTried('no second client of this server is known')
          if (tokens === undefined) return notTried('the server announces no token_endpoint')
          return refusedWith(await requester.post(tokens, poll(id), other), [
            'invalid_grant',
            'unauthorized_client',
          ])
        }),
    },
    {
      name: 'ciba-no-hint',
      title: 'a request that names nobody is refused',
      rule: 'OpenID Connect CIBA Core §7.1',
      check: (requester, url) =>
        onBegun(requester, url, async asked =>
          refusedWith(await requester.post(url, without(asked, 'login_hint')), ['invalid_request']),
        ),
    },
    {
      name: 'ciba-two-hints',
      title: 'a request with two hints is refused',
      rule: 'OpenID Connect CIBA Core §7.1',
      check: (requester, url) =>
        onBegun(requester, url, async asked =>
          refusedWith(await requester.post(url, [...asked, ['login_hint_token', 'doctor']]), [
            'invalid_request',
          ]),
        ),
    },
    {
      name: 'ciba-no-openid',
      title: 'a request without openid is refused',
      rule: 'OpenID Connect CIBA Core §7.1',
      check: (requester, url) =>
        onBegun(requester, url, async asked =>
          refusedWith(await requester.post(url, [['scope', 'profile'], ...without(asked, 'scope')]), [
            'invalid_scope',
            'invalid_request',
          ]),
        ),
    },
    {
      name: 'ciba-no-credentials',
      title: 'a confidential client asks nobody without its credentials',
      rule: 'OpenID Connect CIBA Core §7',
      check: (requester, url) =>
        ofConfidential(requester, () =>
          onBegun(requester, url, asked => refusedAs('no-proof', requester, url, asked)),
        ),
    },
  ],
  applies,
)
