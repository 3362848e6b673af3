import type { User } from '../authorization-server/model.js'
import { DEFAULT_REDIRECT_URI } from '../client/callback-listener.js'
import { UsageError } from '../errors.js'
import { discoverIssuer } from '../flows/discovery.js'
import type { FlowOptions } from '../flows/options.js'
import type { Step } from '../flows/step.js'
import type { Send } from '../http/exchange.js'
import type { LabConfig } from '../lab/config.js'
import type { Client } from '../oauth/client.js'
import { clientSecret, type SecretOptions } from './client-secret.js'
import { trustworthyIssuer } from './issuer-address.js'
import { labKnowledge } from './lab-knowledge.js'
import { findClient } from './lab-names.js'
import { type LabOptions, type LabTarget, type LabUse, labTarget } from './lab-target.js'
import { outside, type Target, targetFrom } from './target.js'
import { trustedPem } from './trust.js'

/** The options that name an authorization server and the client that uses it. */
export interface ServerOptions extends SecretOptions {
  /** A client of the lab file. */
  readonly client: string
  /** Any other server. */
  readonly issuer?: string
  /** A client that the other server knows. */
  readonly clientId?: string
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
  /** Fetches the metadata of the server, or for a lab without them returns what its clients are configured with. */
  discover(send: Send, signal: AbortSignal): Promise<Discovery>
}

/**
 * Finds the authorization server of a run and its client: the lab of the run, or any issuer by its discovery document.
 * @throws UsageError
 */
export function serverTarget(
  options: ServerOptions,
  lab: LabOptions,
  use: LabUse,
  env: NodeJS.ProcessEnv,
): Promise<ServerTarget> {
  const { issuer } = options
  return issuer === undefined ? labServer(options, lab, use) : namedServer(issuer, options, lab, env)
}

async function labServer(options: ServerOptions, labOptions: LabOptions, use: LabUse): Promise<ServerTarget> {
  const foreign = (['clientId', 'clientSecretFile', 'clientSecretStdin'] as const).find(name => options[name])
  if (foreign) {
    const flag = `--${foreign.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)}`
    throw new UsageError(`${flag} is for another server than the lab`, [
      'Name its issuer:  --issuer https://id.example',
      'A client of the lab file brings its secret along:  --client demo',
    ])
  }
  const { server, serverBy = '--server' } = labOptions
  const hintsOf = ({ file }: LabConfig): string[] => [
    `Lab file in use:  ${file ?? 'the built-in one'}`,
    ...(server === undefined
      ? []
      : [`${serverBy} names ${server}; its lab file:  --config FILE or OAUTH_LAB_CONFIG`]),
  ]
  const check: LabUse['check'] = config => {
    findClient(options.client, config.clients, hintsOf(config))
    use.check?.(config)
  }
  return targetFrom(labTarget(labOptions, { ...use, check }), lab => {
    const { config, address } = lab
    const client = findClient(options.client, config.clients, hintsOf(config))
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

async function namedServer(
  typed: string,
  options: ServerOptions,
  labOptions: LabOptions,
  env: NodeJS.ProcessEnv,
): Promise<ServerTarget> {
  const issuer = trustworthyIssuer(typed)
  if (options.clientId === undefined) {
    throw new UsageError('--issuer needs a client that the server knows', [
      `oauth-lab flow code --issuer ${issuer} --client-id ID`,
    ])
  }
  const client = registeredElsewhere(options.clientId, await clientSecret(options, env))
  const caPem = await trustedPem(labOptions, issuer)
  return {
    ...outside,
    address: issuer,
    caPem,
    client,
    users: [],
    async discover(send, signal) {
      const { steps, metadata, error } = await discoverIssuer(issuer, send, signal)
      return metadata ? { steps, server: { metadata, foreignAccessTokens: true } } : { steps, error }
    },
  }
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
