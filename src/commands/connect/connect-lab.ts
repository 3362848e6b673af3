import { stat } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { findLabFile, type LabConfig, loadLabConfig } from '../../lab/lab-file/config.js'
import { type LabUrls, LISTENERS } from '../../lab/listening/listeners.js'
import { trustingOwnIssuer } from '../../lab/sites/kubernetes-client.js'
import { findRunningLab, type RunningLab, readRecords } from '../../lab/state/running.js'
import { UsageError } from '../../protocol/errors.js'
import { type Client, isConfidential, redirectUriRules } from '../../protocol/oauth/client.js'
import { matchRedirectUri } from '../../protocol/oauth/redirect-uri.js'
import { shellWord } from '../../protocol/safe-output/shell.js'
import { mcpResource } from '../../servers/resource-server/mcp/tools.js'
import { refuseRoomName } from '../../session/room/room-name.js'
import { neighbour } from '../../session/targets/lab.js'
import type { Globals } from '../program/globals.js'
import type { Place, Recipe } from './recipes.js'

/** Flags of `connect`. */
export interface ConnectFlags {
  readonly client?: string
  readonly apply?: true
  readonly secret?: true
  readonly output?: string
}

/** The lab that a recipe is for. */
export interface ConnectedLab {
  /** Its record; absent when no lab answers. */
  readonly record?: RunningLab
  readonly urls: LabUrls
  readonly ca: string
  /** The lab file, as it stands now. */
  readonly config: LabConfig
}

async function findRecord({ home, server, config }: Globals): Promise<RunningLab | undefined> {
  if (server === undefined) return findRunningLab(home, lab => config === undefined || config === lab.config)
  return (await readRecords(home)).find(({ urls }) => urls.authorization === server)
}

/** The lab of a run: the running one, else the one that `serve` starts with its default ports. */
export async function connectedLab(globals: Globals): Promise<ConnectedLab> {
  refuseRoomName(globals.server)
  const record = await findRecord(globals)
  const { server, cacert, config: file, home } = globals
  const authorization = server ?? `https://localhost:${LISTENERS.authorization.port}`
  const urls = record?.urls ?? {
    authorization,
    resource: neighbour(authorization, LISTENERS.resource.port),
    cluster: neighbour(authorization, LISTENERS.cluster.port),
  }
  return {
    ...(record && { record }),
    urls,
    ca: cacert ?? record?.ca ?? join(home, 'ca.pem'),
    config: await loadLabConfig(file ?? record?.config),
  }
}

/** The reasons why a client of the lab is not what a program needs; empty when it is. */
function misfits(client: Client, { secret, client: needed }: Recipe): string[] {
  const { redirect_uris: uris, grant_types: grants, token_endpoint_auth_method: method } = needed
  const rules = redirectUriRules(client)
  const unregistered = uris.filter(
    uri => typeof matchRedirectUri(uri, client.redirect_uris, rules) !== 'string',
  )
  const missing = grants.filter(each => !client.grant_types.includes(each))
  const own = client.token_endpoint_auth_method
  return [
    ...(client.enabled ? [] : ['it is switched off']),
    ...unregistered.map(uri => `${uri} is not one of its redirect_uris`),
    ...missing.map(grant => `${grant} is not one of its grant_types`),
    ...(secret && client.client_secret === undefined ? ['it has no client_secret'] : []),
    ...(!secret && isConfidential(client) ? ['it is confidential, and the program sends no secret'] : []),
    ...(method !== undefined && own !== undefined && own !== method
      ? [`its token_endpoint_auth_method is ${own}, and the program sends ${method}`]
      : []),
  ]
}

/** A recipe with its client in a lab. */
export interface Chosen {
  readonly clientId: string
  /** The client of the lab file. Absent: the lab file needs an entry. */
  readonly client?: Client
}

/**
 * The client of a recipe: the named one, else that of the built-in lab file if it is there and fits, else one with the name of the recipe.
 * @throws UsageError for a named client that does not fit
 */
export function chosenClient(recipe: Recipe, named: string | undefined, config: LabConfig): Chosen {
  const { clients } = recipe.serve?.includes('--cluster-oidc') ? trustingOwnIssuer(config) : config
  const find = (id: string | undefined) => clients.find(({ client_id }) => client_id === id)
  const builtIn = find(recipe.built_in)
  if (named === undefined && builtIn !== undefined && misfits(builtIn, recipe).length === 0) {
    return { clientId: builtIn.client_id, client: builtIn }
  }
  const clientId = named ?? recipe.name
  const client = find(clientId)
  if (client === undefined) return { clientId }
  const reasons = misfits(client, recipe)
  if (reasons.length === 0) return { clientId, client }
  const file = config.file === null ? 'the built-in lab file' : relative(process.cwd(), config.file)
  throw new UsageError(`the client ${clientId} of ${file} does not fit ${recipe.name}: ${reasons[0]}`, [
    ...reasons.slice(1).map(reason => `Also:  ${reason}`),
    `Use a client of another name:  oauth-lab connect ${recipe.name} --client NAME --apply`,
  ])
}

/** The options that make another run of the command find the same lab and the same client. */
function sameRun(clientId: string, recipe: Recipe, { server, config }: Globals): string {
  const named = clientId === recipe.name || clientId === recipe.built_in ? undefined : clientId
  const options = Object.entries({ client: named, server, config })
  return options.flatMap(([name, value]) => (value ? [` --${name} ${shellWord(value)}`] : [])).join('')
}

/** The lab and the client that a recipe is filled in with. */
export function placeOf(
  { urls, ca }: ConnectedLab,
  recipe: Recipe,
  clientId: string,
  globals: Globals,
): Place {
  const { authorization, resource = neighbour(authorization, 8444), cluster } = urls
  const same = sameRun(clientId, recipe, globals)
  return {
    issuer: authorization,
    resource,
    mcp: mcpResource(resource),
    cluster: cluster ?? neighbour(authorization, 8445),
    ca,
    clientId,
    secretCommand: `oauth-lab connect ${recipe.name} --secret${same}`,
    collectionCommand: `oauth-lab connect ${recipe.name}${same}`,
  }
}

/** Remarks about a lab file that changed after its lab had read it: the lab does not read it again. */
export async function staleRemarks({ record, config }: ConnectedLab): Promise<string[]> {
  if (record === undefined || config.file === null || record.config !== config.file) return []
  const { mtimeMs } = await stat(config.file)
  if (mtimeMs <= record.startedAt) return []
  return ['The lab file changed after the lab had started. The lab reads it at its start alone: restart it.']
}

/** The lab file that `--apply` writes to. */
export function fileToWrite({ record }: ConnectedLab, { config }: Globals): string | null {
  return config ?? record?.config ?? findLabFile(undefined)
}
