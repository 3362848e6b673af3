import { type Parameters, pairsIfForm, readParameters } from '../protocol/http/form.js'
import type { HttpRequest, HttpResponse } from '../protocol/http/message.js'
import { header, mediaType, splitUrl, text, textResponse } from '../protocol/http/message.js'
import { peekedClaims } from '../protocol/oauth/authorization-response.js'
import type { CallbackVerdict } from './callback-page.js'
import { callbackPage, noAnswerPage, RELAYED_HEADER, relayPage } from './callback-page.js'

/** An authorization response as the redirect_uri received it. */
export interface Arrival {
  /**
   * The redirect_uri with the parameters of the response. Parameters of a form (response_mode form_post) and of a relayed fragment are added to it.
   */
  readonly landed: string
  readonly request: HttpRequest
  readonly response: HttpResponse
  /** Milliseconds from the arrival of the request to its response. */
  readonly ms: number
}

/** The client's redirect_uri, as the user agent uses it. */
export interface Callback {
  /**
   * Waits for the next authorization response. The page in the browser depends on whether the response carries the expected state; the caller must
   * check the state again. A response with another state is answered 400, and does not end the wait.
   */
  receive(state: string | undefined, signal: AbortSignal, options?: ReceiveOptions): Promise<Arrival>
}

/** The options of a wait for an authorization response. */
export interface ReceiveOptions {
  /** The post_logout_redirect_uri of a logout, on the origin of the redirect_uri. Only `state` is expected there. */
  readonly logoutAt?: string
  /** True when the response is in the fragment, which browsers do not send to servers: a script in the page relays it. */
  readonly fragment?: boolean
  /** Called for each response with another state. */
  readonly onForeign?: () => void
}

/** A redirect_uri with the handler of its HTTP server. */
export interface CallbackSite extends Callback {
  handle(request: HttpRequest): Promise<HttpResponse>
}

interface Waiting {
  readonly path: string
  readonly isLogout: boolean
  readonly state: string | undefined
  readonly fragment: boolean
  readonly onForeign: () => void
  readonly arrive: (arrival: Arrival) => void
}

const RESPONSE_PARAMETERS = ['code', 'access_token', 'id_token', 'error', 'state', 'response'] as const

/** Returns the values of a response. Returns undefined when it cannot be decoded. */
function valuesOf(
  parameters: string,
): Parameters<(typeof RESPONSE_PARAMETERS)[number]>['values'] | undefined {
  const pairs = pairsIfForm(parameters)
  return pairs && readParameters(pairs, RESPONSE_PARAMETERS).values
}

/** True when parameters that cannot be decoded contain the expected state, so that they come from the authorization server. */
const holdsState = (parameters: string, state: string): boolean =>
  parameters.split('&').includes(`state=${encodeURIComponent(state)}`)

/**
 * Returns the page to show for a response, and whether it ends the wait. Only a response with the expected state ends it: any page in the browser can
 * send a request to this address (RFC 6749 §10.12).
 */
function judge(parameters: string, state: string | undefined): { verdict: CallbackVerdict; ends: boolean } {
  const values = valuesOf(parameters)
  if (values === undefined) {
    return { verdict: 'incomplete', ends: state === undefined || holdsState(parameters, state) }
  }
  if (values.response !== undefined) return judgeJwt(values.response, state)
  const { code, access_token: accessToken, id_token: idToken, error } = values
  const empty = [code, accessToken, idToken, error].every(value => value === undefined)
  if (empty) return { verdict: 'incomplete', ends: values.state !== undefined && values.state === state }
  if (values.state !== state) return { verdict: 'foreign_state', ends: false }
  return { verdict: values.error === undefined ? 'received' : 'refused', ends: true }
}

/**
 * Returns the page to show for a response in a JWT (JARM), and whether it ends the wait. An encrypted one ends it: the flow has
 * the key, and checks the state in it.
 */
function judgeJwt(jwt: string, state: string | undefined): ReturnType<typeof judge> {
  const claims = peekedClaims(jwt)
  if (claims === 'encrypted') return { verdict: 'received', ends: true }
  if (claims === undefined) return { verdict: 'incomplete', ends: state === undefined }
  if (claims.state !== state) return { verdict: 'foreign_state', ends: false }
  return { verdict: claims.error === undefined ? 'received' : 'refused', ends: true }
}

