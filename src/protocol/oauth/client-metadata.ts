import { isUrl } from '../http/address.js'
import { defined } from '../values.js'
import type { Client } from './client.js'
import { LOOPBACK, parseLoopback } from './redirect-uri.js'

/** The members of a client, or of a registration, that name its sector. */
export type SectorMember = {
  readonly [Name in 'subject_type' | 'sector_identifier_uri' | 'redirect_uris']?: Client[Name] | undefined
}

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
interface SectorProblem {
  readonly member: 'subject_type' | 'sector_identifier_uri'
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

/**
 * True for an address on the scheme, host and port of a redirect_uri (Front-Channel Logout §2). A loopback address is
 * registered without its port.
 */
export function isOnOriginOf(uri: string, redirectUris: readonly string[]): boolean {
  const { origin, hostname, protocol } = new URL(uri)
  return redirectUris.some(each => {
    if (!isUrl(each)) return false
    const other = new URL(each)
    if (other.origin === origin) return true
    return (
      LOOPBACK.has(hostname) &&
      other.protocol === protocol &&
      other.hostname === hostname &&
      other.port === ''
    )
  })
}

/** The parts of the document that a client publishes at the address of its client_id. */
interface DocumentParts {
  readonly clientId: string
  readonly name: string
  readonly redirectUris: readonly string[]
  /** Public keys. Absent: the client is public. */
  readonly jwks?: { readonly keys: readonly Record<string, unknown>[] } | undefined
}

/** True for an application on a person's computer: an address is one of that computer or of a private scheme (RFC 8252 §7). */
function isInstalled(redirectUris: readonly string[]): boolean {
  return redirectUris.some(
    uri => parseLoopback(uri, { anyLocalhostPort: true }) !== undefined || !/^https?:/i.test(uri),
  )
}

/** Makes the document of a client (draft-ietf-oauth-client-id-metadata-document-02 §4; RFC 7591 §2). */
export function clientDocument({ clientId, name, redirectUris, jwks }: DocumentParts) {
  return defined({
    client_id: clientId,
    client_name: name,
    application_type: isInstalled(redirectUris) ? 'native' : 'web',
    redirect_uris: redirectUris,
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: jwks === undefined ? 'none' : 'private_key_jwt',
    jwks,
  })
}

/** The members of a client that people read, each in any number of languages (RFC 7591 §2.2). */
const LOCALIZED_MEMBERS = ['client_name', 'client_uri', 'logo_uri', 'tos_uri', 'policy_uri'] as const

/** A member that people read. */
type LocalizedMember = (typeof LOCALIZED_MEMBERS)[number]

/** The form of a language tag (RFC 5646 §2.1): a language, then subtags. */
const TAG = /^[a-z]{2,8}(?:-[a-z0-9]{1,8}){0,8}$/i

/** Most languages of a request that are read. */
const MAX_LOCALES = 20

/** Returns the parts of a name such as `client_name#de-AT`; undefined for the name of any other member. */
export function taggedMember(
  name: string,
): { readonly member: LocalizedMember; readonly tag: string } | undefined {
  const [base = '', tag, ...rest] = name.split('#')
  const member = LOCALIZED_MEMBERS.find(each => each === base)
  return member === undefined || tag === undefined || rest.length > 0 || !TAG.test(tag)
    ? undefined
    : { member, tag }
}

/** Returns a language, and those that stand for it where it is missing: `zh-Hant-TW`, `zh-Hant`, `zh` (RFC 4647 §3.4). */
function withShorter(tag: string): string[] {
  const subtags = tag.split('-')
  const shorter = subtags.map((_, i) => subtags.slice(0, subtags.length - i))
  // A single letter begins an extension, and is nothing without what follows.
  return shorter.filter(each => each.at(-1)!.length > 1 || each.length === 1).map(each => each.join('-'))
}

/**
 * Returns a client as its pages show it to somebody who prefers these languages (OpenID Connect Core §3.1.2.1, Registration
 * §2.1). A member without any of them stays as it is without a tag.
 * @param locales the value of `ui_locales`: language tags with a space between them, the preferred one first
 */
export function inLanguages(client: Client, locales: string | undefined): Client {
  const { localized } = client
  if (localized === undefined || locales === undefined) return client
  const wanted = locales
    .split(' ')
    .filter(each => TAG.test(each))
    .slice(0, MAX_LOCALES)
    .flatMap(each => withShorter(each.toLowerCase()))
  const values = new Map(Object.entries(localized).map(([name, value]) => [name.toLowerCase(), value]))
  const found = LOCALIZED_MEMBERS.flatMap(member => {
    const tag = wanted.find(each => values.has(`${member}#${each}`))
    return tag === undefined ? [] : [[member, values.get(`${member}#${tag}`)!] as const]
  })
  return { ...client, ...Object.fromEntries(found) }
}
