import { randomBytes } from 'node:crypto'
import type { User } from '../authorization-server/model.js'
import { DEFAULT_REDIRECT_URI } from '../client/callback-listener.js'
import { discover } from '../client/discovery.js'
import { UsageError } from '../errors.js'
import type { ClientExtras } from '../flows/client-wires.js'
import { discoverIssuer } from '../flows/discovery.js'
import type { FlowOptions } from '../flows/options.js'
import type { Step } from '../flows/step.js'
import type { Send } from '../http/exchange.js'
import type { Client } from '../oauth/client.js'
import type { AuthorizationServerMetadata } from '../oauth/metadata.js'
import { trustworthyIssuer } from '../targets/issuer-address.js'
import { type LabTarget, type LabUse, labTarget } from '../targets/lab-target.js'
import { trustedPem } from '../targets/trust.js'
import type { ClientKey } from '../tokens/client-assertion.js'
import { clientProof, type ProofFlags, readClientKey } from './client-proof.js'
import { clientSecret, type SecretFlags } from './client-secret.js'
import { findClient } from './flow-words.js'
import type { Globals } from './globals.js'
import { narrate } from './output.js'
import { requestParameters } from './request-parameters.js'

/** What was typed about the server, and about who the client is to it. */
export interface TargetFlags extends SecretFlags, ProofFlags {
  readonly client: string
  readonly issuer?: string
  readonly clientId?: string
  readonly param?: readonly string[]
  readonly dpop?: true
  readonly par?: true
}

/** What a flow is told once the server is known. */
export type KnownOptions = Pick<
  FlowOptions,
  | 'metadata'
  | 'carriedKeys'
  | 'auth'
  | 'clientSecret'
  | 'audience'
  | 'authorizationParameters'
  | 'push'
  | 'foreignAccessTokens'
>

/** What came of getting to know the server. */
export interface Acquaintance {
  /** Steps that were needed for it. */
  readonly opening: readonly Step[]
  /** Absent where the server cannot be used. */
  readonly known?: KnownOptions
  /** What the client adds to its requests. */
  readonly extras?: ClientExtras
  /** Why it cannot. */
  readonly error?: unknown
}

/** The server that a flow goes to, and the client that goes there. */
export interface FlowTarget {
  readonly issuer: string
  readonly client: Client
  /** Resource owners whose passwords are known. */
  readonly users: readonly User[]
  /** Absent for any other server. */
  readonly lab?: LabTarget
  readonly caPem?: string
  readonly now: () => number
  readonly random: (length: number) => Uint8Array
  /** Gets to know the server. @throws UsageError */
  meet(send: Send, signal: AbortSignal): Promise<Acquaintance>
  stop(): Promise<void>
}

type FlowLabUse = Pick<LabUse, 'own' | 'check'>

/** What is the same for every server. */
interface Extras {
  readonly flags: TargetFlags
  readonly key: ClientKey | undefined
  readonly parameters: ReturnType<typeof requestParameters>
}

/**
 * Finds the server and the client that a flow is about: the lab in use, or any issuer by its discovery.
 * @param flow whether the flow has an authorization request, and which lab it needs, with what else its lab file is
 * checked for before an embedded lab is started
 * @throws UsageError
 */
export async function flowTarget(
  flags: TargetFlags,
  globals: Globals,
  flow: { readonly hasAuthorizationRequest: boolean; readonly labUse?: FlowLabUse },
): Promise<FlowTarget> {
  const parameters = requestParameters(flags.param ?? [], flow)
  if (flags.par && !flow.hasAuthorizationRequest) {
    throw new UsageError('--par: this flow has no authorization request to push', ['Leave it out'])
  }
  const key = flags.clientKey === undefined ? undefined : await readClientKey(flags.clientKey)
  const extras = { flags, key, parameters }
  return flags.issuer === undefined
    ? flowLabTarget(extras, globals, flow.labUse)
    : issuerTarget(flags.issuer, extras, globals, process.env)
}