/** Returns the page for a return from a logout, and whether it ends the wait (RP-Initiated Logout §2 `state`). */
function judgeReturn(parameters: string, state: string | undefined): ReturnType<typeof judge> {
  const found = valuesOf(parameters)?.state
  return found === state ? { verdict: 'logged_out', ends: true } : { verdict: 'foreign_state', ends: false }
}

/** True when the query holds a response. Some servers send errors there when the fragment was requested. */
function isAnswered(query: string): boolean {
  return judge(query, undefined).verdict !== 'incomplete'
}

/** Returns the parameters of a request: the query, or the form of a POST. */
function parametersOf(request: HttpRequest): string | undefined {
  if (request.method === 'GET') return splitUrl(request.url).query
  return mediaType(request) === 'application/x-www-form-urlencoded' ? text(request.body).trim() : undefined
}

/**
 * Creates the handler of a redirect_uri. It answers GET and form POST requests for its own path. Other requests get 404 and do not end the wait,
 * because browsers also request icons.
 * @param stopwatch milliseconds from any moment on, for the time of answers; left out: those since this process started
 */
export function createCallback(
  redirectUri: string,
  stopwatch: () => number = () => performance.now(),
): CallbackSite {
  const { origin, path, query } = splitUrl(redirectUri)
  const waiting = new Set<Waiting>()

  function landedAt({ method, headers }: HttpRequest, parameters: string, to: Waiting): string {
    const { fragment, isLogout, path: at } = to
    const relayed = fragment || header({ headers }, RELAYED_HEADER) !== undefined
    if (isLogout) return `${origin}${at}${parameters === '' ? '' : `?${parameters}`}`
    if (method === 'GET') return `${origin}${path}?${parameters}`
    if (relayed) return `${origin}${path}${query === '' ? '' : `?${query}`}#${parameters}`
    return `${origin}${path}?${query === '' ? '' : `${query}&`}${parameters}`
  }

  return {
    async handle(request) {
      const started = stopwatch()
      const asked = splitUrl(request.url).path
      const next = [...waiting].find(each => each.path === asked)
      if (asked !== path && !next) return textResponse(404, 'Not found\n')
      if (request.method !== 'GET' && request.method !== 'POST') {
        return textResponse(405, 'Allowed: GET, POST\n', [['allow', 'GET, POST']])
      }
      // A form that a redirect carries on to the end of a logout has a state of its own; the one that counts is in the query.
      const parameters = next?.isLogout ? splitUrl(request.url).query : parametersOf(request)
      if (parameters === undefined) return textResponse(415, 'Send a form\n')
      if (!next) return textResponse(404, 'Nobody waits for an answer here\n')
      if (next.fragment && request.method === 'GET' && !isAnswered(parameters)) return relayPage()
      const { verdict, ends } = (next.isLogout ? judgeReturn : judge)(parameters, next.state)
      const stray = verdict === 'incomplete' && !ends && request.method === 'GET' && !next.fragment
      const response = stray ? noAnswerPage() : callbackPage(verdict)
      if (verdict === 'foreign_state') next.onForeign()
      if (!ends) return response
      waiting.delete(next)
      const landed = landedAt(request, parameters, next)
      next.arrive({ landed, request, response, ms: stopwatch() - started })
      return response
    },
    receive(state, signal, { fragment = false, logoutAt, onForeign = () => {} } = {}) {
      return new Promise((resolve, reject) => {
        signal.throwIfAborted()
        const stop = () => {
          waiting.delete(entry)
          reject(signal.reason)
        }
        const entry: Waiting = {
          path: logoutAt === undefined ? path : splitUrl(logoutAt).path,
          isLogout: logoutAt !== undefined,
          state,
          fragment,
          onForeign,
          arrive(arrival) {
            signal.removeEventListener('abort', stop)
            resolve(arrival)
          },
        }
        waiting.add(entry)
        signal.addEventListener('abort', stop, { once: true })
      })
    },
  }
}
