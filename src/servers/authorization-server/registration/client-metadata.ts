import { isUrl } from '../../../protocol/http/address.js'
import { type Client, isCertificateMethod, type ServerProfile } from '../../../protocol/oauth/client.js'
import { taggedMember } from '../../../protocol/oauth/client-metadata.js'
import { redirectUriProblem } from '../../../protocol/oauth/redirect-uri.js'
import { parseScope } from '../../../protocol/oauth/scope.js'
import type { Citation } from '../../../protocol/rules/rule.js'
import { type JsonObject, quote } from '../../../protocol/values.js'
import { checkClientRules } from '../client-rules/client-rules.js'
import { type ClientMetadata, toClient } from '../client-rules/defaults.js'
import { underProfile } from '../profiles/profiles.js'
import { unfitness } from '../profiles/refusals.js'
import type { ClientProblem } from '../stores/registry.js'
import { type Abilities, membersOf } from './members.js'

/** A member that a client may not register in this form. */
export interface MetadataFault {
  readonly error: 'invalid_client_metadata' | 'invalid_redirect_uri'
  readonly member: string
  readonly problem: string
  readonly rule: Citation
}

/** The server that a client registers at. */
interface MetadataContext extends Abilities {
  readonly clientId: string
  /** Returns the client's secret. It is called only for a client that uses one. */
  readonly secret: () => string
  /** The scope values of the server. */
  readonly scopes: readonly string[]
  readonly profile: ServerProfile
  /** Absent: the strict ones. */
  readonly rules?: RegistrationRules
}

/** The result of reading metadata: a client, or every fault in them. */
type MetadataResult =
  | { readonly client: Client /** Members without effect. */; readonly ignored: readonly string[] }
  | { readonly faults: readonly [MetadataFault, ...MetadataFault[]] }

const METADATA = 'RFC 7591 §2'

/** True for a value that counts as left out (RFC 7592 §2.2). */
export const isEmpty = (value: unknown) => value === undefined || value === null || value === ''

/** The own members of a body that have a value. A member `__proto__` is one like any other, and nobody knows it. */
const givenMembers = (body: JsonObject): ReadonlyMap<string, unknown> =>
  new Map(Object.entries(body).filter(([, value]) => !isEmpty(value)))

const metadataFault = (member: string, problem: string, rule: Citation = METADATA): MetadataFault => ({
  error: member === 'redirect_uris' ? 'invalid_redirect_uri' : 'invalid_client_metadata',
  member,
  problem,
  rule,
})

/** Returns the scope tokens of a client; undefined for every scope of the server. */
function readScope(
  value: unknown,
  known: readonly string[],
): readonly string[] | { problem: string } | undefined {
  if (isEmpty(value)) return undefined
  const tokens = typeof value === 'string' ? parseScope(value) : undefined
  if (tokens === undefined)
    return { problem: 'it must be a text of scope values with one space between them' }
  const unknown = tokens.find(each => !known.includes(each))
  if (unknown === undefined) return tokens
  return { problem: `${quote(unknown)} is no scope of this server; it has: ${known.join(', ')}` }
}

/** Most values with a language tag. */
const MAX_LOCALIZED = 100

/** Reads the members with a language tag, such as `client_name#de` (RFC 7591 §2.2). Each is read as the member without one. */
function readLocalized(
  given: ReadonlyMap<string, unknown>,
  members: ReturnType<typeof membersOf>,
): { readonly values: Readonly<Record<string, string>>; readonly faults: readonly MetadataFault[] } {
  const values: Record<string, string> = {}
  const faults: MetadataFault[] = []
  for (const [name, value] of given) {
    const tagged = taggedMember(name)
    if (tagged === undefined) continue
    const reading = members[tagged.member](value)
    if ('problem' in reading) faults.push(metadataFault(name, reading.problem, 'RFC 7591 §2.2'))
    else values[name] = reading.value
  }
  const count = Object.keys(values).length
  if (count > MAX_LOCALIZED) {
    const problem = `${count} values with a language tag; ${MAX_LOCALIZED} are kept`
    return { values: {}, faults: [metadataFault('the client', problem, 'RFC 7591 §2.2')] }
  }
  return { values, faults }
}

