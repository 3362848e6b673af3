import { createPublicKey } from 'node:crypto'
import type { AuthorizationServerMetadata } from '../protocol/oauth/metadata.js'
import type { CarriedKeys } from '../protocol/tokens/keys.js'
import { loadSharedSecret } from '../protocol/tokens/keys.js'
import { endpointAliases } from '../servers/authorization-server/endpoints/mutual-tls.js'
import { STAGES } from '../servers/authorization-server/stages/stages.js'
import { PUBLIC_KEY_FILE } from './keys/signing-keys.js'
import { ensureSigningSecret } from './keys/signing-secret.js'
import type { LabConfig } from './lab-file/config.js'
import { readState, type StateHome } from './state/state-folder.js'

/** True for a lab that publishes its metadata and keys. */
export function isPublished({ stage, profile }: LabConfig): boolean {
  return STAGES[stage].published && profile !== 'reference'
}

/** Metadata of a lab that publishes none: the endpoints of the interface specification. */
export function unpublishedMetadata(
  issuer: string,
  { stage, profile }: LabConfig,
  mtlsUrl?: string,
): AuthorizationServerMetadata {
  const common = {
    issuer,
    authorization_endpoint: `${issuer}/authorization`,
    token_endpoint: `${issuer}/token`,
  }
  if (profile === 'reference') return common
  return {
    ...common,
    ...(STAGES[stage].signing !== 'nothing' && {
      userinfo_endpoint: `${issuer}/userinfo`,
      device_authorization_endpoint: `${issuer}/device_authorization`,
      backchannel_authentication_endpoint: `${issuer}/bc-authorize`,
    }),
    ...(mtlsUrl !== undefined && { mtls_endpoint_aliases: endpointAliases(mtlsUrl) }),
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
  }
}

/** The shared secret, or the file with the public key. Every client of such a server is configured with it. */
export async function carriedKeys(
  { stage, signingSecret }: LabConfig,
  home: StateHome,
): Promise<CarriedKeys | undefined> {
  const { signing } = STAGES[stage]
  if (signing === 'nothing') return undefined
  if (signing === 'HS256') {
    const { secret, alg } = loadSharedSecret(signingSecret ?? (await ensureSigningSecret(home)))
    return { keys: { kind: 'key', key: secret, alg }, title: 'take the shared secret' }
  }
  try {
    const key = createPublicKey((await readState(home, PUBLIC_KEY_FILE)) ?? '')
    return { keys: { kind: 'key', key, alg: 'RS256' }, title: `read ${PUBLIC_KEY_FILE}` }
  } catch {
    return undefined
  }
}
