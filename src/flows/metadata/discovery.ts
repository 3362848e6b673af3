import type { Exchange, Send } from '../../protocol/http/exchange.js'
import { isLoopbackUrl, splitUrl } from '../../protocol/http/message.js'
import { jsonObject } from '../../protocol/oauth/answers.js'
import { advice, type Check, check } from '../../protocol/oauth/check.js'
import {
  type AuthorizationServerMetadata,
  metadataUrls,
  type PublishedMetadata,
  parseMetadata,
  usableMembers,
} from '../../protocol/oauth/metadata.js'
import { OAuthError } from '../../protocol/oauth/oauth-error.js'
import { failedCheck } from '../outcome.js'
import type { PlannedStep, Step } from '../step.js'
import { get } from '../walk.js'

const usedEndpoints = [
  'authorization_endpoint',
  'token_endpoint',
  'jwks_uri',
  'userinfo_endpoint',
  'pushed_authorization_request_endpoint',
  'device_authorization_endpoint',
  'backchannel_authentication_endpoint',
] as const

const isHttps = (url: string | undefined): boolean => url !== undefined && /^https:/i.test(url)

/** Secrets travel under TLS, or not beyond this machine (RFC 6749 §3.1, §3.2). @throws OAuthError */
export function refusePlainHttp(metadata: AuthorizationServerMetadata): void {
  const tls = isHttps(metadata.issuer)
  for (const name of usedEndpoints) {
    const url = metadata[name]
    if (url === undefined || /^https:/i.test(url) || (!tls && isLoopbackUrl(url))) continue
    throw new OAuthError('invalid_metadata', {
      description: `${name} is not https`,
      rule: 'RFC 8414 §2',
      evidence: url,
    })
  }
}

/** Checks of metadata for a client of the code grant; none is fatal. */
export function metadataChecks(metadata: AuthorizationServerMetadata, unusable: readonly string[]): Check[] {
  const {
    issuer,
    jwks_uri: jwks,
    token_endpoint: token,
    userinfo_endpoint: userinfo,
    response_types_supported: types,
    code_challenge_methods_supported: challenges,
    authorization_response_iss_parameter_supported: iss,
    id_token_signing_alg_values_supported: algorithms,
  } = metadata
  const tls = isHttps(issuer)
  const checks = [
    advice('https', tls, 'RFC 8414 §2', tls ? 'the issuer is https' : 'no TLS: good on this machine only'),
    advice('token_endpoint', token !== undefined, 'RFC 8414 §2', token ?? 'missing'),
    advice('jwks_uri', jwks !== undefined, 'RFC 8414 §2', jwks ?? 'missing: tokens cannot be verified'),
    advice(
      'response_types',
      types?.includes('code') ?? false,
      'RFC 8414 §2',
      types === undefined ? 'missing, though required' : types.join(', '),
    ),
    advice(
      'pkce',
      challenges?.includes('S256') ?? false,
      'RFC 9700 §2.1.1',
      challenges === undefined ? 'no code_challenge_methods are announced' : challenges.join(', '),
    ),
    advice(
      'iss_promised',
      iss === true,
      'RFC 9207 §3',
      iss === true ? 'every authorization response names its issuer' : 'answers may not name their issuer',
    ),
  ]
  // Members of OpenID Connect are required only of OpenID providers.
  if (algorithms !== undefined) {
    const rule = 'OpenID Connect Discovery §3'
    checks.push(
      advice('id_token_alg', algorithms.includes('RS256'), rule, algorithms.join(', ')),
      advice('userinfo', userinfo !== undefined, rule, userinfo ?? 'there is no userinfo_endpoint'),
    )
  }
  return [
    ...checks,
    ...unusable.map(problem => advice('metadata', false, 'RFC 8414 §2', `${problem}; it is left out`)),
  ]
}

export interface Discovery {
  /** One for each address that answered. */
  readonly steps: readonly Step[]
  readonly metadata?: PublishedMetadata
  /** The problems of the members that were left out. */
  readonly unusable?: readonly string[]
  readonly error?: unknown
}

export function discoveryStep(issuer: string): PlannedStep {
  return {
    name: 'discovery_request',
    from: 'client',
    to: 'authorization_server',
    title: `GET ${splitUrl(metadataUrls(issuer)[0]!).path}`,
    rfc: '8414 §3',
    why: 'The client knows only the name of the issuer, and learns its addresses and abilities from what it publishes.',
  }
}

/**
 * Finds an issuer's metadata: OpenID Connect Discovery first, then RFC 8414. Never throws: the error is in the result.
 * @param urls the addresses to ask, in their order
 */
export async function discoverIssuer(
  issuer: string,
  send: Send,
  signal: AbortSignal,
  urls: readonly string[] = metadataUrls(issuer),
): Promise<Discovery> {
  const steps: Step[] = []
  const show = (exchange: Exchange, checks: readonly Check[], note: string, repeats: boolean): void => {
    const more = repeats ? { repeats } : {}
    steps.push({ type: 'step', n: 1, of: 1, ...discoveryStep(issuer), exchange, checks, note, ...more })
  }
  let refusal: unknown
  try {
    for (const [i, url] of urls.entries()) {
      const exchange = await send(get(url), { signal })
      const repeats = i + 1 < urls.length
      try {
        const { metadata, unusable, checks, note } = readMetadata(exchange, issuer)
        show(exchange, checks, note, false)
        return { steps, metadata, unusable }
      } catch (error) {
        if (!(error instanceof OAuthError)) throw error
        // A document that names another issuer ends the search.
        const final = error.code === 'issuer_mismatch' || !repeats
        show(exchange, [failedCheck(error, final ? undefined : 'metadata')], error.description, !final)
        refusal ??= error
        if (final) break
      }
    }
    return { steps, error: refusal }
  } catch (error) {
    return { steps, error }
  }
}

/** Reads a metadata document by the rules of the flows. @throws OAuthError, UnreadableAnswer where it cannot be used */
export function readMetadata(
  exchange: Exchange,
  issuer: string,
): { metadata: PublishedMetadata; unusable: readonly string[]; checks: Check[]; note: string } {
  const status = exchange.response?.status
  if (status !== 200) {
    throw new OAuthError('invalid_metadata', {
      description: `${exchange.request.url} answered ${status}`,
      rule: 'RFC 8414 §3.2',
      hints: [
        'if the server publishes none, name its addresses: --authorization-endpoint URL --token-endpoint URL, or --metadata FILE',
      ],
    })
  }
  const document = jsonObject(exchange, 'the metadata address', 'RFC 8414 §3.2')
  const { usable, unusable } = usableMembers(document)
  const metadata = parseMetadata(usable, issuer)
  refusePlainHttp(metadata)
  const checks = [check('issuer', true, 'RFC 8414 §3.3', issuer), ...metadataChecks(metadata, unusable)]
  const wrong = checks.filter(({ ok }) => !ok)
  const note = wrong.length === 0 ? 'issuer ok' : `check ${wrong.map(({ name }) => name).join(', ')}`
  return { metadata, unusable, checks, note }
}
