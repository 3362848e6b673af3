import { originsOf } from '../../client/bound-credentials.js'
import { DEFAULT_REDIRECT_URI } from '../../client/callback-listener.js'
import { discoverIssuer } from '../../flows/metadata/discovery.js'
import type { FlowOptions } from '../../flows/options.js'
import type { Step } from '../../flows/step.js'
import { givenStep } from '../../flows/steps/given-step.js'
import type { LabConfig } from '../../lab/lab-file/config.js'
import { UsageError } from '../../protocol/errors.js'
import type { Send } from '../../protocol/http/exchange.js'
import { splitUrl } from '../../protocol/http/message.js'
import type { Client } from '../../protocol/oauth/client.js'
import type { AuthorizationServerMetadata } from '../../protocol/oauth/metadata.js'
import { defined } from '../../protocol/values.js'
import type { User } from '../../servers/authorization-server/model.js'
import { clientSecret, type SecretOptions } from '../client/credentials.js'
import {
  checkedNetwork,
  type NetworkOptions,
  networkSettings,
  trustworthyIssuer,
  warnInsecure,
} from '../options/network.js'
import { findClient } from '../people/users.js'
import {
  type GivenMetadata,
  type GivenOptions,
  givenAddresses,
  givenMetadata,
  serverAddresses,
} from './given-metadata.js'
import { type LabOptions, type LabTarget, type LabUse, labKnowledge, labTarget } from './lab.js'
import { type FoundServer, type NamedOptions, withNamedServer } from './named-server.js'
import { outside, type Target, targetFrom, trustedPem } from './target.js'

/** The options that name an authorization server and the client that uses it. */
export interface ServerOptions
  extends SecretOptions,
    GivenOptions,
    NetworkOptions,
    Pick<NamedOptions, 'at' | 'auth' | 'caFile' | 'redirectUri'> {
  /** A client of the lab file. */
  readonly client: string
  /** A client that the other server knows. */
  readonly clientId?: string
  /** True for requests that no client makes, such as a registration: none is looked up. */
  readonly nobody?: true
}

/** The parts of the options of a flow that come from its server. */
export type ServerKnowledge = Pick<
  FlowOptions,
  'metadata' | 'carriedKeys' | 'audience' | 'foreignAccessTokens'
>

/** The result of discovery. */
export interface Discovery {
  /** The steps that were needed. */
  readonly steps: readonly Step[]
  /** Absent for a server that cannot be used. */
  readonly server?: ServerKnowledge
  /** The reason why the server cannot be used. */
  readonly error?: unknown
}

/** An authorization server, with the client that uses it. */
export interface ServerTarget extends Target {
  readonly client: Client
  /** Resource owners whose passwords are known. */
  readonly users: readonly User[]
  /** Absent for a server that is not a lab. */
  readonly lab?: LabTarget
  /** Set for a server of a lab file that was found, and not named. */
  readonly found?: FoundServer
  /** The origins that its credentials may go to. Discovery adds those of its endpoints. */
  readonly origins: ReadonlySet<string>
  /** Fetches the metadata of the server, or for a lab without them returns what its clients are configured with. */
  discover(send: Send, signal: AbortSignal): Promise<Discovery>
}

/**
 * Finds the authorization server of a run and its client: the lab of the run, a server that the lab file names, any issuer
 * by its discovery document, or a server without one by the metadata in a file or in options.
 * @throws UsageError
 */
export async function serverTarget(
  options: ServerOptions,
  lab: LabOptions,
  use: LabUse,
  env: NodeJS.ProcessEnv,
): Promise<ServerTarget> {
  const named = await withNamedServer(options, { ...lab, narrate: use.narrate })
  const given = await givenMetadata(named)
  const network = checkedNetwork(named)
  const isOther = named.issuer !== undefined || given !== undefined
  const found = await (isOther ? otherServer(named, given, lab, env) : labServer(named, lab, use))
  const { address, client } = found
  const secretOf = client.client_secret === undefined ? undefined : client.client_id
  const addresses = [address, ...givenAddresses(given)]
  const origins = originsOf([...addresses, ...Object.values(found.lab?.urls ?? {})])
  const what = `the secret of client ${client.client_id}`
  const { client_secret: value } = client
  const credentials = value === undefined ? [] : [{ what, value, origins }]
  const reach = { ...networkSettings(network, addresses), credentials }
  warnInsecure(network, { address, secretOf }, use)
  return {
    ...found,
    reach,
    origins,
    ...defined({ found: named.found }),
    async discover(send, signal) {
      const discovery = await found.discover(send, signal)
      for (const each of originsOf(serverAddresses(discovery.server?.metadata ?? {}))) origins.add(each)
      return discovery
    },
  }
}

type Reached = Omit<ServerTarget, 'origins'>

