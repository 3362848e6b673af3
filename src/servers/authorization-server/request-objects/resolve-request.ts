import { encodeForm, type FormPairs, MAX_PARAMETERS, readParameters } from '../../../protocol/http/form.js'
import { JWT_CLAIMS } from '../../../protocol/oauth/authorization-request.js'
import { shown } from '../../../protocol/oauth/check.js'
import type { Client } from '../../../protocol/oauth/client.js'
import {
  AUTHORIZATION_ERRORS,
  type AuthorizationErrorCode,
  isRefusal,
  OAuthError,
} from '../../../protocol/oauth/oauth-error.js'
import { parseScope } from '../../../protocol/oauth/scope.js'
import { defined, type JsonObject } from '../../../protocol/values.js'
import { PARAMETERS } from '../endpoints/authorization/authorization-parameters.js'
import { limitRequest } from '../endpoints/authorization/authorization-request.js'
import type { Publish } from '../events.js'
import type { BaseParts } from '../parts.js'
import { fetchObject } from './fetch-object.js'
import { invalidObject, type ObjectVerdict, openObject, verifyObject } from './verify-object.js'

/** A verified request object. */
export interface AcceptedObject {
  readonly clientId: string
  /** Unique among the objects of all clients. */
  readonly id: string
  /** True when the object is accepted once. */
  readonly once: boolean
  readonly expiresAt: number
}

/** An authorization request with the parameters that count. */
export interface ResolvedRequest {
  readonly pairs: FormPairs
  /** The error of the request object. The parameters say where the client gets it. */
  readonly problem?: OAuthError<AuthorizationErrorCode>
  /** Absent for a request without a request object. */
  readonly object?: AcceptedObject
}

/**
 * Returns a request with the parameters that count: those of its request object, where it has one (RFC 9101 §6.3, OpenID
 * Connect Core §6.3.3). A request of an unknown client stays as it is, because the client is refused later.
 * @param channel `pushed`: only the request object counts (RFC 9126 §3)
 */
type ResolveRequest = (
  sent: FormPairs,
  channel: 'browser' | 'pushed',
  publish: Publish,
) => Promise<ResolvedRequest>

const NAMES = ['client_id', 'request', 'request_uri', 'response_type', 'scope'] as const

/** Makes the function that all endpoints with authorization requests share. */
export function createResolveRequest(parts: BaseParts): ResolveRequest {
  const { settings, ports, registry, clientKeys, decryptionKeys } = parts
  const { now, fetchDocument, clientCalls } = ports
  const { issuer, requestUriHosts: hosts = [] } = settings

  return async (sent, channel, publish) => {
    const { values, repeated } = readParameters(sent, NAMES)
    const { client_id: clientId, request, request_uri: requestUri } = values
    const client = clientId === undefined ? undefined : registry.client(clientId)
    const isUnclear = repeated.some(name => ['client_id', 'request', 'request_uri'].includes(name))
    if (client === undefined || !client.enabled || isUnclear) return { pairs: sent }
    const mustBeSigned = settings.requireSignedRequestObject || client.require_signed_request_object === true
    const isStrict = settings.strictRequestObjects || client.strict_request_objects === true
    const outside = sent.filter(([name]) => name !== 'request' && name !== 'request_uri')
    /** The parameters that an error is sent by. Those of the object count as soon as the client signed it. */
    let pairs: FormPairs = outside

    /** True when the parameters beside the object count too: a request of OpenID Connect (Core §6.1). */
    const isMerged = ({ scope }: JsonObject) =>
      channel === 'browser' &&
      !mustBeSigned &&
      values.response_type !== undefined &&
      asksForLogin(values.scope) &&
      (scope === undefined || asksForLogin(scope))

    async function resolved(object: string): Promise<ResolvedRequest> {
      const known = client as Client
      const { jwt, encryption } = await openObject(object, known, decryptionKeys)
      const verdict = await verifyObject(
        jwt,
        claims => ({
          client: known,
          issuer,
          now: now(),
          registered: known.request_object_signing_alg,
          mayBeUnsigned: !mustBeSigned && mayBeUnsigned(known, isMerged(claims)),
          needsClientId: !isMerged(claims),
          strict: isStrict,
        }),
        { clientKeys, publish },
      )
      const { claims, checks, alg, id, problem, isAuthentic } = verdict
      const merged = isMerged(claims)
      const inside = objectParameters(claims).filter(([name]) => name !== 'client_id')
      const found = withClient(known, merged ? mergedPairs(outside, inside) : inside)
      limitRequest(encodeForm(found).length)
      if (isAuthentic) pairs = found
      if (problem !== undefined) throw problem
      if (merged) refuseOtherType(values.response_type, claims.response_type)
      const ignored = [...new Set(outside.map(([name]) => name))].filter(
        name => name !== 'client_id' && (!merged || inside.some(([each]) => each === name)),
      )
      publish(
        defined({
          type: 'request_object.accepted',
          client_id: known.client_id,
          delivery: channel === 'pushed' ? channel : requestUri === undefined ? 'value' : 'reference',
          rules: merged ? 'OpenID Connect Core §6.3.3' : 'RFC 9101 §6.3',
          alg,
          encryption,
          parameters: [...new Set(inside.map(([name]) => name))],
          ignored: ignored.length === 0 ? undefined : ignored,
          checks,
        }),
      )
      const once = { clientId: known.client_id, id: JSON.stringify(['request object', known.client_id, id]) }
      return { pairs: found, object: { ...once, once: isStrict, expiresAt: expiryOf(verdict, now()) } }
    }

    try {
      if (request !== undefined && requestUri !== undefined) {
        const description = 'request and request_uri are both sent; a request has one of them'
        throw new OAuthError('invalid_request', { description, rule: 'RFC 9101 §5' })
      }
      if (request !== undefined) return await resolved(request)
      if (requestUri !== undefined) {
        return await resolved(
          await fetchObject(requestUri, client, { hosts, fetchDocument, clientCalls }, publish),
        )
      }
      if (mustBeSigned) {
        const description = 'the request must be a signed request object; send request'
        throw new OAuthError('invalid_request', { description, rule: 'RFC 9101 §10.5' })
      }
      return { pairs: sent }
    } catch (error) {
      if (!isRefusal(error, AUTHORIZATION_ERRORS)) throw error
      return { pairs, problem: error }
    }
  }
}

