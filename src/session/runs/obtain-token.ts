import type { BrowserParts } from '../../client/browser.js'
import type { AskLogin } from '../../client/login.js'
import type { Outcome } from '../../flows/step.js'
import { TimeoutError, TransportError, UsageError } from '../../protocol/errors.js'
import type { Client } from '../../protocol/oauth/client.js'
import { OAuthError, receivedCode } from '../../protocol/oauth/oauth-error.js'
import type { TokenResponse } from '../../protocol/oauth/token.js'
import { defined } from '../../protocol/values.js'
import type { CallOptions } from '../options/table.js'
import type { EndpointClient } from './endpoint-client.js'
import { type FlowInput, type FlowRunOptions, userOf, wantedOf } from './flow-options.js'
import { flowSession } from './flow-session.js'
import { oneTimeCodes } from './one-time-codes.js'

/** A grant that gets a token without another token, by the name of its flow. */
export type TokenGrant = NonNullable<CallOptions['grant']>

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
export function grantFor(
  { grant, user, browser }: Pick<TokenOptions, 'grant' | 'user' | 'browser'>,
  { target, options, extras }: Pick<EndpointClient, 'target' | 'options' | 'extras'>,
): TokenGrant {
  if (grant !== undefined) return grant
  if (target.lab !== undefined) return registeredGrant(target.client)
  const proves = options.auth !== 'none' || extras.key !== undefined || extras.certificate?.authenticates
  return proves && user === undefined && !browser ? 'client-credentials' : 'code'
}

/** The name of the person who logs in; empty for a grant without one, and for a person in a browser. */
export function personOf(
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
  const { error, tokens } = outcome ?? {}
  if (outcome?.outcome === 'granted' && tokens !== undefined) return { token_type: 'Bearer', ...tokens }
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
export async function obtainToken(
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
