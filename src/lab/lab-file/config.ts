import { existsSync, realpathSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { UsageError } from '../../protocol/errors.js'
import type { DetailTypes } from '../../protocol/oauth/authorization-details.js'
import type { Client } from '../../protocol/oauth/client.js'
import type { Rate } from '../../protocol/rate-limit.js'
import { type ShownWeak, weakModes } from '../../protocol/rules/weak-modes.js'
import { defined, isJsonObject } from '../../protocol/values.js'
import { toClient } from '../../servers/authorization-server/client-rules/defaults.js'
import type { User } from '../../servers/authorization-server/model.js'
import type { AuthorizationServerSettings } from '../../servers/authorization-server/settings.js'
import type { Issuer } from '../../servers/demo-client/settings.js'
import { DEFAULT_ROUTES, type ResourceRoute } from '../../servers/resource-server/settings.js'
import { type NamedServer, toNamedServer } from '../named-server.js'
import type { KnownNames } from '../schema/lab-file-checks.js'
import type { ClientEntry, LabFile } from '../schema/lab-file-schema.js'
import type { AssertionIssuerFiles } from '../sites/assertion-issuers.js'
import { withKubernetesClient } from '../sites/kubernetes-client.js'
import { type ClusterConfig, toClusterConfig } from './cluster-config.js'
import { toIssuer, toUser } from './config-entries.js'
import { parseDuration } from './duration.js'
import { type RegistrationConfig, toRegistrationConfig } from './registration-config.js'

/** Read when no other lab file is named. */
export const DEFAULT_LAB_FILE = 'oauth-lab.yaml'

/** A lab file, checked and completed, in the types that the servers use. */
export interface LabConfig {
  /** Absolute path; null for the built-in lab. */
  readonly file: string | null
  /** True for a file that was found in the current folder and not named. It may be a stranger's. */
  readonly found: boolean
  readonly stage: NonNullable<LabFile['stage']>
  readonly profile: NonNullable<LabFile['profile']>
  readonly responseTypeErrors: NonNullable<LabFile['response_type_errors']>
  /** Absent: `unhinted` for the built-in users, where the lab is for this computer alone. */
  readonly accountChooser?: NonNullable<LabFile['account_chooser']>
  /** In the order of the table; empty for a strict lab. */
  readonly weak: readonly ShownWeak[]
  readonly compression: boolean
  readonly signingSecret?: string
  /** Absolute path. */
  readonly signingKeyFile?: string
  /** Milliseconds. */
  readonly lifetimes: {
    readonly code: number
    readonly accessToken: number
    readonly refreshToken: number
    readonly login: number
  }
  readonly rateLimits: AuthorizationServerSettings['rateLimits'] & { readonly registration: Rate }
  readonly registration: RegistrationConfig
  /** Scope token to its description. */
  readonly scopes: Readonly<Record<string, string>>
  /** In place of those of OpenID Connect. */
  readonly scopeClaims: Readonly<Record<string, readonly string[]>>
  readonly defaultScope: string
  readonly detailTypes: DetailTypes
  readonly clients: readonly Client[]
  readonly users: readonly User[]
  /** Those of `users` that come with the program, so that everyone knows their passwords. */
  readonly builtInUsers: readonly User[]
  /** The client that `demo` stands for: at the lab of a room, that of the participant. Absent: itself. */
  readonly ownClient?: string
  readonly assertionIssuerFiles: readonly AssertionIssuerFiles[]
  /** RFC 9449 §8. */
  readonly dpopNonceRequired: boolean
  /** Every client pushes its authorization requests (RFC 9126 §5). */
  readonly requirePushed: boolean
  /** RFC 9101 §10.5. */
  readonly requireSignedRequestObject: boolean
  /** Request objects need aud, exp and nbf, and count once. */
  readonly strictRequestObjects: boolean
  /** Hosts that request objects are fetched from. */
  readonly requestUriHosts: readonly string[]
  /** Absent: as the address of the lab allows. */
  readonly clientIdDocuments?: NonNullable<LabFile['client_id_documents']>
  readonly resource: {
    /** Left out: every client, and the resource server itself. */
    readonly audiences?: readonly string[]
    readonly introspection: boolean
    readonly routes: readonly ResourceRoute[]
  }
  /** Beside the resources of the lab. */
  readonly resources: 'any' | readonly string[]
  readonly cluster: ClusterConfig
  readonly clientIssuers: readonly Issuer[]
  /** For `--at`. */
  readonly servers: ReadonlyMap<string, NamedServer>
  /** With the names of the file. */
  readonly effective: LabFile
  /** Top-level fields that the person's own file sets. */
  readonly given: readonly (keyof LabFile)[]
}

const builtInFile = new URL('../../../fixtures/lab.json', import.meta.url)

/** A test checks the built-in file against the schema, so that no start loads zod for it. */
async function readBuiltIn(): Promise<LabFile> {
  return JSON.parse(await readFile(builtInFile, 'utf8')) as LabFile
}

/** The entry of a client of the built-in lab. */
export async function builtInClient(name: string): Promise<ClientEntry> {
  const { clients = [] } = await readBuiltIn()
  const found = clients.find(each => each.client_id === name)
  if (found === undefined) throw new Error(`the built-in lab file has no client ${name}`)
  return found
}

function namesOf(file: LabFile): KnownNames {
  const { scopes = {}, authorization_details_types: types = {}, clients = [], users = [] } = file
  return {
    detailTypes: Object.keys(types),
    scopes: Object.keys(scopes),
    clients: clients.map(each => each.client_id),
    users: users.map(each => each.username),
  }
}

type Members = Readonly<Record<string, unknown>>

/** Merges maps. Any other own value replaces the built-in one, a list too. */
function merge(builtIn: Members, own: Members): Members {
  const merged: Record<string, unknown> = { ...builtIn }
  for (const [name, value] of Object.entries(own)) {
    if (value === undefined) continue
    const base = merged[name]
    merged[name] = isJsonObject(value) && isJsonObject(base) ? merge(base, value) : value
  }
  return merged
}

function lifetime(text: string | undefined, name: string): number {
  const ms = parseDuration(text ?? '')
  if (ms === undefined) throw new Error(`the built-in lab file has no lifetime ${name}`)
  return ms
}

function rate(text: string | undefined, name: string): Rate {
  if (text === 'off') return text
  const [attempts, time] = (text ?? '').split('/')
  const window = parseDuration(time ?? '')
  if (window === undefined) throw new Error(`the built-in lab file has no rate_limit ${name}`)
  return { attempts: Number(attempts), window }
}

/** The path without symbolic links. The last parts need not exist. */
function realPath(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    const parent = dirname(path)
    return parent === path ? path : join(realPath(parent), basename(path))
  }
}

