import { bound, originsOf } from '../../client/bound-credentials.js'
import type { BrowserParts } from '../../client/browser.js'
import type { AskLogin } from '../../client/login.js'
import { sameSubject } from '../../flows/answers/verify-tokens.js'
import { clientMiddleware } from '../../flows/middleware/client-middleware.js'
import { outgoing } from '../../flows/middleware/middleware.js'
import { type Outcome, tokensIn } from '../../flows/step.js'
import type { HeldToken } from '../../flows/steps/present-token.js'
import { tradeRequest } from '../../flows/steps/token-step.js'
import { alone } from '../../lab/state/alone.js'
import { TimeoutError, TransportError, UsageError } from '../../protocol/errors.js'
import { encodeForm, type FormPairs } from '../../protocol/http/form.js'
import { splitUrl } from '../../protocol/http/message.js'
import type { Client } from '../../protocol/oauth/client.js'
import { OAuthError, receivedCode } from '../../protocol/oauth/oauth-error.js'
import { type TokenResponse, tokenResponse } from '../../protocol/oauth/token.js'
import { type DpopKey, lastingDpopKey, makeLastingDpopKey } from '../../protocol/tokens/dpop.js'
import { defined } from '../../protocol/values.js'
import type { EndpointClient } from '../client/endpoint-client.js'
import { flowSession } from '../flow/flow-session.js'
import { type FlowInput, type FlowRunOptions, userOf, wantedOf } from '../options/flow.js'
import type { CallOptions } from '../options/table.js'
import { oneTimeCodes } from '../people/users.js'
import {
  forgetToken,
  type KeptToken,
  keepToken,
  readKeptToken,
  type TokenPlaceKey,
  tokenFile,
  tokenId,
} from './kept-tokens.js'

/** Time before its end from which a token is renewed, in milliseconds: the request has to arrive in time. */
const EARLY = 30_000

/** A token for requests, and where it came from. */
export interface LastingToken {
  readonly token: KeptToken
  readonly held: HeldToken
  readonly from: 'kept' | 'refreshed' | 'new'
}

/** The same client with another key for its proofs, whose thumbprint the authorization request names (RFC 9449 §10). */
function withDpopKey(client: EndpointClient, key: DpopKey): EndpointClient {
  const { target, server, network } = client
  const extras = { ...client.extras, dpop: key }
  const authorizationParameters = client.options.authorizationParameters?.map(
    ([name, value]) => [name, name === 'dpop_jkt' ? key.jkt : value] as const,
  )
  const { layers } = clientMiddleware(server.metadata, extras, target)
  const { client: send } = outgoing(network, { client: layers })
  return { ...client, extras, options: defined({ ...client.options, authorizationParameters }), send }
}

/** The parameters beside the resource, which servers may issue another token for, as for an `audience`. */
function parametersOf({ checked }: EndpointClient, resource: string | undefined): string {
  const { authorization, token } = checked.parameters
  const written = (prefix: string, pairs: FormPairs) =>
    pairs
      .filter(([name, value]) => name !== 'resource' || value !== resource)
      .map(([name, value]) => `${prefix}${encodeForm([[name, value]])}`)
  return [...written('', authorization), ...written('token:', token)].toSorted().join(' ')
}

function placeOf(
  client: EndpointClient,
  grant: TokenGrant,
  options: TokenOptions,
  { input }: TokenWorld,
): TokenPlaceKey {
  const { target, server, extras } = client
  return defined({
    issuer: server.metadata.issuer ?? target.address,
    endpoint: splitUrl(server.metadata.token_endpoint ?? target.address).origin,
    clientId: extras.clientId,
    grant,
    user: personOf(grant, options, client, input),
    scope: options.scope ?? '',
    resource: options.resource ?? '',
    parameters: parametersOf(client, options.resource),
    binding: extras.dpop === undefined ? (extras.certificate?.thumbprint ?? '') : 'dpop',
    entry: target.found?.entry,
  })
}

/** A kept token from the answer of a token endpoint. What the answer leaves out stays as it was. */
function keptFrom(
  place: TokenPlaceKey,
  tokens: TokenResponse,
  before: Partial<KeptToken>,
  now: number,
): KeptToken {
  const { access_token: accessToken, token_type: tokenType, expires_in: seconds } = tokens
  return defined({
    ...place,
    id: tokenId(place),
    accessToken,
    tokenType,
    granted: tokens.scope ?? before.granted,
    refreshToken: tokens.refresh_token ?? before.refreshToken,
    idToken: tokens.id_token ?? before.idToken,
    dpopKey: before.dpopKey,
    obtainedAt: now,
    expiresAt: seconds === undefined ? undefined : now + seconds * 1000,
    usedAt: Date.now(),
  })
}

