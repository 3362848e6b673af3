import { createExpiringMap, ownerOf } from '../../../protocol/bounded-maps.js'
import { encodeForm, type FormPairs, readParameters } from '../../../protocol/http/form.js'
import { sourceOf } from '../../../protocol/http/network.js'
import { type AuthorizationErrorCode, OAuthError } from '../../../protocol/oauth/oauth-error.js'
import { createReplayGuard } from '../../../protocol/tokens/replay-guard.js'
import type { Publish } from '../events.js'
import { refuseRepeated } from '../parameters/form-body.js'
import type { BaseParts } from '../parts.js'
import { createPushedRequests, REQUEST_URI_PREFIX } from '../stores/pushed-requests.js'
import { type AcceptedObject, createResolveRequest, type ResolvedRequest } from './resolve-request.js'
import { invalidObject } from './verify-object.js'

/** An authorization request that a browser opened. */
export interface OpenedRequest extends Pick<ResolvedRequest, 'pairs' | 'problem'> {
  /** The name of a stored request. It is spent when the request is answered. */
  readonly requestUri?: string
  /** True when the client pushed the request. */
  readonly isPushed?: boolean
  /** The query that the login form is sent with, in place of the one that the browser came with. */
  readonly query?: string
}

/** The sender of an authorization request. */
interface Visitor {
  /** The secret of the browser. */
  readonly browser: string
  readonly address: string | undefined
}

/** The requests of browsers, and the one-time objects of all channels. */
export interface OpenRequests {
  /**
   * Returns the parameters of a request: its own, those of the pushed request, or those of its request object. A verified
   * request object is stored, so that the login form does not depend on its exp, and its request_uri is fetched once.
   * @throws OAuthError for the page
   */
  open(sent: FormPairs, visitor: Visitor, publish: Publish): Promise<OpenedRequest>
  /** Resolves a pushed request. @throws OAuthError */
  push(sent: FormPairs, publish: Publish): Promise<FormPairs>
  /** Drops an answered request. */
  spend(requestUri: string): void
}

/** Prefix of the request_uri of requests whose object was verified. */
const OBJECT_PREFIX = `${REQUEST_URI_PREFIX}object:`

/** Longest time that a one-time object is remembered with its browser, in milliseconds. Its exp is at most that far. */
const REMEMBERED = 3_700_000

const LIMITS = { limit: 10_000, maxBytes: 8 * 1024 * 1024 }

/** Makes the function that opens requests. */
export function createOpenRequests(parts: BaseParts): OpenRequests {
  const { pushed, now, random } = parts
  const resolveRequest = createResolveRequest(parts)
  /** Requests whose object was verified. They are apart, so that browsers cannot push out pushed requests. */
  const verified = createPushedRequests({ now, random, prefix: OBJECT_PREFIX })
  const storeOf = (requestUri: string) => (requestUri.startsWith(OBJECT_PREFIX) ? verified : pushed)
  const replay = createReplayGuard({ now })
  const storedAs = createExpiringMap<string>({ ...LIMITS, lifetime: REMEMBERED, now })

  /** Marks a one-time object as used. Returns the reason to refuse it. */
  function use({
    once,
    id,
    expiresAt,
    clientId,
  }: AcceptedObject): OAuthError<AuthorizationErrorCode> | undefined {
    if (!once) return undefined
    const result = replay.use(id, expiresAt, clientId)
    if (result === 'first') return undefined
    if (result === 'again') {
      return invalidObject('the request object was used before', { rule: 'RFC 7519 §4.1.7', evidence: id })
    }
    const description = 'too many request objects are remembered; try again later'
    return new OAuthError('temporarily_unavailable', { description, rule: 'RFC 6749 §4.1.2.1' })
  }

  function openStored(requestUri: string, clientId: string, browser: string): FormPairs {
    const pairs = storeOf(requestUri).open(requestUri, clientId, browser)
    if (pairs !== undefined) return pairs
    throw new OAuthError('invalid_request_uri', {
      description:
        'request_uri is unknown, expired, used, opened in another browser, or pushed by another client than client_id',
      rule: 'RFC 9126 §4',
      evidence: requestUri,
    })
  }

  const stored = (requestUri: string, clientId: string, pairs: FormPairs): OpenedRequest => ({
    pairs,
    requestUri,
    query: encodeForm([
      ['client_id', clientId],
      ['request_uri', requestUri],
    ]),
  })

  return {
    async open(sent, { browser, address }, publish) {
      const { values, repeated } = readParameters(sent, ['client_id', 'request', 'request_uri'])
      const { client_id: clientId = '', request, request_uri: requestUri } = values
      if (request === undefined && requestUri?.startsWith(REQUEST_URI_PREFIX)) {
        refuseRepeated(repeated, 'RFC 9126 §4')
        const isPushed = storeOf(requestUri) === pushed
        return { pairs: openStored(requestUri, clientId, browser), requestUri, isPushed }
      }
      const { pairs, problem, object } = await resolveRequest(sent, 'browser', publish)
      if (problem !== undefined) return { pairs, problem }
      if (object === undefined) return { pairs }
      const used = use(object)
      if (used !== undefined) {
        // The browser that opened the object may load the page again, as with a pushed request.
        const earlier = storedAs.get(object.id)
        const again = earlier === undefined ? undefined : verified.open(earlier, object.clientId, browser)
        return again === undefined
          ? { pairs, problem: used }
          : stored(earlier as string, object.clientId, again)
      }
      const owner = ownerOf(object.clientId, sourceOf(address))
      const made = verified.push(object.clientId, pairs, owner)
      verified.open(made, object.clientId, browser)
      if (object.once) storedAs.set(object.id, made, owner)
      return stored(made, object.clientId, pairs)
    },

    async push(sent, publish) {
      const { pairs, problem, object } = await resolveRequest(sent, 'pushed', publish)
      const refused = problem ?? (object && use(object))
      if (refused !== undefined) throw refused
      return pairs
    },

    spend: requestUri => storeOf(requestUri).spend(requestUri),
  }
}
