import { answerMembers } from '../../../flows/answers/answer-members.js'
import { TimeoutError, TransportError } from '../../../protocol/errors.js'
import type { FormPairs } from '../../../protocol/http/form.js'
import { header } from '../../../protocol/http/message.js'
import {
  type AuthorizationRequest,
  pushedRequest,
  sentParameters,
} from '../../../protocol/oauth/authorization-request.js'
import { OAuthError } from '../../../protocol/oauth/oauth-error.js'
import { STRANGER } from '../../tamper/messages.js'
import { isPublic } from '../../tamper/situation.js'
import {
  fault,
  type Judgement,
  NO_ANSWER,
  notApplicable,
  notTried,
  pass,
  passIf,
  remark,
} from '../finding.js'
import { carried, honestRequest, type RequestChange } from '../honest-request.js'
import { answered, ofConfidential, type Requester, refusedAs, refusedWith, seen } from '../requester.js'
import { ofEndpoint } from './endpoint-check.js'

/** Fewest characters of a request_uri that nobody can guess, behind the prefix `urn:…:`. */
const MIN_REFERENCE = 22

const NO_REQUEST = 'the server announces no authorization endpoint'

/** The parameters of an honest request, as the client pushes them: in a request object, where it sends one. */
async function honest(requester: Requester, change: RequestChange = {}): Promise<FormPairs> {
  const wished = honestRequest(requester, change)
  const way = wished && (await carried(requester, wished, { push: false }))
  if (way === undefined || 'refused' in way) return []
  // The client names itself with its credentials.
  return sentParameters(way.request, 'pushed').filter(([name]) => name !== 'client_id')
}

interface Pushed {
  readonly uri: string
  readonly seconds: unknown
}

/** Pushes an honest request. Returns the judgement where that is refused. */
async function pushOnce(requester: Requester, url: string): Promise<Pushed | Judgement> {
  const exchange = await requester.post(url, await honest(requester))
  const status = exchange?.response?.status
  if (exchange === undefined || status === undefined) return notTried(NO_ANSWER)
  const { request_uri: uri, expires_in: seconds } = answerMembers(exchange)
  if (typeof uri === 'string' && uri !== '') return { uri, seconds }
  return notApplicable(`the client cannot push requests: ${seen(exchange)}`)
}

/** Judges a pushed request. */
async function onPushed(
  requester: Requester,
  url: string,
  judge: (pushed: Pushed) => Judgement | Promise<Judgement>,
): Promise<Judgement> {
  const pushed = await pushOnce(requester, url)
  return 'uri' in pushed ? judge(pushed) : pushed
}

/** The end of a request that a browser carries: a code, an error, or a page that cannot be read. */
async function outcomeOf(
  { ports: { agentWith, send, signal } }: Requester,
  request: AuthorizationRequest,
): Promise<'code' | 'refused' | 'unread'> {
  try {
    for await (const { landed } of agentWith(send).authorize({ request, signal })) {
      if (landed !== undefined) return new URL(landed).searchParams.has('code') ? 'code' : 'refused'
    }
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof TransportError || error instanceof TimeoutError) return 'unread'
    if (!(error instanceof OAuthError)) throw error
    return ['error_page', 'invalid_request', 'invalid_request_uri'].includes(error.code)
      ? 'refused'
      : 'unread'
  }
  return 'unread'
}