async function flowLabTarget(extras: Extras, globals: Globals, labUse: FlowLabUse = {}): Promise<FlowTarget> {
  const { flags } = extras
  const foreign = (['clientId', 'clientSecretFile', 'clientSecretStdin'] as const).find(name => flags[name])
  if (foreign) {
    const option = `--${foreign.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)}`
    throw new UsageError(`${option} is for another server than the lab`, [
      'Name its issuer:  --issuer https://id.example',
      'A client of the lab file brings its secret along:  --client demo',
    ])
  }
  const check: LabUse['check'] = config => {
    findClient(flags.client, config.clients)
    labUse.check?.(config)
  }
  const lab = await labTarget(globals, { ...labUse, narrate, check })
  try {
    const client = findClient(flags.client, lab.config.clients)
    const { urls, config, caPem, now, random } = lab
    return {
      issuer: urls.authorization,
      client,
      users: config.users,
      lab,
      now,
      random,
      ...(caPem !== undefined && { caPem }),
      async meet(send, signal) {
        const known = await knownLab(lab, send, globals.home, signal)
        return acquainted([], { ...known, audience: client.client_id }, client, extras)
      },
      stop: lab.stop,
    }
  } catch (error) {
    await lab.stop()
    throw error
  }
}

/** What the client knows of the lab: published, or by hand. */
async function knownLab(
  { urls, config }: LabTarget,
  send: Send,
  home: string,
  signal: AbortSignal,
): Promise<Pick<FlowOptions, 'metadata' | 'carriedKeys'>> {
  const issuer = urls.authorization
  const { carriedKeys, isPublished, unpublishedMetadata } = await import('../lab/unpublished-lab.js')
  if (isPublished(config)) return { metadata: await discover(issuer, send, signal) }
  const keys = await carriedKeys(config, home)
  return { metadata: unpublishedMetadata(issuer, config), ...(keys && { carriedKeys: keys }) }
}

async function issuerTarget(
  typed: string,
  extras: Extras,
  globals: Globals,
  env: NodeJS.ProcessEnv,
): Promise<FlowTarget> {
  const { flags } = extras
  const issuer = trustworthyIssuer(typed)
  if (flags.clientId === undefined) {
    throw new UsageError('--issuer needs a client that the server knows', [
      `oauth-lab flow code --issuer ${issuer} --client-id ID`,
    ])
  }
  const secret = await clientSecret(flags, env)
  const client = registeredElsewhere(flags.clientId, secret)
  const caPem = await trustedPem(globals, issuer)
  return {
    issuer,
    client,
    users: [],
    now: Date.now,
    random: length => randomBytes(length),
    ...(caPem !== undefined && { caPem }),
    async meet(send, signal) {
      const { steps, metadata, error } = await discoverIssuer(issuer, send, signal)
      if (!metadata) return { opening: steps, error }
      return acquainted(steps, { metadata, foreignAccessTokens: true }, client, extras)
    },
    stop: async () => {},
  }
}

/** A client of which nothing is known here but its name and its secret: the server knows what it may do. */
function registeredElsewhere(clientId: string, secret: string | undefined): Client {
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

/** Whether a server takes pushed requests alone (RFC 9126 §5). */
function demandsPush(metadata: AuthorizationServerMetadata): boolean {
  return metadata.require_pushed_authorization_requests === true
}

async function acquainted(
  opening: readonly Step[],
  known: Pick<KnownOptions, 'metadata' | 'carriedKeys' | 'audience' | 'foreignAccessTokens'>,
  client: Client,
  { flags, key: given, parameters }: Extras,
): Promise<Acquaintance> {
  const { key, ...proof } = clientProof(client, flags, given, known.metadata)
  const dpop = flags.dpop ? await (await import('../tokens/dpop.js')).generateDpopKey() : undefined
  const more = [...parameters.authorization, ...(dpop ? [['dpop_jkt', dpop.jkt] as const] : [])]
  return {
    opening,
    known: {
      ...known,
      ...proof,
      push: flags.par === true || demandsPush(known.metadata),
      ...(more.length > 0 && { authorizationParameters: more }),
    },
    extras: {
      clientId: client.client_id,
      tokenParameters: parameters.token,
      ...(key && { key }),
      ...(dpop && { dpop }),
    },
  }
}