/** Makes a path of a lab file absolute. A file that nobody named has paths below its own folder alone. @throws UsageError */
function pathIn(file: string | null, found: boolean, path: string): string {
  const folder = file === null ? '.' : dirname(file)
  const absolute = resolve(folder, path)
  const way = relative(realPath(folder), realPath(absolute))
  if (!found || !(way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way))) return absolute
  throw new UsageError(
    `${file} names ${path}, which is outside of its folder. It was found in the current folder, and nobody named it`,
    [`If you trust it, name it:  --config ${file}`],
  )
}

/** The source of a lab file. */
interface LabSource {
  readonly file: string | null
  readonly found: boolean
  readonly given: readonly (keyof LabFile)[]
}

function toConfig({ file, found, given }: LabSource, effective: LabFile): LabConfig {
  const { lifetimes, signing_secret: signingSecret, signing_key_file: keyFile } = effective
  const absolute = (path: string): string => pathIn(file, found, path)
  const users = (effective.users ?? []).map(toUser)
  const inFolder = (path: string | undefined) => (path === undefined ? undefined : absolute(path))
  const config = defined({
    file,
    found,
    stage: effective.stage ?? 'published-keys',
    profile: effective.profile ?? 'standard',
    responseTypeErrors: effective.response_type_errors ?? 'page',
    accountChooser: effective.account_chooser,
    weak: weakModes(effective.weak ?? []).map(({ name }) => name),
    compression: effective.compression ?? false,
    signingSecret,
    signingKeyFile: inFolder(keyFile),
    lifetimes: {
      code: lifetime(lifetimes?.code, 'code'),
      accessToken: lifetime(lifetimes?.access_token, 'access_token'),
      refreshToken: lifetime(lifetimes?.refresh_token, 'refresh_token'),
      login: lifetime(lifetimes?.login, 'login'),
    },
    rateLimits: {
      login: rate(effective.rate_limit?.login, 'login'),
      passwordGrant: rate(effective.rate_limit?.password_grant, 'password_grant'),
      clientSecret: rate(effective.rate_limit?.client_secret, 'client_secret'),
      registration: rate(effective.rate_limit?.registration, 'registration'),
    },
    registration: toRegistrationConfig(effective, absolute),
    scopes: effective.scopes ?? {},
    scopeClaims: effective.scope_claims ?? {},
    defaultScope: effective.default_scope ?? '',
    detailTypes: effective.authorization_details_types ?? {},
    clients: (effective.clients ?? []).map(toClient),
    users,
    builtInUsers: given.includes('users') ? [] : [...users],
    assertionIssuerFiles: (effective.assertion_issuers ?? []).map(each =>
      defined({
        issuer: each.issuer,
        clientless: each.clientless,
        jwksFile: inFolder(each.jwks_file),
        certificateFile: inFolder(each.certificate_file),
      }),
    ),
    dpopNonceRequired: effective.dpop_nonce === 'required',
    requirePushed: effective.require_pushed_authorization_requests ?? false,
    requireSignedRequestObject: effective.require_signed_request_object ?? false,
    strictRequestObjects: effective.strict_request_objects ?? false,
    requestUriHosts: effective.request_uri_hosts ?? [],
    clientIdDocuments: effective.client_id_documents,
    resource: defined({
      audiences: effective.resource?.audiences,
      introspection: effective.resource?.introspection ?? false,
      routes: (effective.resource?.routes ?? DEFAULT_ROUTES) as readonly ResourceRoute[],
    }),
    resources: effective.resources ?? [],
    cluster: toClusterConfig(effective.cluster ?? {}, absolute),
    clientIssuers: (effective.demo_client?.issuers ?? []).map(toIssuer),
    servers: new Map(
      Object.entries(effective.servers ?? {}).map(([name, entry]) => [name, toNamedServer(entry, inFolder)]),
    ),
    effective,
    given,
  })
  return withKubernetesClient(config)
}