/** Checks the pushed authorization request endpoint (RFC 9126). */
export const parChecks = ofEndpoint('par', 'pushed_authorization_request_endpoint', [
  {
    name: 'par-pushed',
    title: 'an honest request is pushed, and answered with 201',
    rule: 'RFC 9126 §2.2',
    severity: 'remark',
    check: async (requester, url) =>
      answered(await requester.post(url, await honest(requester)), (answer, status) =>
        typeof answerMembers(answer).request_uri === 'string'
          ? passIf(status === 201, seen(answer))
          : notApplicable(`the client cannot push requests: ${seen(answer)}`),
      ),
  },
  {
    name: 'par-required',
    title: 'a request that was not pushed is refused, where the server announces so',
    rule: 'RFC 9126 §5',
    check: async requester => {
      const { metadata, send } = requester
      if (metadata.require_pushed_authorization_requests !== true) {
        return notApplicable('the server takes requests that were not pushed')
      }
      const url = honestRequest(requester)?.url
      if (url === undefined) return notApplicable(NO_REQUEST)
      const exchange = await send({ method: 'GET', url, headers: [], body: new Uint8Array() })
      const { status, ...answer } = exchange?.response ?? { status: undefined, headers: [] }
      if (status === undefined) return notTried(NO_ANSWER)
      if (status >= 400) return pass(`${status}`)
      const location = header(answer, 'location')
      const refused = location !== undefined && /[?&#]error=/.test(location)
      return passIf(refused, refused ? 'an error by redirect' : `a request that was not pushed: ${status}`)
    },
  },
  {
    name: 'par-lifetime',
    title: 'a pushed request lives between 5 and 600 seconds',
    rule: 'RFC 9126 §2.2',
    severity: 'weakness',
    check: (requester, url) =>
      onPushed(requester, url, ({ seconds }) =>
        typeof seconds === 'number'
          ? passIf(seconds >= 5 && seconds <= 600, `${seconds} s`)
          : fault('expires_in is missing'),
      ),
  },
  {
    name: 'par-unguessable',
    title: 'a request_uri is long, and never the same',
    rule: 'RFC 9126 §7.1',
    check: (requester, url) =>
      onPushed(requester, url, async ({ uri }) => {
        const other = await pushOnce(requester, url)
        if ('uri' in other && other.uri === uri) return fault('two requests were given the same request_uri')
        const reference = uri.slice(uri.lastIndexOf(':') + 1)
        return passIf(reference.length >= MIN_REFERENCE, `${reference.length} characters`)
      }),
  },
  {
    name: 'par-reuse',
    title: 'a request_uri is good for one authorization',
    rule: 'RFC 9126 §4',
    severity: 'weakness',
    check: (requester, url) =>
      onPushed(requester, url, async ({ uri }) => {
        const request = honestRequest(requester)
        if (!request) return notApplicable(NO_REQUEST)
        const pushed = pushedRequest(request, uri)
        if ((await outcomeOf(requester, pushed)) !== 'code') return notTried('the first request gets no code')
        const again = await outcomeOf(requester, pushed)
        if (again === 'unread') return notTried('the page of the second request cannot be read')
        return again === 'refused'
          ? pass('the second use is refused')
          : fault('a second code for the same request_uri')
      }),
  },
  {
    name: 'par-request-uri',
    title: 'a pushed request names no other pushed request',
    rule: 'RFC 9126 §2.1',
    check: (requester, url) =>
      onPushed(requester, url, async ({ uri }) =>
        refusedWith(await requester.post(url, [...(await honest(requester)), ['request_uri', uri]]), [
          'invalid_request',
        ]),
      ),
  },
  {
    name: 'par-unregistered-redirect-uri',
    title: 'an address that nobody registered is refused when it is pushed',
    rule: 'RFC 9126 §2.1',
    check: (requester, url) =>
      onPushed(requester, url, async () => {
        const lure = await honest(requester, { redirectUri: `https://${STRANGER}/callback` })
        const judged = refusedWith(await requester.post(url, lure), [])
        if (judged.result !== 'fault' || isPublic(requester.server.client)) return judged
        return remark('accepted, which RFC 9126 §2.4 allows for clients that authenticate')
      }),
  },
  {
    name: 'par-no-credentials',
    title: 'a confidential client pushes nothing without its credentials',
    rule: 'RFC 9126 §2.1',
    check: (requester, url) =>
      ofConfidential(requester, async () => refusedAs('no-proof', requester, url, await honest(requester))),
  },
  {
    name: 'par-wrong-secret',
    title: 'a client with a wrong secret, key or certificate is refused',
    rule: 'RFC 9126 §2.1',
    check: (requester, url) =>
      ofConfidential(requester, async () =>
        refusedAs('wrong-proof', requester, url, await honest(requester)),
      ),
  },
])
