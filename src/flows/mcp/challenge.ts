import { isUrl } from '../../protocol/http/address.js'
import type { Exchange } from '../../protocol/http/exchange.js'
import { headerValues, splitUrl } from '../../protocol/http/message.js'
import { type Challenge, parseChallenges } from '../../protocol/oauth/bearer.js'
import { advice, type Check, check } from '../../protocol/oauth/check.js'
import { OAuthError } from '../../protocol/oauth/oauth-error.js'
import { parseScope } from '../../protocol/oauth/scope.js'
import { isProtectedAddress } from '../metadata/resource-metadata.js'

/** The challenge of an MCP server (RFC 6750 §3, RFC 9728 §5.1). */
export interface McpChallenge {
  /** As it was written; undefined without a challenge. */
  readonly scheme?: string
  readonly metadataUrl?: string
  readonly scope?: string
  readonly error?: string
  readonly description?: string
  readonly checks: readonly Check[]
}

/** Characters. */
const MAX_SCOPE = 4096

/** Repeated names are left out; undefined where no name can be asked for. */
function scopeIn(text: string | undefined): string | undefined {
  if (text === undefined || text.length > MAX_SCOPE) return undefined
  const names = parseScope(text)
  return names === undefined || names.length === 0 ? undefined : [...new Set(names)].join(' ')
}

function metadataCheck(named: string | undefined, resource: string): Check {
  const rule = 'MCP 2026-07-28 Discovery §2'
  if (named === undefined) {
    return check(
      'resource_metadata',
      true,
      rule,
      'not named: the well-known addresses are asked in their order',
    )
  }
  const foreign = splitUrl(named).origin !== splitUrl(resource).origin
  const where = foreign ? `${named}, at another origin than the MCP server` : named
  return advice('resource_metadata', !foreign, rule, where)
}

/** Of several challenges of a scheme, the one that names metadata. */
function challengeOf(scheme: string, challenges: readonly Challenge[]): Challenge | undefined {
  const own = challenges.filter(each => each.scheme.toLowerCase() === scheme.toLowerCase())
  return own.find(({ parameters }) => parameters.resource_metadata !== undefined) ?? own[0]
}

function refuseMetadataAddress(named: string): void {
  const isAddress = isUrl(named)
  if (isAddress && isProtectedAddress(named)) return
  const refused = (description: string) =>
    new OAuthError('invalid_metadata', { description, rule: 'RFC 9728 §3', evidence: named })
  if (isAddress) throw refused('the challenge names metadata at an address that is not https')
  // The value of `resource_metadata=https://…` ends at the colon.
  const isCut = /^https?$/i.test(named)
  const why = isCut ? 'an address without quotes, which RFC 9110 §11.2 asks for' : 'no absolute address'
  throw refused(`resource_metadata of the challenge is ${why}`)
}

/** DPoP goes before Bearer for a client that binds its tokens. @throws OAuthError for metadata at a bad address */
export function readMcpChallenge(
  { response }: Exchange,
  resource: string,
  { dpop = false }: { readonly dpop?: boolean } = {},
): McpChallenge {
  const challenges = parseChallenges(response ? headerValues(response, 'www-authenticate') : [])
  const known = dpop ? ['DPoP', 'Bearer'] : ['Bearer', 'DPoP']
  const asked = known.flatMap(name => challengeOf(name, challenges) ?? [])[0]
  if (asked === undefined) {
    const found = challenges.map(({ scheme }) => scheme).join(', ')
    const detail =
      found === '' ? 'missing: a 401 says what it asks for' : `asks for ${found}, and not for Bearer or DPoP`
    return { checks: [advice('challenge', false, 'RFC 6750 §3', detail), metadataCheck(undefined, resource)] }
  }
  const { resource_metadata: named, scope: text, error, error_description: description } = asked.parameters
  if (named !== undefined) refuseMetadataAddress(named)
  const scope = scopeIn(text)
  return {
    scheme: asked.scheme,
    ...(named !== undefined && { metadataUrl: named }),
    ...(scope !== undefined && { scope }),
    ...(error !== undefined && { error }),
    ...(description !== undefined && { description }),
    checks: [
      check(
        'challenge',
        true,
        'RFC 6750 §3',
        scope === undefined ? asked.scheme : `${asked.scheme}, scope ${scope}`,
      ),
      metadataCheck(named, resource),
    ],
  }
}
