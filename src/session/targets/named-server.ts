import { createHash } from 'node:crypto'
import { findLabFile, loadLabConfig } from '../../lab/lab-file/config.js'
import type { NamedServer } from '../../lab/named-server.js'
import { readRecords } from '../../lab/state/running.js'
import { announceOrigins } from '../../lab/state/seen-origins.js'
import { UsageError } from '../../protocol/errors.js'
import { listed, nearestHint } from '../../protocol/nearest.js'
import type { TokenEndpointAuthMethod } from '../../protocol/oauth/client.js'
import { defined } from '../../protocol/values.js'
import { givenAddresses, givenMetadata } from './given-metadata.js'
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
  /** Set where `at` names a server of a lab file that was found. */
  readonly found?: FoundServer
}

/** The surroundings in which a server is named. */
export interface NamedPlace extends Pick<LabOptions, 'config' | 'home'> {
  /** Reports in one line where a found lab file sends requests for the first time. */
  readonly narrate: (line: string) => void
}

/** A server that a lab file names which nobody named. The file may be a stranger's. */
export interface FoundServer {
  readonly file: string
  /** A digest of its entry. Tokens are kept for this entry alone. */
  readonly entry: string
}

/** A lab file with servers, and how the run came to it. */
interface FileWithServers {
  readonly file: string | null
  readonly found: boolean
}

/** The lab file with the servers of a run: that of `--config`, that of this folder, else that of a running lab. */
async function fileWithServers({ config, home }: NamedPlace): Promise<FileWithServers> {
  const own = findLabFile(config)
  if (own !== null) return { file: own, found: config === undefined }
  const [running] = (await readRecords(home)).filter(each => each.config !== null)
  return { file: running?.config ?? null, found: running?.found === true }
}

/** Finds a server of the lab file. @throws UsageError that names the nearest one */
async function namedServer(
  name: string,
  place: NamedPlace,
): Promise<[server: NamedServer, found?: FoundServer]> {
  const { file, found } = await fileWithServers(place)
  const { servers } = await loadLabConfig(file, found)
  const server = servers.get(name)
  if (server !== undefined) {
    if (!found || file === null) return [server]
    const { issuer, metadataFile: metadata, endpoints, resource } = server
    const given = await givenMetadata(defined({ issuer, metadata, endpoints }))
    const addresses = [issuer, ...givenAddresses(given), resource].filter(each => each !== undefined)
    await announceOrigins(file, addresses, place.home, place.narrate)
    return [
      server,
      {
        file,
        entry: createHash('sha256')
          .update(JSON.stringify([file, server]))
          .digest('hex'),
      },
    ]
  }
  const known = [...servers.keys()]
  const example = `servers: { ${/^[\w.-]+$/.test(name) ? name : 'work'}: { issuer: https://id.example, client_id: web } }`
  throw new UsageError(
    `--at ${JSON.stringify(name)} is no server of the lab file. Known servers: ${listed(known)}.`,
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
  place: NamedPlace,
): Promise<Options> {
  const { at, ...typed } = options
  if (at === undefined) return options
  const [server, found] = await namedServer(at, place)
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
    found,
    ...clientMeans(server, options),
  })
  const header = [...(server.header ?? []), ...(options.header ?? [])]
  return { ...entry, ...defined(typed), ...(header.length > 0 && { header }) } as unknown as Options
}