/** Names whose secret keys signatures or encryption, with the values that need it. */
const KEYED_BY_SECRET = /_(?:response_alg|signing_alg|encryption_alg)$/

/** True for a client that needs a secret: to authenticate, or as a key (OpenID Connect Core §10.1, §10.2). */
function needsSecret(metadata: ClientMetadata): boolean {
  const { token_endpoint_auth_method: method } = metadata
  if (method?.startsWith('client_secret_')) return true
  if (method === 'none' || isCertificateMethod(method)) return false
  return Object.entries(metadata).some(
    ([name, value]) => KEYED_BY_SECRET.test(name) && (value === 'HS256' || value === 'dir'),
  )
}

function addressFaults(
  client: Client,
  type: 'web' | 'native',
  { redirectFault }: RegistrationRules,
): readonly MetadataFault[] {
  const { redirect_uris: uris, grant_types: grants, post_logout_redirect_uris: afterLogout = [] } = client
  const isImplicit = grants.includes('implicit')
  const redirects = isImplicit || grants.includes('authorization_code')
  const missing =
    redirects && uris.length === 0
      ? [metadataFault('redirect_uris', 'a client that people are sent back to registers its addresses')]
      : []
  return [
    ...missing,
    ...uris.flatMap(uri => {
      const fault = redirectFault(uri, type, isImplicit)
      return fault === undefined ? [] : [metadataFault('redirect_uris', fault.problem, fault.rule)]
    }),
    ...afterLogout.flatMap(uri => {
      const wrong = redirectUriProblem(uri)
      if (wrong === undefined) return []
      return [metadataFault('post_logout_redirect_uris', `${quote(uri)}: ${wrong.problem}`, wrong.rule)]
    }),
  ]
}

/**
 * Reads the metadata of a client (RFC 7591 §2, OpenID Connect Registration §2). Members that nobody knows are dropped;
 * values that this server does not support are faults, named by their member.
 */
export function readClientMetadata(body: JsonObject, context: MetadataContext): MetadataResult {
  const given = givenMembers(body)
  const members = membersOf(context)
  const faults: MetadataFault[] = []
  const read: Record<string, unknown> = {}
  for (const [name, reader] of Object.entries(members)) {
    if (!given.has(name)) continue
    const reading = reader(given.get(name))
    if ('problem' in reading) faults.push(metadataFault(name, reading.problem))
    else read[name] = reading.value
  }
  const localized = readLocalized(given, members)
  faults.push(...localized.faults)
  const scope = readScope(given.get('scope'), context.scopes)
  if (scope !== undefined && 'problem' in scope) faults.push(metadataFault('scope', scope.problem))
  // Rules between members make sense for members that could be read.
  if (isFaulty(faults)) return { faults }

  const { rules = REGISTRATION_RULES } = context
  if (Object.keys(localized.values).length > 0) read.localized = localized.values
  const { client, type } = complete(read, scope as readonly string[] | undefined, context, rules)
  faults.push(...addressFaults(client, type, rules))
  checkClientRules(client, [], ([member], problem) => {
    const isKnown = faults.some(each => each.member === member && member === 'redirect_uris')
    if (!isKnown) faults.push(metadataFault(String(member), problem))
  })
  for (const { problem, rule } of unfitness(underProfile(client, context.profile))) {
    faults.push(metadataFault('the client', problem, rule))
  }
  if (isFaulty(faults)) return { faults }
  const known = new Set([...Object.keys(members), ...Object.keys(localized.values), 'scope', ...RESERVED])
  return { client: lenient(client, read), ignored: [...given.keys()].filter(name => !known.has(name)) }
}

/**
 * Returns a client that named no method without one: its secret counts in the header and in the body. Libraries that leave the
 * member out, such as openid-client, send the secret in the body.
 */
