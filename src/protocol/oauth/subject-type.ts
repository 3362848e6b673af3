import { isUrl } from '../http/address.js'
/** The members of a client that say by which `sub` it knows a person (OpenID Connect Registration §2). */
export interface SubjectRegistration {
  /** `pairwise`: its sector has a `sub` of its own for each person. Absent: `public`. */
  readonly subject_type?: 'public' | 'pairwise'
  /** The address of a list of redirect_uris that form one sector. */
  readonly sector_identifier_uri?: string
}

/** A client with a sector. */
export type SectorMember = {
  readonly [Name in keyof SubjectRegistration]?: SubjectRegistration[Name] | undefined
} & { readonly redirect_uris?: readonly string[] | undefined }

/** True for a client whose `sub` of a person differs from those of other sectors. */
export function isPairwise({ subject_type: type }: SectorMember): boolean {
  return type === 'pairwise'
}

function hostOf(address: string): string {
  return isUrl(address) ? new URL(address).hostname : ''
}

/**
 * Returns the sector of a client: the host of its sector_identifier_uri, or else that of its redirect_uris (OpenID Connect
 * Core §8.1).
 */
export function sectorOf({ sector_identifier_uri: address, redirect_uris: uris = [] }: SectorMember): string {
  return address === undefined ? [...new Set(uris.map(hostOf))].sort().join(' ') : hostOf(address)
}

/** The problem of a client's sector, with the member that has it. */
export interface SectorProblem {
  readonly member: keyof SubjectRegistration
  readonly problem: string
}

const RULE = 'OpenID Connect Core §8.1'

/** Returns the problem of a client's sector; undefined for a client that needs none, or has one. */
export function sectorProblem(client: SectorMember): SectorProblem | undefined {
  const { sector_identifier_uri: address, redirect_uris: uris = [] } = client
  if (address !== undefined) {
    const problem = isPairwise(client) ? addressProblem(address) : 'it needs subject_type pairwise'
    return problem === undefined ? undefined : { member: 'sector_identifier_uri', problem }
  }
  if (!isPairwise(client)) return undefined
  const hosts = [...new Set(uris.map(hostOf))]
  const cure = `name a sector_identifier_uri that lists every redirect_uri (${RULE})`
  const problem =
    uris.length === 0
      ? `pairwise needs the host of a redirect_uri: register one, or ${cure}`
      : hosts.includes('')
        ? `pairwise needs redirect_uris with a host: ${cure}`
        : hosts.length > 1
          ? `the redirect_uris are on ${hosts.length} hosts (${hosts.join(', ')}): ${cure}`
          : undefined
  return problem === undefined ? undefined : { member: 'subject_type', problem }
}

function addressProblem(address: string): string | undefined {
  if (!isUrl(address)) return 'it is not an absolute URI'
  const { protocol, username, password, hash } = new URL(address)
  if (protocol !== 'https:') return `it is not https (${RULE})`
  return [username, password, hash].every(each => each === '')
    ? undefined
    : 'it has user information or a fragment'
}
