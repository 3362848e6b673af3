import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import type { DetailTypes } from '../../protocol/oauth/authorization-details.js'
import type { Client } from '../../protocol/oauth/client.js'
import { type ShownWeak, weakModes } from '../../protocol/rules/weak-modes.js'
import { defined, isJsonObject } from '../../protocol/values.js'
import { toClient } from '../../servers/authorization-server/client-rules/defaults.js'
import type { Rate } from '../../servers/authorization-server/logins/guess-limit.js'
import type { User } from '../../servers/authorization-server/model.js'
import type { AuthorizationServerSettings } from '../../servers/authorization-server/settings.js'
import type { Issuer } from '../../servers/demo-client/settings.js'
import { DEFAULT_ROUTES, type ResourceRoute } from '../../servers/resource-server/settings.js'
import { type NamedServer, toNamedServer } from '../named-server.js'
import type { KnownNames } from '../schema/lab-file-checks.js'
import type { LabFile } from '../schema/lab-file-schema.js'
import type { AssertionIssuerFiles } from '../sites/assertion-issuers.js'
import { withKubernetesClient } from '../sites/kubernetes-client.js'
import { type ClusterConfig, toClusterConfig } from './cluster-config.js'
import { toIssuer, toUser } from './config-entries.js'
import { parseDuration } from './duration.js'
import { type RegistrationConfig, toRegistrationConfig } from './registration-config.js'

/** The lab file in the current folder, which is read when no other is named. */
export const DEFAULT_LAB_FILE = 'oauth-lab.yaml'

/** A lab file, checked, completed from the built-in one, and in the types that the servers use. */
export interface LabConfig {
  /** Absolute path; null for the built-in lab. */
  readonly file: string | null
  readonly stage: NonNullable<LabFile['stage']>
  readonly profile: NonNullable<LabFile['profile']>
  readonly responseTypeErrors: NonNullable<LabFile['response_type_errors']>
  /** The defences that are switched off on purpose, in the order of the table; empty for a strict lab. */
  readonly weak: readonly ShownWeak[]
  /** True when answers over TLS are compressed. */
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
  /** Clients that register themselves (RFC 7591). */
  readonly registration: RegistrationConfig
  /** Scope token to its description. */
  readonly scopes: Readonly<Record<string, string>>
  /** Claims of a scope, in place of those of OpenID Connect. */
  readonly scopeClaims: Readonly<Record<string, readonly string[]>>
  readonly defaultScope: string
  /** Types of authorization details (RFC 9396). */
  readonly detailTypes: DetailTypes
  readonly clients: readonly Client[]
  readonly users: readonly User[]
  readonly assertionIssuerFiles: readonly AssertionIssuerFiles[]
  /** True when DPoP proofs need a nonce (RFC 9449 §8). */
  readonly dpopNonceRequired: boolean
  /** True when every client pushes its authorization requests (RFC 9126 §5). */
  readonly requirePushed: boolean
  /** True when every authorization request is a signed request object (RFC 9101 §10.5). */
  readonly requireSignedRequestObject: boolean
  /** True when request objects need aud, exp and nbf, and count once. */
  readonly strictRequestObjects: boolean
  /** Hosts that request objects of clients are fetched from. */
  readonly requestUriHosts: readonly string[]
  /** Clients whose id is the address of their document. Absent: as the address of the lab allows. */
  readonly clientIdDocuments?: NonNullable<LabFile['client_id_documents']>
  readonly resource: {
    /** Left out: every client, and the resource server itself. */
    readonly audiences?: readonly string[]
    /** True when the resource server asks about every token (RFC 7662). */
    readonly introspection: boolean
    readonly routes: readonly ResourceRoute[]
  }
  /** Resources that tokens are issued for, beside those of the lab. */
  readonly resources: 'any' | readonly string[]
  readonly cluster: ClusterConfig
  /** Authorization servers of the demo client beside the lab. */
  readonly clientIssuers: readonly Issuer[]
  /** Other servers by their names, for `--at`. */
  readonly servers: ReadonlyMap<string, NamedServer>
  /** The whole effective lab file, with the names of the file. */
  readonly effective: LabFile
  /** Top-level fields that the person's own file sets. */
  readonly given: readonly (keyof LabFile)[]
}

const builtInFile = new URL('../../../fixtures/lab.json', import.meta.url)