/** Trades the refresh token. Returns undefined where the server no longer takes it. @throws TransportError, TimeoutError */
async function refreshed(client: EndpointClient, token: KeptToken): Promise<TokenResponse | undefined> {
  const { refreshToken } = token
  if (refreshToken === undefined) return undefined
  const { server, options, extras, signal } = client
  const own = { what: 'the kept refresh token', value: refreshToken, origins: originsOf([token.endpoint]) }
  const send = bound(client.send, [own])
  const request = tradeRequest(
    { grantType: 'refresh_token', parameters: [['refresh_token', refreshToken]] },
    {
      ...server,
      ...options,
      clientId: extras.clientId,
      auth: options.auth ?? 'none',
      redirectUri: '',
      pkce: true,
    },
  )
  try {
    const { tokens } = tokenResponse(await send(request, { signal }))
    const before = {
      access_token: token.accessToken,
      token_type: token.tokenType,
      ...(token.idToken && { id_token: token.idToken }),
    }
    sameSubject(before, tokens, 'OpenID Connect Core §12.2')
    return tokens
  } catch (error) {
    // The person logs in again, whatever ended the refresh token.
    if (error instanceof OAuthError) return undefined
    throw error
  }
}

/**
 * Returns a token that lasts: the kept one while it is good, else a refreshed one, else a new one by the grant of the client.
 * Tokens of a lab that ends with this command are not kept.
 * @param refused a token that an API refused although it seemed good
 * @throws OAuthError, UsageError, TransportError, TimeoutError
 */
export async function lastingToken(
  asked: EndpointClient,
  options: TokenOptions,
  world: TokenWorld,
  refused?: KeptToken,
): Promise<LastingToken> {
  const { target } = asked
  const grant = grantFor(options, asked)
  const place = placeOf(asked, grant, options, world)
  const kept = refused ?? (await readKeptToken(world.home, tokenId(place)))
  const now = target.now()
  const dpopKey = place.binding === 'dpop' ? (kept?.dpopKey ?? makeLastingDpopKey()) : undefined
  const key = dpopKey && (await lastingDpopKey(dpopKey))
  const client = key === undefined ? asked : withDpopKey(asked, key)

  async function finish(
    tokens: TokenResponse,
    from: LastingToken['from'],
    before?: KeptToken,
  ): Promise<LastingToken> {
    const token = keptFrom(place, tokens, defined({ ...before, dpopKey }), now)
    if (target.lab?.embedded === undefined) await keepToken(world.home, token)
    return { token, held: heldOf(token), from }
  }

  /** A server may answer a proof with a bearer token (RFC 9449 §5). */
  const heldOf = ({ accessToken, tokenType }: KeptToken): HeldToken =>
    defined({ accessToken, key: tokenType.toLowerCase() === 'dpop' ? key : undefined })

  const isGood = ({ expiresAt }: KeptToken) => expiresAt === undefined || expiresAt - EARLY > now

  async function use(token: KeptToken): Promise<LastingToken> {
    const used = { ...token, usedAt: Date.now() }
    await keepToken(world.home, used)
    return { token: used, held: heldOf(used), from: 'kept' }
  }

  /** Refreshes the token, unless another process did so in the meantime. Forgets a token that cannot be refreshed. */
  async function renew(old: KeptToken): Promise<LastingToken | undefined> {
    const work = async () => {
      const latest = (await readKeptToken(world.home, old.id)) ?? old
      if (latest.accessToken !== old.accessToken && isGood(latest)) return use(latest)
      const tokens = await refreshed(client, latest)
      if (tokens !== undefined) return finish(tokens, 'refreshed', latest)
      await forgetToken(world.home, old.id)
      return undefined
    }
    return alone(world.home, tokenFile(old.id), work, { signal: asked.signal })
  }

  if (kept !== undefined && refused === undefined && isGood(kept)) return use(kept)
  const renewed = kept && (await renew(kept))
  if (renewed !== undefined) return renewed
  const obtain = async () => finish(await obtainToken(client, grant, options, world), 'new')
  // Nobody else can use the token of a lab that ends with this command.
  if (target.lab?.embedded !== undefined) return obtain()
  const onWait = () => world.say('Another command gets this token now. Waits for it.')
  const id = tokenId(place)
  // A person logs in once for several commands, and not in a browser window for each of them.
  const work = async () => {
    const latest = await readKeptToken(world.home, id)
    const isNew = latest !== undefined && latest.accessToken !== kept?.accessToken && isGood(latest)
    return isNew ? lastingToken(asked, options, world) : obtain()
  }
  return alone(world.home, tokenFile(id), work, { signal: asked.signal, onWait })
}

