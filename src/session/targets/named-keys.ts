import { UsageError } from '../../protocol/errors.js'
import { defined } from '../../protocol/values.js'
import { givenMetadata } from './given-metadata.js'
import { fetchIssuerKeys, fetchKeySet, type ReachOptions, type TokenKeys } from './issuer-keys.js'
import type { LabOptions } from './lab-target.js'
import { type NamedOptions, withNamedServer } from './named-servers.js'

/** The keys of a server that the lab file names: from a file, from their address, or by discovery. */
export async function keysOfNamed(
  at: string,
  options: ReachOptions & Pick<LabOptions, 'config'>,
): Promise<TokenKeys> {
  const named = await withNamedServer<NamedOptions>({ at }, options)
  const given = await givenMetadata(named)
  const issuer = given?.members.issuer ?? named.issuer
  const carried = given?.carriedKeys?.keys
  if (carried !== undefined) return defined({ keys: carried, issuer })
  const cacert = options.cacert ?? named.caFile
  const reach = cacert === undefined ? options : { ...options, cacert }
  const url = given?.members.jwks_uri
  if (url !== undefined) return defined({ ...(await fetchKeySet(url, reach)), issuer })
  if (issuer !== undefined) return fetchIssuerKeys(issuer, reach)
  throw new UsageError(`the server ${at} of the lab file names no keys`, [
    'Give it an issuer, a jwks_uri or a jwks_file',
  ])
}
