import { answerMembers } from '../../../flows/answers/answer-members.js'
import type { Exchange } from '../../../protocol/http/exchange.js'
import { readPairs } from '../../../protocol/http/form.js'
import { header, splitUrl } from '../../../protocol/http/message.js'
import { isJwtMode, RESPONSE_MODES } from '../../../protocol/oauth/authorization-request.js'
import { landedPairs, peekedClaims } from '../../../protocol/oauth/authorization-response.js'
import { fault, type Judgement, NO_ANSWER, notApplicable, notTried, pass } from '../finding.js'
import { askDirectly, type RequestChange } from '../honest-request.js'
import type { Requester } from '../requester.js'
import { ofEndpoint } from './endpoint-check.js'

/** Asks the authorization endpoint without any session, and without a page for a person (`prompt=none`). */
export function askedSilently(requester: Requester, change: RequestChange): Promise<Exchange | undefined> {
  const silent: RequestChange = { ...change, extra: [['prompt', 'none']] }
  return askDirectly(requester, silent, [['accept', 'text/html']])
}

/** The JWT modes that a server announces (JARM §4), as far as they are known here. */
function announcedModes({ metadata }: Requester) {
  const announced: unknown = metadata.response_modes_supported
  return RESPONSE_MODES.filter(
    mode => isJwtMode(mode) && Array.isArray(announced) && announced.includes(mode),
  )
}

/** The parameters of an answer: those in a redirect, or in a page that posts them. */
function sentIn({ response }: Exchange): ReadonlyMap<string, string> {
  const location = response && header(response, 'location')
  if (location !== undefined) {
    return new Map(readPairs(`${splitUrl(location).query}&${location.split('#', 2)[1] ?? ''}`))
  }
  const tags = response?.body.match(/<input\b[^>]{0,20000}>/gi) ?? []
  const value = (tag: string, name: string) =>
    new RegExp(`\\b${name}\\s*=\\s*["']([^"']*)["']`, 'i').exec(tag)?.[1]
  return new Map(tags.map(tag => [value(tag, 'name') ?? '', value(tag, 'value') ?? '']))
}

/** The error of an answer: in a JWT, plain, or in JSON. */
function errorIn(exchange: Exchange): string | undefined {
  const sent = sentIn(exchange)
  const claims = peekedClaims(sent.get('response') ?? '')
  if (claims === 'encrypted') return undefined
  if (claims !== undefined) return new Map(landedPairs(claims)).get('error')
  const { error } = answerMembers(exchange)
  return sent.get('error') ?? (typeof error === 'string' ? error : undefined)
}

/** Errors of a request that the server would have gone on with. */
const WENT_ON = /^(login|consent|interaction|account_selection)_required$/

/** Errors that come before the response mode is judged. */
const BEFORE = /^(unauthorized_client|unsupported_response_type|invalid_scope)$/

async function modesAnswered(requester: Requester): Promise<Judgement> {
  const modes = announcedModes(requester)
  if (modes.length === 0) return notApplicable('the server announces no response mode with a JWT')
  const plain: string[] = []
  for (const mode of modes) {
    const exchange = await askedSilently(requester, { responseMode: mode })
    if (!exchange?.response) return notTried(NO_ANSWER)
    if (sentIn(exchange).has('response')) continue
    const error = errorIn(exchange)
    if (error === undefined) return notTried(`no answer to the client (${exchange.response.status})`)
    plain.push(`${mode}: ${error}`)
  }
  return plain.length === 0
    ? pass(modes.join(', '))
    : fault(`announced, and answered without a JWT: ${plain.join(', ')}`)
}

async function loginAnswered(requester: Requester): Promise<Judgement> {
  const [mode] = announcedModes(requester)
  if (mode === undefined) return notApplicable('the server announces no response mode with a JWT')
  if (!requester.works) return notTried('the flow without any wrong move is not granted')
  const { steps, outcome } = await requester.honest({ responseMode: mode })
  const verified = steps.find(({ name }) => name === 'response_verification')
  const checks = verified?.token?.checks ?? []
  const broken = checks.find(({ ok, advice }) => !ok && !advice)
  if (broken !== undefined) return fault(`${broken.name}: ${broken.detail ?? 'wrong'}`)
  const { error } = outcome ?? {}
  if (checks.length === 0) {
    const isPlain = error?.rule === 'JARM §2.3'
    return isPlain ? fault(error!.error_description) : notTried(error?.error_description ?? NO_ANSWER)
  }
  const alg = checks.find(({ name }) => name === 'alg')?.detail ?? 'an announced algorithm'
  return pass(`${mode}, signed by ${alg}`)
}

async function tokensInQuery(requester: Requester): Promise<Judgement> {
  if (!announcedModes(requester).includes('query.jwt'))
    return notApplicable('the server announces no query.jwt')
  const type = requester.metadata.response_types_supported?.find(each => /token/.test(each))
  if (type === undefined) return notApplicable('no response type with a token is announced')
  const exchange = await askedSilently(requester, {
    responseType: type,
    responseMode: 'query.jwt',
    nonce: 'oauth-lab-doctor',
  })
  if (!exchange?.response) return notTried(NO_ANSWER)
  const jwt = sentIn(exchange).get('response')
  if (jwt === undefined && WENT_ON.test(errorIn(exchange) ?? '')) {
    return notTried('query.jwt is answered without a JWT')
  }
  if (peekedClaims(jwt ?? '') === 'encrypted') {
    return notApplicable('the answers to this client are encrypted')
  }
  const error = errorIn(exchange)
  const { status } = exchange.response
  if (error === undefined)
    return status >= 400 ? pass(`an error page (${status})`) : notTried(`no error (${status})`)
  if (BEFORE.test(error)) return notApplicable(`this client may not ask for ${type}: ${error}`)
  return WENT_ON.test(error) ? fault(`${type} with query.jwt is not refused: ${error}`) : pass(error)
}

/** Checks the answers that come as a JWT (JARM), where the server announces such response modes. */
export const responseJwtChecks = ofEndpoint('authorization', 'authorization_endpoint', [
  {
    name: 'response-jwt-modes',
    title: 'every announced JWT mode answers with a JWT, errors too',
    rule: 'JARM §2.1',
    check: modesAnswered,
  },
  {
    name: 'response-jwt-signed',
    title: 'a response JWT has iss, aud, exp and the signature of an announced algorithm',
    rule: 'JARM §3',
    check: loginAnswered,
  },
  {
    name: 'response-jwt-query',
    title: 'query.jwt is refused for tokens, unless the answer is encrypted',
    rule: 'JARM §2.3.1',
    check: tokensInQuery,
  },
])
