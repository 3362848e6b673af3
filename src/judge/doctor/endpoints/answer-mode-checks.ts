import { answerMembers } from '../../../flows/answers/answer-members.js'
import type { Exchange } from '../../../protocol/http/exchange.js'
import { readPairs } from '../../../protocol/http/form.js'
import { header, mediaType, splitUrl } from '../../../protocol/http/message.js'
import { boundCertificate } from '../../../protocol/tokens/confirmation.js'
import { decodeIfJwt } from '../../../protocol/tokens/decode.js'
import { isJsonObject } from '../../../protocol/values.js'
import { fault, type Judgement, NO_ANSWER, notApplicable, notTried, pass, passIf } from '../finding.js'
import { isRaw, REFLECTED } from '../probe.js'
import type { Requester } from '../requester.js'
import { ofEndpoint } from './endpoint-check.js'
import { askedSilently } from './response-jwt-checks.js'

/** Most response types that are asked for. */
const MOST_TYPES = 12

/** The error of an answer in its redirect, in a page that names the code, or to a pushed request. */
function errorOf(exchange: Exchange): string | undefined {
  const { response } = exchange
  if (response === undefined) return undefined
  const { error } = answerMembers(exchange)
  if (typeof error === 'string') return error
  const location = header(response, 'location')
  if (location === undefined) return /\bunsupported_response_type\b/.exec(response.body)?.[0]
  const pairs = readPairs(`${splitUrl(location).query}&${location.split('#', 2)[1] ?? ''}`)
  return new Map(pairs).get('error')
}

/** Judges the page that posts an answer, where the server announces such pages. */
async function onFormPost(
  requester: Requester,
  judge: (exchange: Exchange, response: NonNullable<Exchange['response']>) => Judgement,
): Promise<Judgement> {
  const { response_modes_supported: modes } = requester.metadata as { response_modes_supported?: unknown }
  if (!Array.isArray(modes) || !modes.includes('form_post')) {
    return notApplicable('the server announces no form_post')
  }
  const exchange = await askedSilently(requester, { responseMode: 'form_post', state: REFLECTED })
  const response = exchange?.response
  if (!exchange || !response) return notTried(NO_ANSWER)
  if (response.status >= 300 && response.status < 400) {
    return fault(`form_post is announced, and the answer is a redirect (${response.status})`)
  }
  const posts = mediaType(response) === 'text/html' && response.body.includes(requester.server.redirectUri)
  return posts ? judge(exchange, response) : notTried(`no page that posts an answer (${response.status})`)
}

/** Checks the response types and modes that are announced. */
export const answerModeChecks = ofEndpoint('authorization', 'authorization_endpoint', [
  {
    name: 'response-types-answered',
    title: 'every response type that is announced is supported',
    rule: 'OpenID Connect Discovery §3',
    check: async requester => {
      const types = (requester.metadata.response_types_supported ?? []).slice(0, MOST_TYPES)
      if (types.length === 0) return notApplicable('no response types are announced')
      const refused: string[] = []
      for (const type of types) {
        const exchange = await askedSilently(requester, { responseType: type, nonce: 'oauth-lab-doctor' })
        if (!exchange?.response) return notTried(NO_ANSWER)
        if (errorOf(exchange) === 'unsupported_response_type') refused.push(type)
      }
      if (refused.length > 0 && requester.server.ownProfile) {
        return notApplicable('this client has a profile of its own, under which it has fewer response types')
      }
      return refused.length === 0
        ? pass(types.join(', '))
        : fault(`announced, and unsupported_response_type: ${refused.join(', ')}`)
    },
  },
  {
    name: 'form-post-no-store',
    title: 'a page that posts an answer may not be cached',
    rule: 'RFC 6749 §5.1',
    severity: 'weakness',
    check: requester =>
      onFormPost(requester, (_exchange, response) => {
        const control = header(response, 'cache-control') ?? 'no Cache-Control'
        return passIf(/\bno-store\b/i.test(control), control)
      }),
  },
  {
    name: 'form-post-escapes',
    title: 'a page that posts an answer escapes the state',
    rule: 'RFC 6749 §10.14',
    check: requester =>
      onFormPost(requester, exchange =>
        isRaw({ parameter: 'state', exchange })
          ? fault('the state is repeated as it was sent')
          : pass('escaped'),
      ),
  },
])

/** Checks the binding of tokens to a certificate. */
export const certificateChecks = ofEndpoint(
  'token',
  'token_endpoint',
  [
    {
      name: 'certificate-bound',
      title: 'the token of a client with a certificate is bound to it',
      rule: 'RFC 8705 §3',
      severity: 'weakness',
      check: async requester => {
        if (requester.metadata.tls_client_certificate_bound_access_tokens !== true) {
          return notApplicable('the server announces no bound tokens')
        }
        const tokens = await requester.tokens()
        if (tokens === undefined) return notTried('the flow without any wrong move gets no token')
        const decoded = decodeIfJwt(tokens.access_token)
        if (decoded === undefined) return notApplicable('the token is no JWT: only the server knows')
        const { cnf } = decoded.claims
        if (isJsonObject(cnf) && cnf.jkt !== undefined) {
          return notApplicable('the token is bound to a key of DPoP')
        }
        const thumbprint = boundCertificate(cnf)
        return thumbprint === undefined ? fault('no x5t#S256 in cnf') : pass(`x5t#S256 ${thumbprint}`)
      },
    },
  ],
  ({ server }) => server.certificate !== undefined,
)