/** The named file, else `./oauth-lab.yaml`, else null for the built-in lab. */
export function findLabFile(named: string | undefined, folder = process.cwd()): string | null {
  if (named !== undefined) return resolve(folder, named)
  const usual = resolve(folder, DEFAULT_LAB_FILE)
  return existsSync(usual) ? usual : null
}

/**
 * @param file left out: `./oauth-lab.yaml` if it exists, else the built-in lab
 * @param found true for a file that nobody named
 * @throws UsageError that names the file, the line, the problem and the allowed values
 */
export async function loadLabConfig(file?: string | null, found = file === undefined): Promise<LabConfig> {
  const path = file === null ? null : findLabFile(file)
  const builtIn = await readBuiltIn()
  if (path === null) return toConfig({ file: null, found: false, given: [] }, builtIn)
  const { checkedLabFile } = await import('./lab-file.js')
  const own = await checkedLabFile(path, namesOf(builtIn))
  const given = Object.keys(own) as (keyof LabFile)[]
  return toConfig({ file: path, found, given }, merge(builtIn, own) as LabFile)
}

/** Checks the text of a lab file before it is written. @throws UsageError as loadLabConfig does */
export async function checkLabText(file: string, text: string): Promise<void> {
  const { checkSource } = await import('./lab-file.js')
  const { parseLabFile } = await import('./lab-file-source.js')
  checkSource(await parseLabFile(file, text), namesOf(await readBuiltIn()))
}

/**
 * Checks and completes content that is in no file. Paths are relative to the current folder.
 * @param name the name of the content in messages
 * @throws UsageError that names the field, the problem and the allowed values
 */
export async function labConfigFrom(own: unknown, name: string): Promise<LabConfig> {
  const builtIn = await readBuiltIn()
  const { checkSource } = await import('./lab-file.js')
  const source = { file: name, value: own, placeOf: () => undefined }
  const checked = checkSource(source, namesOf(builtIn))
  const given = Object.keys(checked) as (keyof LabFile)[]
  return toConfig({ file: null, found: false, given }, merge(builtIn, checked) as LabFile)
}
