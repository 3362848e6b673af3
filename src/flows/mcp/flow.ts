import { splitUrl } from '../../protocol/http/message.js'
import { advice, type Check, check } from '../../protocol/oauth/check.js'
import type { PublishedMetadata } from '../../protocol/oauth/metadata.js'
import { OAuthError } from '../../protocol/oauth/oauth-error.js'
import type { TokenResponse } from '../../protocol/oauth/token.js'
import { withAnnounced } from '../../protocol/tokens/client-assertion.js'
import type { ClientExtras } from '../middleware/client-middleware.js'
import { granted, outcomeOf } from '../outcome.js'
import type { FlowRecord, Outcome } from '../step.js'
import { createWalk, type Steps, type Walk } from '../walk.js'
import type { McpChallenge } from './challenge.js'
import { type Authorizer, conversation } from './conversation.js'
import { chooseIssuer, findIssuer, findResource } from './find-server.js'
import { type Counterpart, obtainToken, type TokenWish } from './grants.js'
import type { McpOptions, McpPorts } from './options.js'
import { type Learned, mcpPlan } from './plan.js'
import {
  authOf,
  type ChosenRegistration,
  chooseRegistration,
  type McpClient,
  registeredClient,
  registrationRequest,
} from './register.js'
import { LATEST, RULES } from './revisions.js'
import { selectScope } from './scope-selection.js'
import type { Held } from './turns.js'

function refuseNewClient({ grant }: Pick<McpOptions, 'grant'>, { way }: ChosenRegistration): void {
  if (grant === 'authorization_code' || way !== 'dynamic') return
  throw new OAuthError('no_registration', {
    description: `the grant ${grant} needs a client that the authorization server knows: name it by --client-id`,
    rule: 'MCP 2026-07-28 Registration §2',
  })
}

/** The MCP server alone says where the credentials of such a client go. */
function unnamedIssuer({ issuer }: PublishedMetadata): Check {
  const detail = `used at ${issuer}, as the MCP server says; name the server that knows the client by --issuer`
  return advice('issuer', false, 'MCP 2026-07-28 Registration §4', detail)
}

/** Gets a client_id in the chosen way, and shows how. */
async function* introduce(
  walk: Walk,
  wanted: McpOptions,
  metadata: PublishedMetadata,
  chosen: ChosenRegistration,
): Steps<McpClient> {
  const name = 'client_registration'
  const { given, document, redirectUri, info } = wanted
  refuseNewClient(wanted, chosen)
  const bound = check('issuer', true, 'MCP 2026-07-28 Registration §4', `used at ${metadata.issuer} alone`)
  if (chosen.way === 'given' && given) {
    const { clientId, clientSecret: secret } = given
    const auth = wanted.key === undefined ? authOf(secret, undefined, metadata) : 'none'
    const client = {
      clientId,
      ...(auth !== 'none' && secret !== undefined && { clientSecret: secret }),
      auth,
    }
    const known = given.issuer === undefined ? unnamedIssuer(metadata) : bound
    yield walk.step(name, {
      checks: [...chosen.checks, known],
      note: `client ${clientId}, registered before`,
    })
    return client
  }
  if (chosen.way === 'document' && document !== undefined) {
    const rule = 'MCP 2026-07-28 Registration §1.1'
    const { protocol, pathname } = new URL(document)
    const good = protocol === 'https:' && pathname !== '/'
    const address = advice(
      'client_id',
      good,
      rule,
      good ? document : `${document}: it is no https address with a path`,
    )
    yield walk.step(name, { checks: [...chosen.checks, address], note: `client_id is ${document}` })
    return { clientId: document, auth: 'none' }
  }
  const exchange = await walk.send(registrationRequest(metadata, { redirectUri, name: info.name }))
  const { client, checks } = yield* walk.orRefused(name, exchange, () =>
    registeredClient(exchange, metadata, redirectUri),
  )
  yield walk.step(name, {
    exchange,
    checks: [...chosen.checks, ...checks, bound],
    note: `registered as ${client.clientId}`,
  })
  return client
}

/**
 * The conversation of a client with an MCP server of which it knows the address alone. The last record is the outcome.
 */