async function labServer(options: ServerOptions, labOptions: LabOptions, use: LabUse): Promise<Reached> {
  const foreign = (['clientId', 'clientSecretFile', 'clientSecretStdin'] as const).find(name => options[name])
  if (foreign) {
    const flag = `--${foreign.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)}`
    throw new UsageError(`${flag} is for another server than the lab`, [
      'Name its issuer:  --issuer https://id.example',
      'A client of the lab file brings its secret along:  --client demo',
    ])
  }
  const { server, serverBy = '--server' } = labOptions
  const hintsOf = ({ file, ownClient }: LabConfig): string[] =>
    ownClient === undefined
      ? [
          `Lab file in use:  ${file ?? 'the built-in one'}`,
          ...(server === undefined
            ? []
            : [`${serverBy} names ${server}; its lab file:  --config FILE or OAUTH_LAB_CONFIG`]),
        ]
      : ['This is the lab of the room, where you have one client: leave --client out.']
  const clientOf = (config: LabConfig): Client =>
    options.nobody ? NOBODY : findClient(options.client, config, hintsOf(config))
  const check: LabUse['check'] = config => {
    clientOf(config)
    use.check?.(config)
  }
  return targetFrom(labTarget(labOptions, { ...use, check }), lab => {
    const { config, address } = lab
    const client = clientOf(config)
    return {
      ...lab,
      lab,
      client,
      users: config.users,
      async discover(send, signal) {
        const known = await labKnowledge(
          { issuer: address, config, home: labOptions.home, mtlsUrl: lab.urls.mtls },
          send,
          signal,
        )
        return { steps: [], server: { ...known, audience: client.client_id } }
      },
    }
  })
}

/** The name of another server for people and for trust: its issuer, else the origin of its endpoints. @throws UsageError */
export function addressOf(issuer: string | undefined, given: GivenMetadata | undefined): string {
  if (issuer !== undefined) return trustworthyIssuer(issuer)
  const { issuer: named, token_endpoint: token, authorization_endpoint: authorization } = given?.members ?? {}
  if (named !== undefined) return trustworthyIssuer(named)
  const endpoint = token ?? authorization
  if (endpoint !== undefined) return splitUrl(endpoint).origin
  throw new UsageError('nothing says where the server is: no issuer and no endpoint is named', [
    'Name its issuer:  --issuer URL',
    'Or its addresses:  --authorization-endpoint URL --token-endpoint URL',
  ])
}

async function otherServer(
  options: ServerOptions,
  given: GivenMetadata | undefined,
  labOptions: LabOptions,
  env: NodeJS.ProcessEnv,
): Promise<Reached> {
  const address = addressOf(options.issuer, given)
  const { clientId = options.nobody ? NOBODY.client_id : undefined } = options
  if (clientId === undefined) {
    const by = options.issuer === undefined ? 'a server that is not the lab' : '--issuer'
    throw new UsageError(`${by} needs a client that the server knows`, [
      options.issuer === undefined
        ? 'Name it:  --client-id ID, or client_id of the server in the lab file'
        : `oauth-lab flow code --issuer ${address} --client-id ID`,
    ])
  }
  const { auth, redirectUri, caFile } = options
  const client = registeredElsewhere(clientId, await clientSecret(options, env))
  const cacert = labOptions.cacert ?? caFile
  const caPem = await trustedPem(cacert === undefined ? labOptions : { ...labOptions, cacert }, address)
  return {
    ...outside,
    address,
    caPem,
    client: {
      ...client,
      ...(auth !== undefined && { token_endpoint_auth_method: auth }),
      ...(redirectUri !== undefined && { redirect_uris: [redirectUri] }),
    },
    users: [],
    async discover(send, signal) {
      const own = { foreignAccessTokens: true, ...(given?.carriedKeys && { carriedKeys: given.carriedKeys }) }
      if (given?.complete) {
        const { members: metadata, source, carriedKeys } = given
        const hasKeys = carriedKeys !== undefined
        return { steps: [givenStep(metadata, { source, hasKeys })], server: { metadata, ...own } }
      }
      const { steps, metadata, error } = await discoverIssuer(address, send, signal)
      return metadata ? { steps, server: { metadata: withGiven(metadata, given), ...own } } : { steps, error }
    },
  }
}

/** Published metadata with the members that were given. Keys from a file count in place of the published ones. */
function withGiven(
  metadata: AuthorizationServerMetadata,
  given: GivenMetadata | undefined,
): AuthorizationServerMetadata {
  if (given === undefined) return metadata
  const { jwks_uri: _, ...keyless } = metadata
  return { ...(given.carriedKeys === undefined ? metadata : keyless), ...given.members }
}

/** A client of another server. The server alone knows what the client may do. */
export function registeredElsewhere(clientId: string, secret: string | undefined): Client {
  return {
    client_id: clientId,
    redirect_uris: [DEFAULT_REDIRECT_URI],
    enabled: true,
    grant_types: ['authorization_code'],
    response_types: ['code'],
    require_pkce: true,
    code_challenge_methods: ['S256'],
    token_profile: 'jwt',
    ...(secret !== undefined && { client_secret: secret }),
  }
}

/** The client of requests that no client makes. */
const NOBODY = registeredElsewhere('nobody', undefined)
