import { type HttpRequest, headerValues } from '../../protocol/http/message.js'
import { otherTokenPlaces, parseBearer } from '../../protocol/oauth/bearer.js'
import { MAC_DRAFT, type MacParameters, parseMac } from '../../protocol/oauth/mac.js'
import { butHeader } from '../../protocol/second-reading.js'
import { refused } from './claim-checks.js'
import type { Scheme } from './events.js'

/** A JWT that a request presents. */
export interface PresentedJwt {
  readonly scheme: 'Bearer' | 'DPoP'
  readonly token: string
}

/** The credentials that a request presents. */
export type Presented = PresentedJwt | { readonly scheme: 'MAC'; readonly parameters: MacParameters }

const schemes: readonly Scheme[] = ['Bearer', 'DPoP', 'MAC']

/** Returns the scheme of the Authorization header; undefined for a scheme that this server does not support. */
export function usedScheme(request: HttpRequest): Scheme | undefined {
  const [name] = (headerValues(request, 'authorization')[0] ?? '').trim().split(/ +/, 1)
  return schemes.find(scheme => scheme.toLowerCase() === name?.toLowerCase())
}

/**
 * Reads the token of a request from the Authorization header, the only place where one is accepted. Returns undefined
 * without credentials, and for credentials of a scheme that this server does not support.
 * @throws OAuthError `invalid_request` for a malformed header, and for a token in another place or in two places
 */
export function presentedToken(request: HttpRequest): Presented | undefined {
  const values = headerValues(request, 'authorization')
  const scheme = usedScheme(request)
  const [other] = otherTokenPlaces(request)
  if (other !== undefined) {
    const { place, rule } = other
    if (scheme !== undefined) {
      throw refused(
        'invalid_request',
        `a token is in the header and in ${place}; send it once`,
        'RFC 6750 §2',
      )
    }
    throw refused(
      'invalid_request',
      `a token in ${place} is not accepted; send it in the Authorization header`,
      rule,
    )
  }
  if (values.length > 1) {
    throw refused('invalid_request', 'the Authorization header is repeated', 'RFC 6750 §2.1')
  }
  if (scheme === undefined) return undefined
  if (scheme === 'MAC') {
    const parameters = parseMac(values[0]!.trim().slice(scheme.length))
    if ('problem' in parameters) throw refused('invalid_request', parameters.problem, `${MAC_DRAFT} §3.1`)
    return { scheme, parameters }
  }
  const read = parseBearer(values, scheme)
  if (read.kind === 'bearer') return { scheme, token: read.token }
  const rule = scheme === 'DPoP' ? 'RFC 9449 §7.1' : 'RFC 6750 §2.1'
  const problem = read.kind === 'malformed' ? `${read.problem}${butHeader(values)}` : 'no token'
  throw refused('invalid_request', problem, rule)
}
