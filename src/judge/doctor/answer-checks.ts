import { answerMembers } from '../../flows/answers/answer-members.js'
import { header, headerValues, mediaType } from '../../protocol/http/message.js'
import { lacksChallenge } from '../../protocol/oauth/bearer.js'
import { decodeIfJwt } from '../../protocol/tokens/decode.js'
import { isPublic } from '../tamper/situation.js'
import { exchangeOf, type Facts, inGroup, onTried } from './facts.js'
import { fault, type Judgement, notApplicable, notTried, pass, passIf, remark } from './finding.js'
import { AFTER_REPLAY } from './move-findings.js'

const NO_TOKENS = 'no tokens were issued'
const ACCEPTED = 'the wrong request was answered without an error'
const NO_PREFLIGHT = 'the token endpoint did not answer OPTIONS'
const NOT_SHOWN = 'no token was shown anywhere'

const challenges = (response: Parameters<typeof headerValues>[0]) =>
  headerValues(response, 'www-authenticate').join(', ')

/** A day, in seconds. */
const DAY = 86_400

/** The members of the answer to the token request. */
function exchangeMembers(facts: Facts): Readonly<Record<string, unknown>> {
  const exchange = exchangeOf(facts, 'token_request')
  return exchange ? answerMembers(exchange) : {}
}

/** The lifetime that a JWT states, in seconds; undefined for a token that states none. */
function statedLifetime(token: string): number | undefined {
  const { exp, iat } = decodeIfJwt(token)?.claims ?? {}
  return typeof exp === 'number' && typeof iat === 'number' ? exp - iat : undefined
}

/** Judges the lifetime of a token, in seconds. */
function onLifetime(
  facts: Facts,
  kind: 'access_token' | 'id_token',
  lifetime: (stated: number | undefined) => number | undefined,
): Judgement {
  const members = exchangeMembers(facts)
  const token = members[kind]
  if (typeof token !== 'string') {
    return members.access_token === undefined ? notTried(NO_TOKENS) : notApplicable(`no ${kind} was issued`)
  }
  const seconds = lifetime(statedLifetime(token))
  return seconds === undefined
    ? notApplicable('no lifetime is stated')
    : passIf(seconds <= DAY, `${seconds} s`)
}

