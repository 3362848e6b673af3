import { dirname, relative } from 'node:path'
import { findLabFile, loadLabConfig } from '../../lab/lab-file/config.js'
import { nearestHint } from '../../lab/lab-file/nearest.js'
import type { NamedServer } from '../../lab/named-server.js'
import { readRecords } from '../../lab/state/running.js'
import { UsageError } from '../../protocol/errors.js'
import type { TokenEndpointAuthMethod } from '../../protocol/oauth/client.js'
import { defined } from '../../protocol/values.js'
import type { LabOptions } from './lab.js'

/** The options that an entry under `servers` of the lab file can stand for. */
export interface NamedOptions {
  /** The name of the entry. */
  readonly at?: string
  readonly issuer?: string
  /** A file with metadata. */
  readonly metadata?: string
  /** Members of the metadata, such as `introspection_endpoint`. */
  readonly endpoints?: Readonly<Record<string, string>>
  /** The file or the address of a JWK Set. */
  readonly jwks?: string
  /** The CA that signed the certificate of the server. */
  readonly caFile?: string
  readonly clientId?: string
  /** The secret itself, which only a lab file may hold. */
  readonly clientSecret?: string
  readonly clientSecretFile?: string
  readonly clientSecretStdin?: true
  readonly auth?: TokenEndpointAuthMethod
  readonly clientKey?: string
  readonly cert?: string
  readonly certKey?: string
  /** Header fields for each request: `Name: value`. */
  readonly header?: readonly string[]
  readonly redirectUri?: string
  readonly postLogoutRedirectUri?: string
  readonly scope?: string
  readonly resource?: string
}

type Place = Pick<LabOptions, 'config' | 'home'>

/** The lab file with the servers of a run: that of `--config`, that of this folder, else that of a running lab. */
async function fileWithServers({ config, home }: Place): Promise<string | null> {
  const own = findLabFile(config)
  if (own !== null) return own
  const [running] = (await readRecords(home)).filter(each => each.config !== null)
  return running?.config ?? null
}

/**
 * Refuses what a lab file of a stranger could take: one that was found in this folder, and not named, gives files of its own folder alone.
 * The secret of the environment was not made for its servers.
 * @throws UsageError
 */
function refuseForeignSecrets(name: string, server: NamedServer, file: string, typed: NamedOptions): void {
  const own = dirname(file)
  const hint = `If you trust it, name it:  --config ${file}`
  const files = {
    client_key_file: server.clientKeyFile,
    client_secret_file: server.clientSecretFile,
    cert_file: server.certFile,
    cert_key_file: server.certKeyFile,
  }
  for (const [member, path] of Object.entries(files)) {
    if (path === undefined || !relative(own, path).startsWith('..')) continue
    throw new UsageError(
      `${member} of ${name} is ${path}, outside of the folder of ${file}: that file was found here, and nobody named it`,
      [hint],
    )
  }
  const hasOwn = server.clientSecret ?? server.clientSecretFile ?? server.clientKeyFile ?? server.certFile
  const typesSecret = typed.clientSecretFile !== undefined || typed.clientSecretStdin === true
  const auth = typed.auth ?? server.auth
  const needsSecret = auth === undefined || auth.startsWith('client_secret')
  if (process.env.OAUTH_LAB_CLIENT_SECRET && needsSecret && hasOwn === undefined && !typesSecret) {
    throw new UsageError(
      `OAUTH_LAB_CLIENT_SECRET would go to ${name}, a server that only ${file} names: that file was found here, and nobody named it`,
      [hint, 'Or give the secret by --client-secret-file or --client-secret-stdin'],
    )
  }
}

/** Finds a server of the lab file. @throws UsageError that names the nearest one */
async function namedServer(name: string, place: Place, typed: NamedOptions): Promise<NamedServer> {
  const file = await fileWithServers(place)
  const { servers } = await loadLabConfig(file)
  const found = servers.get(name)
  if (found !== undefined) {
    const isFound = place.config === undefined && file !== null && file === findLabFile(undefined)
    if (isFound) refuseForeignSecrets(name, found, file, typed)
    return found
  }
  const known = [...servers.keys()]
  const example = `servers: { ${/^[\w.-]+$/.test(name) ? name : 'work'}: { issuer: https://id.example, client_id: web } }`
  throw new UsageError(
    `--at ${JSON.stringify(name)} is no server of the lab file. Known servers: ${known.join(', ') || 'none'}.`,
    [
      ...nearestHint(name, known),
      `Lab file in use:  ${file ?? 'none; oauth-lab.yaml in this folder, or --config FILE'}`,
      ...(known.length === 0 ? [`Name it there:  ${example}`] : []),
    ],
  )
}

/** The means of a client. Those of an entry belong to the client of the entry alone. */
function clientMeans(server: NamedServer, typed: NamedOptions): NamedOptions {
  const { clientId, clientSecret, clientSecretFile, auth, clientKeyFile, certFile, certKeyFile } = server
  if (typed.clientId !== undefined && typed.clientId !== clientId) return {}
  const typesSecret = typed.clientSecretFile !== undefined || typed.clientSecretStdin === true
  const means = { clientId, auth, clientKey: clientKeyFile, cert: certFile, certKey: certKeyFile }
  return defined(typesSecret ? means : { ...means, clientSecret, clientSecretFile })
}

/**
 * The options of a run with those of the server that `--at` names. An option that was typed comes first. Options without
 * `at` stay as they are.
 * @throws UsageError for an unknown name
 */
export async function withNamedServer<Options extends NamedOptions>(
  options: Options,
  place: Place,
): Promise<Options> {
  const { at, ...typed } = options
  if (at === undefined) return options
  const server = await namedServer(at, place, typed as NamedOptions)
  const { issuer, metadataFile, endpoints, jwksFile, caFile, redirectUri, postLogoutRedirectUri, scope } =
    server
  const entry: NamedOptions = defined({
    issuer,
    metadata: metadataFile,
    endpoints,
    jwks: jwksFile,
    caFile,
    redirectUri,
    postLogoutRedirectUri,
    scope,
    resource: server.resource,
    ...clientMeans(server, options),
  })
  const header = [...(server.header ?? []), ...(options.header ?? [])]
  return { ...entry, ...defined(typed), ...(header.length > 0 && { header }) } as unknown as Options
}
