import { advice, type Check } from '../../protocol/oauth/check.js'
import type { AuthorizationServerMetadata } from '../../protocol/oauth/metadata.js'
import type { Step } from '../step.js'

function givenChecks(metadata: AuthorizationServerMetadata, hasKeys: boolean): Check[] {
  const { issuer, jwks_uri: jwks, code_challenge_methods_supported: challenges } = metadata
  return [
    advice(
      'issuer',
      issuer !== undefined,
      'RFC 9207 §2.4',
      issuer ??
        'not known: iss in answers and in id_tokens is compared with nothing, so a mix-up with another server stays unseen',
    ),
    advice(
      'keys',
      hasKeys || jwks !== undefined,
      'OpenID Connect Core §3.1.3.7',
      jwks ??
        (hasKeys ? 'from a file' : 'none known: no id_token can be verified; name them: --jwks URL|FILE'),
    ),
    advice(
      'pkce',
      challenges?.includes('S256') ?? false,
      'RFC 9700 §2.1.1',
      challenges?.join(', ') ?? 'not known if the server has it; the client sends a code_challenge anyway',
    ),
  ]
}

/** The step in place of discovery, for given metadata. */
export function givenStep(
  metadata: AuthorizationServerMetadata,
  { source, hasKeys }: { readonly source: string; readonly hasKeys: boolean },
): Step {
  const checks = givenChecks(metadata, hasKeys)
  const unknown = checks.filter(({ ok }) => !ok).map(({ name }) => name)
  return {
    type: 'step',
    n: 1,
    of: 1,
    name: 'given_metadata',
    from: 'client',
    to: 'client',
    title: `read ${source}`,
    rfc: '8414 §2',
    why: 'The server publishes no metadata, or none is wanted: the client knows what its person wrote down, and nothing more.',
    checks,
    note: unknown.length === 0 ? 'nothing was fetched' : `not known: ${unknown.join(', ')}`,
  }
}
