import { weakNamesAt } from '../../protocol/rules/weak-modes.js'
import type { Defences as AuthorizationDefences } from '../../servers/authorization-server/defences.js'
import type { FetchDocument } from '../../servers/authorization-server/settings.js'
import type { Defences as ClientDefences } from '../../servers/demo-client/defences.js'
import type { Defences as ResourceDefences } from '../../servers/resource-server/defences.js'
import type { LabConfig } from '../lab-file/config.js'
import type { DocumentNetwork } from '../outgoing/client-sender.js'

// Weak labs alone load the code of weak modes.

/** Undefined for a strict server. @param outside where the mode `referrer` takes from another site */
export async function authorizationDefences(
  { weak }: LabConfig,
  outside: string,
): Promise<AuthorizationDefences | undefined> {
  const names = weakNamesAt('authorization-server', weak)
  if (names.length === 0) return undefined
  const { weakDefences } = await import('../../servers/authorization-server/weak/weak-defences.js')
  return weakDefences(names, { outside })
}

/** The weak mode `fetch-anything`, or the strict function. */
export async function documentFetcher({ weak }: LabConfig, network: DocumentNetwork): Promise<FetchDocument> {
  if (weak.includes('fetch-anything')) {
    const { fetchAnything } = await import('./weak-documents.js')
    return fetchAnything(network)
  }
  const { createClientDocuments } = await import('../outgoing/client-sender.js')
  return createClientDocuments(network)
}

/** Why the lab never calls an address of a client that introduces itself; undefined for `fetch-anything`. */
export async function addressProblemOf(
  { weak }: LabConfig,
  { allowed = [], hosts }: DocumentNetwork,
): Promise<((url: string) => string | undefined) | undefined> {
  if (weak.includes('fetch-anything')) return undefined
  const { strangerAddresses } = await import('../outgoing/client-addresses.js')
  return strangerAddresses(allowed, hosts).problem
}

/** Undefined for a strict server. */
export async function resourceDefences({ weak }: LabConfig): Promise<ResourceDefences | undefined> {
  const names = weakNamesAt('resource-server', weak)
  if (names.length === 0) return undefined
  const { weakDefences } = await import('../../servers/resource-server/weak/weak-defences.js')
  return weakDefences(names)
}

/** Undefined for a strict client. */
export async function clientDefences({ weak }: LabConfig): Promise<ClientDefences | undefined> {
  const names = weakNamesAt('demo-client', weak)
  if (names.length === 0) return undefined
  const { weakDefences } = await import('../../servers/demo-client/weak/weak-defences.js')
  return weakDefences(names)
}