/** Checks the form of answers. */
export const answerChecks = inGroup<Facts>('token', [
  {
    name: 'token-content-type',
    severity: 'weakness',
    title: 'tokens come as application/json',
    rule: 'RFC 6749 §5.1',
    judge: facts =>
      onTried(exchangeOf(facts, 'token_request'), NO_TOKENS, response =>
        passIf(mediaType(response) === 'application/json', mediaType(response) || 'no content type'),
      ),
  },
  {
    name: 'token-no-store',
    severity: 'weakness',
    title: 'answers with tokens may not be cached',
    rule: 'RFC 6749 §5.1',
    judge: facts =>
      onTried(exchangeOf(facts, 'token_request'), NO_TOKENS, response => {
        const control = header(response, 'cache-control') ?? 'no Cache-Control'
        return passIf(/\bno-store\b/i.test(control), control)
      }),
  },
  {
    name: 'access-token-lifetime',
    severity: 'weakness',
    title: 'an access token lives no longer than a day',
    rule: 'RFC 6750 §5.3',
    judge: facts =>
      onLifetime(facts, 'access_token', seconds => {
        const { expires_in: announced } = exchangeMembers(facts)
        return typeof announced === 'number' ? Math.max(announced, seconds ?? 0) : seconds
      }),
  },
  {
    name: 'id-token-lifetime',
    severity: 'remark',
    title: 'an id_token lives no longer than a day',
    rule: 'OpenID Connect Core §2',
    judge: facts => onLifetime(facts, 'id_token', seconds => seconds),
  },
  {
    name: 'token-error-form',
    severity: 'remark',
    title: 'errors of the token endpoint are JSON with a code',
    rule: 'RFC 6749 §5.2',
    judge: ({ answers }) => {
      const exchange = answers.get('guessed-code')
      return onTried(exchange, NO_TOKENS, response => {
        if (response.status < 400) return notApplicable(ACCEPTED)
        const { error } = exchange ? answerMembers(exchange) : {}
        const json = mediaType(response) === 'application/json'
        return passIf(json && typeof error === 'string', `${response.status} ${mediaType(response)}`)
      })
    },
  },
  {
    name: 'basic-challenge',
    severity: 'remark',
    title: 'a wrong secret in the header is answered with 401 and WWW-Authenticate',
    rule: 'RFC 6749 §5.2',
    judge: ({ answers, flow: { client } }) => {
      if (client.auth !== 'client_secret_basic')
        return notApplicable('the client sends no Authorization header')
      return onTried(answers.get('wrong-secret'), NO_TOKENS, response =>
        response.status < 400
          ? notApplicable(ACCEPTED)
          : passIf(
              response.status === 401 && /\bbasic\b/i.test(challenges(response)),
              `${response.status}, WWW-Authenticate: ${challenges(response) || 'none'}`,
            ),
      )
    },
  },
  {
    name: 'token-cors',
    severity: 'remark',
    title: 'clients in the browser can call the token endpoint (CORS)',
    rule: 'RFC 10017 §6.3.3.4',
    judge: ({ tokenPreflight, flow: { client }, publication: { metadata } }) => {
      const { token_endpoint_auth_methods_supported: methods = [] } = metadata
      if (!isPublic(client) && !methods.includes('none'))
        return notApplicable('no public clients are announced')
      return onTried(tokenPreflight, NO_PREFLIGHT, (response, { request }) => {
        const allowed = header(response, 'access-control-allow-origin')
        if (allowed !== undefined) return pass(`Access-Control-Allow-Origin: ${allowed}`)
        const origin = header(request, 'origin')
        return fault(`a page of ${origin} may not: no Access-Control-Allow-Origin`)
      })
    },
  },
  {
    name: 'replay-revokes',
    title: 'when a code is replayed, what was issued for it is revoked',
    rule: 'RFC 6749 §4.1.2',
    judge: ({ answers }) =>
      onTried(answers.get(AFTER_REPLAY), 'no token of a replayed code could be tried', ({ status }) => {
        if (status < 400) return fault(`the access token is still taken (${status})`)
        const gone = `the access token is no longer taken (${status})`
        return status === 401 || status === 403 ? pass(gone) : remark(gone)
      }),
  },
  {
    group: 'resource',
    name: 'userinfo-takes-token',
    title: 'the userinfo endpoint takes the access token',
    rule: 'OpenID Connect Core §5.3.1',
    judge: ({ taken, publication: { metadata } }) =>
      metadata.userinfo_endpoint === undefined && !taken.has('userinfo')
        ? notApplicable('the server has no userinfo endpoint')
        : onTried(taken.get('userinfo'), NO_TOKENS, ({ status }) =>
            status === 403
              ? notApplicable('the token has not the scope openid')
              : passIf(status === 200, String(status)),
          ),
  },
  {
    group: 'resource',
    name: 'bearer-challenge',
    severity: 'remark',
    title: 'a request without a token gets WWW-Authenticate, and no error code',
    rule: 'RFC 6750 §3.1',
    judge: ({ answers }) =>
      onTried(answers.get('no-token') ?? answers.get('resource-no-token'), NOT_SHOWN, response => {
        if (response.status < 400) return notApplicable(ACCEPTED)
        const challenge = challenges(response)
        return passIf(
          /\bbearer\b/i.test(challenge) && !/\berror=/.test(challenge),
          `WWW-Authenticate: ${challenge || 'none'}`,
        )
      }),
  },
  {
    group: 'resource',
    name: 'invalid-token-challenge',
    severity: 'remark',
    title: 'a token that is not taken is answered with WWW-Authenticate and invalid_token',
    rule: 'RFC 6750 §3.1',
    judge: ({ answers }) =>
      onTried(answers.get('altered-token') ?? answers.get('resource-altered-token'), NOT_SHOWN, response => {
        if (response.status < 400) return notApplicable(ACCEPTED)
        const challenge = challenges(response)
        return passIf(/\berror="?invalid_token\b/.test(challenge), `WWW-Authenticate: ${challenge || 'none'}`)
      }),
  },
  {
    group: 'resource',
    name: 'unauthorized-challenge',
    severity: 'weakness',
    title: 'every 401 says how to authenticate (WWW-Authenticate)',
    rule: 'RFC 9110 §11.6.1',
    judge: ({ answers, taken }) => {
      const seen = [...answers, ...taken].filter(([, { response }]) => response?.status === 401)
      if (seen.length === 0) return notTried('no answer with 401 was seen')
      const bare = seen.filter(([, exchange]) => lacksChallenge(exchange)).map(([name]) => name)
      return bare.length === 0
        ? pass(seen.length === 1 ? 'in 1 answer' : `in ${seen.length} answers`)
        : fault(`missing after ${bare.join(', ')}`)
    },
  },
])