function asksForLogin(scope: unknown): boolean {
  return typeof scope === 'string' && parseScope(scope)?.includes('openid') === true
}

/** True when an object with alg none is accepted: the client is registered so, or OpenID Connect allows it (Core §6.1). */
function mayBeUnsigned({ request_object_signing_alg: registered }: Client, isMerged: boolean): boolean {
  return registered === 'none' || (registered === undefined && isMerged)
}

function withClient({ client_id: id }: Client, pairs: FormPairs): FormPairs {
  return [['client_id', id], ...pairs.filter(([name]) => name !== 'client_id')]
}

/** Adds the parameters outside that the object does not have. */
function mergedPairs(outside: FormPairs, inside: FormPairs): FormPairs {
  const names = new Set(inside.map(([name]) => name))
  return [...outside.filter(([name]) => !names.has(name)), ...inside]
}

/** @throws OAuthError `invalid_request_object` when the object has another response_type than the query */
function refuseOtherType(outside: string | undefined, inside: unknown): void {
  const sorted = (type: unknown) => String(type).split(' ').sort().join(' ')
  if (inside === undefined || sorted(inside) === sorted(outside)) return
  throw invalidObject('response_type in the request object is not that of the request', {
    rule: 'OpenID Connect Core §6.1',
    evidence: `outside ${outside}, inside ${String(inside)}`,
  })
}

/** Returns the time until which a used object is remembered. A strict object has an exp. */
function expiryOf({ claims }: ObjectVerdict, now: number): number {
  return typeof claims.exp === 'number' ? claims.exp * 1000 : now
}

/** Parameters that are JSON in a request object, and the text of that JSON in a query. */
const JSON_PARAMETERS: readonly string[] = ['claims', 'authorization_details', 'registration']

/** Parameters that may be numbers in a request object (RFC 9101 §4). */
const NUMBER_PARAMETERS: readonly string[] = ['max_age']

/** Returns the value of a parameter as a query has it. @throws OAuthError `invalid_request_object` */
function textOf(name: string, value: unknown): string {
  if (typeof value === 'string') return value
  const known = PARAMETERS.some(each => each === name)
  const isList = typeof value === 'object' && value !== null
  if (JSON_PARAMETERS.includes(name) && isList) return JSON.stringify(value)
  if (typeof value === 'number' && (NUMBER_PARAMETERS.includes(name) || !known)) return String(value)
  // Parameters that the server does not know are ignored, whatever they are (RFC 6749 §3.1).
  if (!known && name !== 'resource') return JSON.stringify(value)
  throw invalidObject(`${name} in the request object is no string`, {
    rule: 'RFC 9101 §4',
    evidence: `${name}: ${shown(value)}`,
  })
}

/**
 * Returns the parameters of a request object as a query would have them (RFC 9101 §4). Claims about the JWT itself are left out.
 * @throws OAuthError `invalid_request_object` for a value of a wrong type, and for a request object within
 */
export function objectParameters(claims: JsonObject): FormPairs {
  const inside = ['request', 'request_uri'].find(name => Object.hasOwn(claims, name))
  if (inside !== undefined) {
    throw invalidObject(`${inside} may not be in a request object`, { rule: 'RFC 9101 §4' })
  }
  const pairs = Object.entries(claims)
    .filter(([name]) => !JWT_CLAIMS.includes(name))
    .flatMap(([name, value]) => {
      // A repeated parameter of a query is a list in JSON (RFC 8707 §2).
      const values: readonly unknown[] = name === 'resource' && Array.isArray(value) ? value : [value]
      return values.map(each => [name, textOf(name, each)] as const)
    })
  if (pairs.length > MAX_PARAMETERS) {
    throw invalidObject(`the request object has more than ${MAX_PARAMETERS} parameters`, {
      rule: 'RFC 9101 §4',
    })
  }
  return pairs
}