export async function* mcpFlow(ports: McpPorts, wanted: McpOptions): AsyncGenerator<FlowRecord, void, void> {
  try {
    const tokens = yield* steps(ports, wanted)
    yield tokens === undefined ? { type: 'outcome', outcome: 'granted' } : granted(tokens)
  } catch (error) {
    yield withNextMove(outcomeOf(error, ports.signal), wanted)
  }
}

/** Adds the next move after a refusal that differs from that of other flows. */
function withNextMove(outcome: Outcome, { revision = LATEST }: McpOptions): Outcome {
  const { error } = outcome
  if (error?.error === 'invalid_metadata') {
    const hints = ['ask the people who run this server, or try:  oauth-lab doctor --mcp URL']
    return { ...outcome, error: { ...error, hints } }
  }
  if (error?.error !== 'invalid_response' || RULES[revision].resourceMetadata) return outcome
  const hints = [
    `revision ${revision} expects the authorization server at the origin of the MCP server; where it is elsewhere, leave --revision out`,
  ]
  return { ...outcome, error: { ...error, hints } }
}

function steps(ports: McpPorts, wanted: McpOptions): Steps<TokenResponse | undefined> {
  const plan = mcpPlan(wanted)
  const walk = createWalk(ports, plan)
  let learned: Learned = { revision: wanted.revision ?? LATEST }
  const learn = (more: Learned): void => {
    learned = { ...learned, ...more }
    plan.splice(0, plan.length, ...mcpPlan(wanted, learned))
  }
  /** The clients of this run, by the issuer that they belong to (MCP 2026-07-28 Registration §4). */
  const clients = new Map<string, McpClient>()
  let server: Counterpart | undefined

  async function* clientAt(metadata: PublishedMetadata): Steps<McpClient> {
    const known = clients.get(metadata.issuer)
    if (known !== undefined) return known
    // A client that was given belongs to the first issuer, or to the one that the person names.
    const { given, ...rest } = wanted
    const foreign = given !== undefined && given.issuer === undefined && clients.size > 0
    const means = foreign ? rest : wanted
    const chosen = chooseRegistration(means, metadata, RULES[learned.revision ?? LATEST])
    learn({ way: chosen.way })
    const client = yield* introduce(walk, means, metadata, chosen)
    clients.set(metadata.issuer, client)
    return client
  }

  function become(metadata: PublishedMetadata, client: McpClient): void {
    const { key, dpop } = wanted
    const announced = metadata.token_endpoint_auth_signing_alg_values_supported
    const extras: ClientExtras = {
      clientId: client.clientId,
      ...(key && learned.way !== 'dynamic' && { key: withAnnounced(key, announced) }),
      ...(dpop && { dpop }),
    }
    ports.become(metadata, extras, client)
  }

  async function* obtain(at: Counterpart, wish: TokenWish): Steps<Held> {
    const tokens = yield* obtainToken(walk, ports, wanted, at, wish)
    return { tokens, ...(wish.scope !== undefined && { scope: wish.scope }) }
  }

  const authorizer: Authorizer = {
    async *authorize(challenge: McpChallenge) {
      const again = server !== undefined
      const revision = learned.revision ?? LATEST
      const rules = RULES[revision]
      const document = rules.resourceMetadata
        ? yield* findResource(walk, wanted, challenge.metadataUrl)
        : undefined
      const issuer = document ? chooseIssuer(document, wanted) : splitUrl(wanted.url).origin
      const metadata = yield* findIssuer(walk, ports, wanted, { issuer, revision })
      learn({ metadata })
      const client = yield* clientAt(metadata)
      become(metadata, client)
      const resource = rules.resourceParameter ? document?.resource : undefined
      server = { metadata, client, ...(resource !== undefined && { resource }) }
      const sources = {
        wanted: wanted.scope,
        challenged: challenge.scope,
        supported: document?.scopes,
        announced: metadata.scopes_supported,
        offline: wanted.offline,
      }
      return yield* obtain(server, { ...selectScope(sources, rules), again })
    },
    async *stepUp(scope) {
      // There is a token, so a server gave it.
      return yield* obtain(server!, { scope, checks: [], again: true })
    },
  }
  return conversation(walk, wanted, authorizer, revision => learn({ revision }))()
}
