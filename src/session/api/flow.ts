import type { KnownUser } from '../../client/known-login.js'
import type { Flow } from '../../flows/flows.js'
import type { FlowOptions } from '../../flows/options.js'
import { type FlowRecord, type Step, tokensIn } from '../../flows/step.js'
import type { Lab } from '../../lab/model.js'
import type { StateHome } from '../../lab/state/state-folder.js'
import { UsageError } from '../../protocol/errors.js'
import type { Send } from '../../protocol/http/exchange.js'
import type { Client } from '../../protocol/oauth/client.js'
import { parseLoopback } from '../../protocol/oauth/redirect-uri.js'
import { defined } from '../../protocol/values.js'
import type { User } from '../../servers/authorization-server/model.js'
import { identityOf } from '../client/identity.js'
import type { People } from '../people/people.js'
import { labKnowledge } from '../targets/lab.js'
import { latest, named } from './entries.js'
import { FlowError } from './flow-error.js'
import type { FlowRequest, LabFlowName, Tokens } from './flow-request.js'

/** The lab of a flow, and the way to it. */
export interface FlowParts {
  readonly lab: Lab
  readonly home: StateHome
  readonly send: () => Promise<Send>
}

const grantOf: Readonly<Record<LabFlowName, string>> = {
  code: 'authorization_code',
  implicit: 'implicit',
  resource: 'authorization_code',
  password: 'password',
  'client-credentials': 'client_credentials',
  refresh: 'authorization_code',
  device: 'urn:ietf:params:oauth:grant-type:device_code',
  'token-exchange': 'authorization_code',
}

/** The client of a request: the named one, else the first that may use the grant. @throws UsageError */
function clientFor(flow: LabFlowName, { client }: FlowRequest, clients: readonly Client[]): Client {
  if (client !== undefined) return named('client', client, clients, each => each.client_id)
  const grant = grantOf[flow]
  const fitting = latest(clients, each => each.client_id).find(
    each => each.enabled && each.grant_types.includes(grant),
  )
  if (fitting === undefined) throw new UsageError(`this lab has no client for the grant ${grant}`)
  return fitting
}

/** The user who logs in: the named one, else the first whose password is known. @throws UsageError */
function userOf({ user }: FlowRequest, users: readonly User[]): KnownUser | undefined {
  const nameOf = (each: User) => each.username
  const known =
    typeof user === 'string'
      ? named('user', user, users, nameOf)
      : (user ?? latest(users, nameOf).find(({ password }) => password !== undefined))
  if (known?.password === undefined) return undefined
  return { username: known.username, password: known.password }
}

function redirectUriOf({ redirectUri }: FlowRequest, { redirect_uris: registered }: Client): string {
  const loopback = registered.find(each => parseLoopback(each) !== undefined)
  return redirectUri ?? loopback ?? registered[0] ?? 'http://127.0.0.1/callback'
}

/** A program has no person to ask, and no browser. */
const nobody: People = {
  user: undefined,
  ask: undefined,
  inBrowser: false,
  open: false,
  patience: undefined,
  say: () => {},
}

/**
 * Walks a flow as its client, without a browser: every step as it happens, and at last the outcome. The client makes
 * every check of a good client.
 * @throws UsageError for a client, a user or a site that the lab does not have
 */
export async function* walkFlow(
  parts: FlowParts,
  name: LabFlowName,
  request: FlowRequest = {},
): AsyncGenerator<FlowRecord, void, void> {
  const { config, urls, now, random } = parts.lab
  if (name === 'resource' && urls.resource === undefined) {
    throw new UsageError('the flow resource needs the resource server', [
      "Add it to the sites of the lab:   startLab({ sites: ['resource'] })",
    ])
  }
  const client = clientFor(name, request, config.clients)
  const user = userOf(request, config.users)
  const identity = identityOf(client)
  // A signal of its own: flows that share one and wait at the same time would look like a leak of listeners.
  const signal = AbortSignal.any(request.signal === undefined ? [] : [request.signal])
  const [{ flows }, { outcomeOf }, { peoplePorts }, send] = await Promise.all([
    import('../../flows/flows.js'),
    import('../../flows/outcome.js'),
    import('../people/people.js'),
    parts.send(),
  ])
  try {
    const { needs, run }: Flow = flows[name]
    const wanted: FlowOptions = defined({
      ...(await labKnowledge({ issuer: urls.authorization, config, home: parts.home }, send, signal)),
      ...identity,
      audience: client.client_id,
      redirectUri: redirectUriOf(request, client),
      pkce: request.pkce ?? true,
      first: client.grant_types.includes('authorization_code') ? 'code' : 'password',
      scope: request.scope,
      resource: needs.includes('resource') ? `${urls.resource}/resource` : undefined,
      exchangeFor: name === 'token-exchange' ? urls.resource : undefined,
    })
    const {
      agentWith,
      verifierWith,
      approvalWith: _,
      ...world
    } = peoplePorts({ ...nobody, user }, { now, random, signal }, undefined)
    const ports = { ...world, send, userAgent: agentWith(send), deviceVerifier: verifierWith(send) }
    yield* run(ports, wanted)
  } catch (error) {
    yield outcomeOf(error, signal)
  }
}

/**
 * Walks a flow to its end.
 * @throws FlowError where it brought no tokens
 */
export async function tokensOf(records: AsyncIterable<FlowRecord>): Promise<Tokens> {
  const steps: Step[] = []
  for await (const record of records) {
    if (record.type === 'step') {
      steps.push(record)
      continue
    }
    const tokens = tokensIn(record)
    if (tokens === undefined) throw new FlowError(record, steps)
    return tokens
  }
  throw new FlowError({ type: 'outcome', outcome: 'failed' }, steps)
}
