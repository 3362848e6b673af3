import { setTimeout as sleep } from 'node:timers/promises'
import type { User } from '../authorization-server/model.js'
import type { AskLogin } from '../client/login.js'
import { UsageError } from '../errors.js'
import type { Flow } from '../flows/flows.js'
import type { FlowOptions } from '../flows/options.js'
import type { FlowRecord, Step } from '../flows/step.js'
import type { Send } from '../http/exchange.js'
import type { Lab } from '../lab/model.js'
import type { StateHome } from '../lab/state-folder.js'
import type { Client } from '../oauth/client.js'
import { parseLoopback } from '../oauth/redirect-uri.js'
import type { ClientSecretPlace } from '../oauth/token.js'
import { latest, named } from './entries.js'
import { FlowError } from './flow-error.js'
import type { FlowRequest, LabFlowName, Tokens } from './flow-request.js'

/** The objects that flows are walked with. */
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

function clientFor(flow: LabFlowName, { client }: FlowRequest, clients: readonly Client[]): Client {
  const nameOf = (each: Client) => each.client_id
  if (client !== undefined) return named('client', client, clients, nameOf)
  const grant = grantOf[flow]
  const found = latest(clients, nameOf).find(each => each.enabled && each.grant_types.includes(grant))
  if (found === undefined) throw new UsageError(`this lab has no client for the grant ${grant}`)
  return found
}

function authOf({ client_id: id, client_secret: secret, token_endpoint_auth_method: method, jwks }: Client) {
  if (method === 'private_key_jwt' || (method === undefined && jwks && secret === undefined)) {
    throw new UsageError(`client ${id} authenticates with a key of its own, which the lab does not have`)
  }
  const auth: ClientSecretPlace = method ?? (secret === undefined ? 'none' : 'client_secret_basic')
  return { auth, ...(secret !== undefined && { clientSecret: secret }) }
}

function loginOf({ user }: FlowRequest, users: readonly User[]): AskLogin {
  const nameOf = (each: User) => each.username
  const known = typeof user === 'string' ? named('user', user, users, nameOf) : user
  const { username, password } =
    known ?? latest(users, nameOf).find(each => each.password !== undefined) ?? {}
  let asked = false
  return async () => {
    const again = asked
    asked = true
    if (again || username === undefined || password === undefined) return { kind: 'cancel' }
    return { kind: 'credentials', username, password }
  }
}

function redirectUriOf({ redirectUri }: FlowRequest, { redirect_uris: registered }: Client): string {
  const loopback = registered.find(each => parseLoopback(each) !== undefined)
  return redirectUri ?? loopback ?? registered[0] ?? 'http://127.0.0.1/callback'
}

/** The client's knowledge of the lab: its publications, or else its configuration. */
async function knowledgeOf({ lab, home }: FlowParts, send: Send, signal: AbortSignal) {
  const { isPublished, carriedKeys, unpublishedMetadata } = await import('../lab/unpublished-lab.js')
  const issuer = lab.urls.authorization
  if (isPublished(lab.config)) {
    const { discover } = await import('../client/discovery.js')
    return { metadata: await discover(issuer, send, signal) }
  }
  const keys = await carriedKeys(lab.config, home)
  return { metadata: unpublishedMetadata(issuer, lab.config), ...(keys && { carriedKeys: keys }) }
}

/**
 * Walks a flow as its client, without a browser: every step as it happens, and at last the outcome. The client checks
 * what a good client checks.
 * @throws UsageError for a client or user that the lab does not have
 */
export async function* walkFlow(
  parts: FlowParts,
  name: LabFlowName,
  request: FlowRequest = {},
): AsyncGenerator<FlowRecord, void, void> {
  const { config, urls, now, random } = parts.lab
  const client = clientFor(name, request, config.clients)
  const askLogin = loginOf(request, config.users)
  const identity = authOf(client)
  if (name === 'resource' && urls.resource === undefined) {
    throw new UsageError(`the flow resource needs the resource server`, [
      'Add resource to the sites of startLab',
    ])
  }
  const signal = request.signal ?? new AbortController().signal
  const [{ flows }, { outcomeOf }, { createHeadlessAgent }, { createHeadlessVerifier }, send] =
    await Promise.all([
      import('../flows/flows.js'),
      import('../flows/outcome.js'),
      import('../client/headless.js'),
      import('../client/device-headless.js'),
      parts.send(),
    ])
  try {
    const { needs, run }: Flow = flows[name]
    const wanted: FlowOptions = {
      ...(await knowledgeOf(parts, send, signal)),
      ...identity,
      clientId: client.client_id,
      audience: client.client_id,
      redirectUri: redirectUriOf(request, client),
      pkce: request.pkce ?? true,
      first: client.grant_types.includes('authorization_code') ? 'code' : 'password',
      ...(request.scope !== undefined && { scope: request.scope }),
      ...(needs.includes('resource') && { resource: `${urls.resource}/resource` }),
      ...(name === 'token-exchange' && urls.resource !== undefined && { exchangeFor: urls.resource }),
    }
    yield* run(
      {
        ...{ send, now, random, signal, askLogin },
        wait: ms => sleep(ms, undefined, { signal }),
        userAgent: createHeadlessAgent({ send, askLogin }),
        deviceVerifier: createHeadlessVerifier({ send, askLogin }),
      },
      wanted,
    )
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
    if (record.type === 'step') steps.push(record)
    else if (record.outcome === 'granted' && record.tokens) return { token_type: 'Bearer', ...record.tokens }
    else throw new FlowError(record, steps)
  }
  throw new FlowError({ type: 'outcome', outcome: 'failed' }, steps)
}