/** A grant that gets a token without another token, by the name of its flow. */
type TokenGrant = NonNullable<CallOptions['grant']>

/** The options of getting a token. */
export interface TokenOptions extends FlowRunOptions {
  /** The grant. Absent: the one that fits the client. */
  readonly grant?: TokenGrant
}

/** The people and the places of a run that gets a token. */
export interface TokenWorld {
  readonly home: string
  readonly say: (line: string) => void
  readonly ask: AskLogin | undefined
  readonly patience: number | undefined
  readonly witness: NonNullable<BrowserParts['witness']> | undefined
  readonly input: FlowInput
}

const REGISTERED: Readonly<Record<string, TokenGrant>> = {
  authorization_code: 'code',
  client_credentials: 'client-credentials',
  password: 'password',
  'urn:ietf:params:oauth:grant-type:device_code': 'device',
}

function registeredGrant({ client_id: id, grant_types: types }: Client): TokenGrant {
  const grant = Object.keys(REGISTERED).find(type => types.includes(type))
  if (grant !== undefined) return REGISTERED[grant]!
  throw new UsageError(`client ${id} is registered for no grant that gets a first token`, [
    `Its grants:  ${types.join(', ') || 'none'}`,
    'Name another client:  --client demo',
  ])
}

/**
 * Chooses the grant: as the option says, else as the client is registered. At another server a client that proves itself asks
 * in its own name, unless a person is named; any other client lets a person log in.
 * @throws UsageError
 */
function grantFor(
  { grant, user, browser }: Pick<TokenOptions, 'grant' | 'user' | 'browser'>,
  { target, options, extras }: Pick<EndpointClient, 'target' | 'options' | 'extras'>,
): TokenGrant {
  if (grant !== undefined) return grant
  if (target.lab !== undefined) return registeredGrant(target.client)
  const proves = options.auth !== 'none' || extras.key !== undefined || extras.certificate?.authenticates
  return proves && user === undefined && !browser ? 'client-credentials' : 'code'
}

/** The name of the person who logs in; empty for a grant without one, and for a person in a browser. */
function personOf(
  grant: TokenGrant,
  options: TokenOptions,
  { target }: Pick<EndpointClient, 'target'>,
  input: FlowInput,
): string {
  const users = target.lab && target.users
  const user = options.browser ? undefined : userOf(grant, options, input, { onScreen: false, users })
  return user?.username ?? ''
}

/** @throws OAuthError, TransportError, TimeoutError as the flow ended */
function grantedTokens(outcome: Outcome | undefined): TokenResponse {
  const tokens = outcome && tokensIn(outcome)
  if (tokens !== undefined) return tokens
  const { error } = outcome ?? {}
  const { error: code = 'no_response', error_description: description = 'the flow had no end' } = error ?? {}
  const hints = error?.hints ?? []
  if (outcome?.outcome === 'refused') {
    throw new OAuthError(receivedCode(code), { description, rule: error?.rule ?? 'RFC 6749 §5.2', hints })
  }
  throw code === 'timeout'
    ? new TimeoutError(description, hints)
    : new TransportError(description, code, hints)
}

/**
 * Gets a token by a grant: the flow that `oauth-lab flow` shows, with all its checks.
 * @throws OAuthError, UsageError, TransportError, TimeoutError
 */
async function obtainToken(
  client: EndpointClient,
  grant: TokenGrant,
  options: TokenOptions,
  { home, say, ask, patience, witness, input }: TokenWorld,
): Promise<TokenResponse> {
  const { target, server, checked, signal } = client
  const { parameters } = checked
  const asked = { ...options, resource: undefined }
  // The API is asked by the command itself.
  const { resource: _, ...wanted } = await wantedOf(grant, defined(asked), input, target, {
    home,
    parameters,
  })
  const users = target.lab && target.users
  const user = options.browser ? undefined : userOf(grant, options, input, { onScreen: false, users })
  const session = flowSession({
    name: grant,
    target,
    options: { ...wanted, ...server, ...client.options },
    extras: client.extras,
    opening: [],
    network: client.network,
    home,
    people: {
      user,
      oneTimeCode: oneTimeCodes({ typed: options.otp, users: target.users, now: target.now }),
      // A person whose password is not known logs in with the browser.
      inBrowser: options.browser || (user === undefined && (grant === 'code' || grant === 'device')),
      open: options.open,
      patience,
      witness,
    },
  })
  let outcome: Outcome | undefined
  for await (const record of session.walk(defined({ signal, say, ask }))) {
    if (record.type === 'outcome') outcome = record
  }
  signal.throwIfAborted()
  return grantedTokens(outcome)
}