function lenient(client: Client, read: Readonly<Record<string, unknown>>): Client {
  if (read.token_endpoint_auth_method !== undefined) return client
  const { token_endpoint_auth_method: _, ...rest } = client
  return rest
}

/** Members of requests that are no metadata. */
const RESERVED = ['software_statement', 'client_id', 'client_secret']

const isFaulty = (faults: readonly MetadataFault[]): faults is [MetadataFault, ...MetadataFault[]] =>
  faults.length > 0

/** Returns a client with the defaults of registrations, which are in part others than those of the lab file. */
function complete(
  read: Readonly<Record<string, unknown>>,
  allowed: readonly string[] | undefined,
  { clientId, secret }: MetadataContext,
  { introduced }: RegistrationRules,
): { readonly client: Client; readonly type: 'web' | 'native' } {
  const metadata: ClientMetadata = {
    token_endpoint_auth_method: 'client_secret_basic',
    ...read,
    client_id: clientId,
    allowed_scopes: allowed,
  }
  const type = metadata.application_type ?? applicationTypeOf(metadata.redirect_uris ?? [])
  const client = toClient({
    ...metadata,
    application_type: type,
    introduced,
    client_secret: needsSecret(metadata) ? secret() : undefined,
  })
  return { client, type }
}

/** The kind of a client (OpenID Connect Registration §2). */
type ApplicationType = 'web' | 'native'

const schemeOf = (uri: string): string => uri.slice(0, uri.indexOf(':')).toLowerCase()

/** Hosts of the person's own computer. */
const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]'])
const isLoopback = (uri: string): boolean => isUrl(uri) && LOOPBACK.has(new URL(uri).hostname)

/**
 * Returns the kind of a client that names none: a web site has https addresses alone. OpenID Connect Registration §2 assumes
 * `web`, which would refuse every installed client that leaves the member out.
 */
function applicationTypeOf(uris: readonly string[]): ApplicationType {
  return uris.every(each => schemeOf(each) === 'https' && !isLoopback(each)) ? 'web' : 'native'
}

function webFault(uri: string, isImplicit: boolean): ClientProblem | undefined {
  const rule = 'OpenID Connect Registration §2'
  if (schemeOf(uri) !== 'https') {
    const problem =
      'a client with application_type web has https addresses alone; an installed one registers application_type native'
    return { problem, rule }
  }
  if (isImplicit && isLoopback(uri)) {
    return { problem: 'a web client with the implicit grant has no address on localhost', rule }
  }
  return undefined
}

function nativeFault(uri: string): ClientProblem | undefined {
  const scheme = schemeOf(uri)
  if (scheme === 'https') {
    // RFC 8252 §7.2: an app claims an https address of its maker, and nobody owns localhost.
    if (!isLoopback(uri)) return undefined
    return { problem: 'the https address of a native client is not on localhost', rule: 'RFC 8252 §7.2' }
  }
  if (scheme === 'http' || scheme.includes('.')) return undefined
  const problem = `the private scheme ${scheme}: has no period; use the reversed domain name of the maker, such as com.example.app:`
  return { problem, rule: 'RFC 8252 §7.1' }
}

/**
 * Returns the fault of an address of a client; undefined for one that it may register.
 * @param isImplicit true for a client with the implicit grant
 */
function redirectFault(uri: string, type: ApplicationType, isImplicit: boolean): ClientProblem | undefined {
  const fault = redirectUriProblem(uri) ?? (type === 'web' ? webFault(uri, isImplicit) : nativeFault(uri))
  return fault && { problem: `${quote(uri)}: ${fault.problem}`, rule: fault.rule }
}

/** The rules for clients that register themselves, which those of the lab file do not have. */
export interface RegistrationRules {
  /** Returns the fault of an address (OpenID Connect Registration §2, RFC 8252 §7). */
  readonly redirectFault: typeof redirectFault
  /** Marks the client on pages: nobody checked its name and its picture (RFC 7591 §5). */
  readonly introduced: Client['introduced']
}

/** The rules that the specifications demand. */
export const REGISTRATION_RULES: RegistrationRules = { redirectFault, introduced: 'registration' }
