import { UsageError } from '../../protocol/errors.js'
import { isUrl, quotedUrl } from '../../protocol/http/address.js'
import { isLoopbackUrl } from '../../protocol/http/message.js'
import { type AuthorizationServerMetadata, usableMembers } from '../../protocol/oauth/metadata.js'
import type { CarriedKeys, JwkSet } from '../../protocol/tokens/keys.js'
import { defined, isJsonObject, parsedJson } from '../../protocol/values.js'
import { readInputFile } from '../input/input.js'

/** The options that say what is known about a server. */
export interface GivenOptions {
  readonly issuer?: string
  /** A file with metadata (RFC 8414 §2). */
  readonly metadata?: string
  readonly authorizationEndpoint?: string
  readonly tokenEndpoint?: string
  /** The file or the address of a JWK Set. */
  readonly jwks?: string
  /** Members of the metadata from a lab file. */
  readonly endpoints?: Readonly<Record<string, string>>
}

/** The knowledge about a server that options and files give. */
export interface GivenMetadata {
  readonly members: AuthorizationServerMetadata
  /** Keys from a file. They count in place of published ones. */
  readonly carriedKeys?: CarriedKeys
  /** True when the knowledge stands for a discovery document: nothing is fetched. */
  readonly complete: boolean
  /** The places of the knowledge, such as `slack.json`. */
  readonly source: string
}

/** @throws UsageError for an address that secrets and codes may not go to */
function trusted(name: string, url: string): string {
  if (!isUrl(url) || !/^https?:\/\//i.test(url)) {
    throw new UsageError(`${name} ${quotedUrl(url)} is no absolute address`, [
      'It looks like https://id.example/token',
    ])
  }
  if (/^https:/i.test(url) || isLoopbackUrl(url)) return url
  throw new UsageError(
    `${name} ${quotedUrl(url)} has no TLS: codes, secrets and tokens would travel in the clear (RFC 6749 §3.1, §3.2)`,
    ['Name its https address; http is for servers on this computer'],
  )
}

/** The members of metadata that are addresses of the server. */
function addressesIn(members: AuthorizationServerMetadata): [name: string, url: string][] {
  return Object.entries(members).filter(
    (each): each is [string, string] => typeof each[1] === 'string' && /_endpoint$|^jwks_uri$/.test(each[0]),
  )
}

/** The addresses that a person gave for a server. */
export function givenAddresses(given: GivenMetadata | undefined): string[] {
  return serverAddresses(given?.members ?? {})
}

/** The addresses of a server in its metadata, those for clients with a certificate included. */
export function serverAddresses(members: AuthorizationServerMetadata): string[] {
  const aliases = members.mtls_endpoint_aliases ?? {}
  return [members, aliases].flatMap(each => addressesIn(each).map(([, url]) => url))
}

/** Reads the metadata of a server from a file. @throws UsageError */
async function readMetadataFile(file: string, issuer: string | undefined) {
  const refused = (problem: string, ...hints: readonly string[]) =>
    new UsageError(`the metadata file ${file}: ${problem}`, hints)
  let value: unknown
  try {
    value = JSON.parse(await readInputFile('the metadata file', file))
  } catch (error) {
    if (error instanceof UsageError) throw error
    throw refused('it is no JSON (RFC 8414 §3.2)')
  }
  if (!isJsonObject(value)) {
    throw refused('it is no JSON object (RFC 8414 §3.2)', 'It looks like {"token_endpoint":"https://…"}')
  }
  const [problem] = usableMembers(value).unusable
  if (problem !== undefined) throw refused(`${problem} (RFC 8414 §2)`)
  const { issuer: named } = value
  if (named !== undefined && typeof named !== 'string') throw refused('issuer is no string (RFC 8414 §2)')
  if (issuer !== undefined && named !== undefined && named !== issuer) {
    throw refused(`it names the issuer ${named}, and not ${issuer} (RFC 8414 §3.3)`, 'Leave --issuer out')
  }
  return value as AuthorizationServerMetadata
}

/** The keys of a server from a file, or the address of its keys. @throws UsageError */
async function givenKeys(jwks: string): Promise<{ jwksUri: string } | { carriedKeys: CarriedKeys }> {
  if (/^https?:\/\//i.test(jwks)) return { jwksUri: jwks }
  const { keys, remark } = await readKeySetFile(jwks)
  const title = `read ${jwks}${remark === undefined ? '' : ` (${remark})`}`
  return { carriedKeys: { keys: { kind: 'jwks', jwks: { keys } }, title } }
}

/**
 * Reads what options and files say about a server. With an endpoint of the code grant, or a file, no discovery document is
 * asked; single other members replace those of the document.
 * @returns undefined where nothing is given but the issuer
 * @throws UsageError
 */
export async function givenMetadata(options: GivenOptions): Promise<GivenMetadata | undefined> {
  const { issuer, metadata: file, authorizationEndpoint, tokenEndpoint, jwks, endpoints = {} } = options
  const typed = defined({ authorization_endpoint: authorizationEndpoint, token_endpoint: tokenEndpoint })
  const named = { ...endpoints, ...typed }
  if (file === undefined && jwks === undefined && Object.keys(named).length === 0) return undefined
  const inFile = file === undefined ? {} : await readMetadataFile(file, issuer)
  const keys = jwks === undefined ? undefined : await givenKeys(jwks)
  const known: AuthorizationServerMetadata = { ...inFile, ...named, ...(issuer !== undefined && { issuer }) }
  const { jwks_uri: _, ...keyless } = known
  const members: AuthorizationServerMetadata =
    keys === undefined ? known : 'jwksUri' in keys ? { ...keyless, jwks_uri: keys.jwksUri } : keyless
  for (const [name, value] of addressesIn(members)) trusted(name, value)
  const complete =
    file !== undefined ||
    ['authorization_endpoint', 'token_endpoint'].some(name => Object.hasOwn(named, name))
  const carriedKeys = keys !== undefined && 'carriedKeys' in keys ? keys.carriedKeys : undefined
  return defined({ members, carriedKeys, complete, source: file ?? 'the given addresses' })
}

/** A JWK Set from a file. */
export interface GivenKeySet extends JwkSet {
  /** The form in which the file holds the keys, where it is no JWK Set and no JWK. */
  readonly remark?: string
}

/** Reads a JWK Set, a JWK, or the public halves of keys in another form, from a file. @throws UsageError */
export async function readKeySetFile(file: string): Promise<GivenKeySet> {
  const text = await readInputFile('the JWK Set', file)
  const value = parsedJson(text)
  // A set is taken as it is: a key of it that cannot be used may be beside the one that is wanted.
  if (isJsonObject(value) && 'kty' in value) return { keys: [value as JwkSet['keys'][number]] }
  const keys: unknown = isJsonObject(value) ? value.keys : undefined
  if (Array.isArray(keys) && keys.every(isJsonObject)) return { keys }
  const { jwkOf, KeyFormatError, publicHalf, readGivenKeys } = await import(
    '../../protocol/tokens/given-keys.js'
  )
  try {
    const { keys: given, remark = 'it is PEM' } = readGivenKeys(text)
    return { keys: given.map(each => jwkOf(publicHalf(each))), remark }
  } catch (error) {
    if (!(error instanceof KeyFormatError)) throw error
    throw new UsageError(`${file} holds no JWK Set (RFC 7517 §5): ${error.message}`, [
      'It looks like {"keys":[…]}',
    ])
  }
}
