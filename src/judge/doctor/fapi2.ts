import { FAPI2_ALGORITHMS } from '../../protocol/oauth/algorithms.js'
import { FAPI2_METHODS } from '../../protocol/oauth/client.js'
import type { AuthorizationServerMetadata } from '../../protocol/oauth/metadata.js'
import { type Judgement, notApplicable } from './finding.js'

function listsOnly(list: unknown, allowed: readonly string[]): boolean {
  return Array.isArray(list) && list.length > 0 && list.every(each => allowed.includes(each))
}

/** True for a server that announces no more than the FAPI 2.0 Security Profile allows its clients and keys. */
export function announcesFapi2(members: Readonly<Record<string, unknown>>): boolean {
  return (
    listsOnly(members.token_endpoint_auth_methods_supported, FAPI2_METHODS) &&
    listsOnly(members.id_token_signing_alg_values_supported, FAPI2_ALGORITHMS)
  )
}

/** The judgement on rules about public clients at a server that can have none; undefined at any other server. */
export function withoutPublicClients(metadata: AuthorizationServerMetadata): Judgement | undefined {
  return announcesFapi2(metadata)
    ? notApplicable('the server has no public clients (FAPI 2.0 Security Profile §5.3.2.1-3)')
    : undefined
}
