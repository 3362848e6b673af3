import { isUrl } from '../../protocol/http/address.js'
import type { Exchange } from '../../protocol/http/exchange.js'
import { headerValues, splitUrl } from '../../protocol/http/message.js'
import { jsonObject } from '../../protocol/oauth/answers.js'
import { challengeFor, parseChallenges } from '../../protocol/oauth/bearer.js'
import { advice, type Check, check, NO_ISSUER } from '../../protocol/oauth/check.js'
import { OAuthError } from '../../protocol/oauth/oauth-error.js'

const WELL_KNOWN = '/.well-known/oauth-protected-resource'

/** True for TLS or this computer: such an address may receive tokens (RFC 6750 §5.3). */
export function isProtectedAddress(url: string): boolean {
  return /^https:\/\//i.test(url) || /^http:\/\/(localhost|127\.0\.0\.1|\[::1\])(?=[:/?#]|$)/i.test(url)
}

export interface Asked {
  readonly checks: readonly Check[]
  readonly note: string
  readonly metadataUrl: string
}

/** Reads the challenge of a resource server (RFC 6750 §3, RFC 9728 §5.1). */
export function readChallenge(exchange: Exchange, resource: string): Asked {
  const { origin, path } = splitUrl(resource)
  const usual = `${origin}${WELL_KNOWN}${path === '/' ? '' : path}`
  const { response } = exchange
  if (response?.status !== 401) {
    return { checks: [], note: `answered ${response?.status} without a token`, metadataUrl: usual }
  }
  const challenges = parseChallenges(headerValues(response, 'www-authenticate'))
  if (challenges.length === 0) {
    return {
      checks: [advice('challenge', false, 'RFC 6750 §3', 'missing: a 401 has to say what it asks for')],
      note: '401 without WWW-Authenticate, which RFC 9110 asks for',
      metadataUrl: usual,
    }
  }
  const named = challengeFor('Bearer', challenges)?.parameters.resource_metadata
  const usable = named !== undefined && isUrl(named) && isProtectedAddress(named)
  const schemes = challenges.map(({ scheme }) => scheme).join(', ')
  return {
    checks: [check('challenge', true, 'RFC 6750 §3', schemes)],
    note: `asks for ${schemes}`,
    metadataUrl: usable ? named : usual,
  }
}

/** Checks the metadata of a resource server (RFC 9728 §3.3, §7.6). @throws OAuthError, UnreadableAnswer */
export function readResourceMetadata(
  exchange: Exchange,
  resource: string,
  issuer: string | undefined,
): { readonly checks: readonly Check[]; readonly note: string } {
  const status = exchange.response?.status
  if (status !== 200) return { checks: [], note: `no metadata: ${status}` }
  const rule = 'RFC 9728 §3.3'
  const members = jsonObject(exchange, 'the metadata address', 'RFC 9728 §3.2')
  const { resource: named, authorization_servers: servers } = members
  if (typeof named !== 'string' || !covers(named, resource)) {
    throw new OAuthError('resource_mismatch', {
      description: `the metadata is about ${typeof named === 'string' ? named : 'no resource'}, asked was ${resource}`,
      rule,
    })
  }
  const checks = [check('resource', true, rule, named)]
  if (servers === undefined) return { checks, note: 'names no authorization server' }
  const listed = Array.isArray(servers) ? servers.filter(each => typeof each === 'string') : []
  if (issuer === undefined) {
    const names = listed.join(', ') || 'nobody'
    const found = advice('authorization_servers', false, 'RFC 9728 §2', `${names}; ${NO_ISSUER}`)
    return { checks: [...checks, found], note: 'its authorization server was not compared' }
  }
  if (!listed.includes(issuer)) {
    throw new OAuthError('issuer_mismatch', {
      description: `the resource server trusts ${listed.join(', ') || 'nobody'}, not ${issuer}`,
      rule: 'RFC 9728 §2',
    })
  }
  return {
    checks: [...checks, check('authorization_servers', true, 'RFC 9728 §2', issuer)],
    note: 'trusts this authorization server',
  }
}

/** True when `url` is the resource itself, or below its path. */
function covers(resource: string, url: string): boolean {
  if (!isUrl(resource)) return false
  const [outer, inner] = [splitUrl(resource), splitUrl(url)]
  const base = outer.path.replace(/\/$/, '')
  return outer.origin === inner.origin && (inner.path === base || inner.path.startsWith(`${base}/`))
}