/** The built-in lab file. A test holds it against the schema, so that no start has to load zod for it. */
async function readBuiltIn(): Promise<LabFile> {
  return JSON.parse(await readFile(builtInFile, 'utf8')) as LabFile
}

/** The names of a lab file, for checks of another file that is merged into it. */
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

/** Merges maps. Any other own value, a list too, replaces the built-in one. */
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

/** A rate as a lab file writes it: `10/1m`, or `off`. */
function rate(text: string | undefined, name: string): Rate {
  if (text === 'off') return text
  const [attempts, time] = (text ?? '').split('/')
  const window = parseDuration(time ?? '')
  if (window === undefined) throw new Error(`the built-in lab file has no rate_limit ${name}`)
  return { attempts: Number(attempts), window }
}

function toConfig(file: string | null, effective: LabFile, given: readonly (keyof LabFile)[]): LabConfig {
  const { lifetimes, signing_secret: signingSecret, signing_key_file: keyFile } = effective
  const folder = file === null ? '.' : dirname(file)
  const inFolder = (path: string | undefined) => (path === undefined ? undefined : resolve(folder, path))
  const config = defined({
    file,
    stage: effective.stage ?? 'published-keys',
    profile: effective.profile ?? 'standard',
    responseTypeErrors: effective.response_type_errors ?? 'page',
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
    registration: toRegistrationConfig(effective, path => resolve(folder, path)),
    scopes: effective.scopes ?? {},
    scopeClaims: effective.scope_claims ?? {},
    defaultScope: effective.default_scope ?? '',
    detailTypes: effective.authorization_details_types ?? {},
    clients: (effective.clients ?? []).map(toClient),
    users: (effective.users ?? []).map(toUser),
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
    cluster: toClusterConfig(effective.cluster ?? {}, path => resolve(folder, path)),
    clientIssuers: (effective.demo_client?.issuers ?? []).map(toIssuer),
    servers: new Map(
      Object.entries(effective.servers ?? {}).map(([name, entry]) => [name, toNamedServer(entry, inFolder)]),
    ),
    effective,
    given,
  })
  return withKubernetesClient(config)
}

/** The lab file to use: the named one, else `./oauth-lab.yaml` if it exists, else null for the built-in one. */
export function findLabFile(named: string | undefined, folder = process.cwd()): string | null {
  if (named !== undefined) return resolve(folder, named)
  const usual = resolve(folder, DEFAULT_LAB_FILE)
  return existsSync(usual) ? usual : null
}

/**
 * Loads the lab file, or the built-in one for `null`.
 * @param file a path; left out: `./oauth-lab.yaml` if it exists, else the built-in one
 * @throws UsageError that names the file, the line, the problem and the allowed values
 */
export async function loadLabConfig(file?: string | null): Promise<LabConfig> {
  const path = file === null ? null : findLabFile(file)
  const builtIn = await readBuiltIn()
  if (path === null) return toConfig(null, builtIn, [])
  const { checkedLabFile } = await import('./lab-file.js')
  const own = await checkedLabFile(path, namesOf(builtIn))
  return toConfig(path, merge(builtIn, own) as LabFile, Object.keys(own) as (keyof LabFile)[])
}

/**
 * Checks the text of a lab file before it is written.
 * @param file its path, for messages
 * @throws UsageError that names the file, the line, the problem and the allowed values
 */
export async function checkLabText(file: string, text: string): Promise<void> {
  const { checkSource } = await import('./lab-file.js')
  const { parseLabFile } = await import('./lab-file-source.js')
  checkSource(await parseLabFile(file, text), namesOf(await readBuiltIn()))
}

/**
 * Checks and completes the content of a lab file that is not in a file. Paths in it are relative to the current folder.
 * @param own the content, unchecked
 * @param name the name of the content in messages
 * @throws UsageError that names the field, the problem and the allowed values
 */
export async function labConfigFrom(own: unknown, name: string): Promise<LabConfig> {
  const builtIn = await readBuiltIn()
  const { checkSource } = await import('./lab-file.js')
  const source = { file: name, value: own, lineOf: () => undefined }
  const checked = checkSource(source, namesOf(builtIn))
  return toConfig(null, merge(builtIn, checked) as LabFile, Object.keys(checked) as (keyof LabFile)[])
}
