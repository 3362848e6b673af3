import { formatScope, parseScope } from '../../../protocol/oauth/scope.js'
import type { Citation } from '../../../protocol/rules/rule.js'
import { decodeIfJwt } from '../../../protocol/tokens/decode.js'
import {
  type AssertionExpectations,
  MAX_ASSERTION_LENGTH,
  type VerifiedAssertion,
} from '../assertions/assertion.js'
import { JWT_BEARER_GRANT_TYPE, type JwtAssertionIssuer, verifyJwtAssertion } from '../assertions/jwt.js'
import { SAML2_BEARER_GRANT_TYPE, type SamlAssertionIssuer, verifySamlAssertion } from '../assertions/saml.js'
import { grantedScope, narrowedScope } from '../parameters/scopes.js'
import type { BaseParts } from '../parts.js'
import { type Grant, invalidGrant, required } from './grant.js'

/**
 * Returns the scope to grant. A scope that the issuer signed is a limit: the parameter may narrow it (RFC 7521 §4.1).
 * @throws OAuthError `invalid_scope` for a parameter that asks for more
 */
function signedLimit(requested: string | undefined, assertion: string): string | undefined {
  const signed = parseScope(unverifiedClaims(assertion).scope ?? '')
  if (signed === undefined || signed.length === 0) return requested
  return formatScope(narrowedScope(requested, signed, 'RFC 7521 §4.1'))
}

/** Makes a grant whose assertion names a user of this server (RFC 7521 §4.1). It gives no refresh token and no id_token. */
function assertionGrant(
  parts: BaseParts,
  grantType: string,
  rule: Citation,
  verify: (
    assertion: string,
    expected: AssertionExpectations,
  ) => Promise<VerifiedAssertion & { readonly resources?: readonly string[] }>,
): Grant {
  const { settings, now, registry, clientless, assertionReplay } = parts
  return {
    grantType,
    parameters: ['assertion', 'scope'],
    async decide(client, parameters, { publish }) {
      const assertion = required(parameters.assertion, 'assertion', 'RFC 7521 §4.1')
      // Checked first: a refused scope must not use up the assertion.
      const scope = grantedScope(signedLimit(parameters.scope, assertion), client, settings)
      const { issuer: own, mtlsUrl } = settings
      // The token endpoint has two addresses in the metadata (RFC 8705 §5).
      const bases = [own, mtlsUrl?.()].filter(base => base !== undefined)
      const audiences = [own, ...bases.map(base => `${base}/token`)]
      const { issuer, subject, id, resources } = await verify(assertion, {
        audiences,
        clientId: client.client_id,
        now: now(),
        replay: assertionReplay,
      })
      if (registry.user(subject) === undefined) {
        throw invalidGrant('the subject of the assertion is no user of this server', rule, subject)
      }
      publish({
        type: 'assertion.accepted',
        client_id: client.client_id,
        issuer,
        username: subject,
        assertion_id: id,
      })
      // No client is there to be the audience.
      return clientless.has(client.client_id)
        ? { subject, scope, defaultResources: settings.protectedResources() }
        : { subject, scope, ...(resources !== undefined && { authorizedResources: resources }) }
    },
  }
}

const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every(each => typeof each === 'string')

/** The JWT bearer grant (RFC 7523 §2.1). */
export function jwtBearerGrant(parts: BaseParts): Grant {
  const { assertionIssuers } = parts.settings
  const grant = assertionGrant(parts, JWT_BEARER_GRANT_TYPE, 'RFC 7523 §3', async (assertion, expected) => {
    const issuers: JwtAssertionIssuer[] = (await assertionIssuers()).flatMap(({ issuer, jwks }) =>
      jwks === undefined ? [] : [{ issuer, jwks }],
    )
    const { isGrantOf } = parts.defences
    const verified = await verifyJwtAssertion(assertion, { ...expected, issuers, isGrantOf })
    const { resource } = verified.claims
    if (resource === undefined) return verified
    const resources = typeof resource === 'string' ? [resource] : resource
    if (isTexts(resources)) return { ...verified, resources }
    throw invalidGrant('resource of the assertion is neither an address nor a list of them', 'RFC 8707 §2')
  })
  return {
    ...grant,
    async clientFor({ assertion }) {
      const { iss } = unverifiedClaims(assertion)
      return parts.clientless.of((await assertionIssuers()).find(({ issuer }) => issuer === iss))
    },
  }
}

/** The SAML 2.0 bearer grant (RFC 7522 §2.1). */
export function samlBearerGrant(parts: BaseParts): Grant {
  const { assertionIssuers, issuer } = parts.settings
  const recipient = `${issuer}/token`
  return assertionGrant(parts, SAML2_BEARER_GRANT_TYPE, 'RFC 7522 §3', async (assertion, expected) => {
    const issuers: SamlAssertionIssuer[] = (await assertionIssuers()).flatMap(({ issuer, certificatePem }) =>
      certificatePem === undefined ? [] : [{ issuer, certificatePem }],
    )
    return verifySamlAssertion(assertion, { ...expected, issuers, recipient }, parts.defences.signedSaml)
  })
}

/** The claims of an assertion that are read before it is verified. */
interface UnverifiedClaims {
  readonly iss?: string
  /** The scope that the issuer asks for. Service accounts of Google and others write it into the assertion. */
  readonly scope?: string
}

/** Reads claims of an assertion for a look-up. Nothing is verified. Empty for a text that is no JWT. */
export function unverifiedClaims(assertion = ''): UnverifiedClaims {
  if (assertion.length > MAX_ASSERTION_LENGTH) return {}
  const { iss, scope } = decodeIfJwt(assertion)?.claims ?? {}
  return {
    ...(typeof iss === 'string' && { iss }),
    ...(typeof scope === 'string' && { scope }),
  }
}
