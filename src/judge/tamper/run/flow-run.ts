import { type Flow, type FlowName, flows } from '../../../flows/flows.js'
import { proofOf } from '../../../flows/middleware/client-middleware.js'
import type { FlowOptions } from '../../../flows/options.js'
import { demandsAcr } from '../../../flows/requests/login-demand.js'
import { UsageError } from '../../../protocol/errors.js'
import { nearestHint } from '../../../protocol/nearest.js'
import { isJwtMode } from '../../../protocol/oauth/authorization-request.js'
import { type Client, isConfidential, usesCertificates } from '../../../protocol/oauth/client.js'
import { defined } from '../../../protocol/values.js'
import { identityOf } from '../../../session/client/identity.js'
import type { FlowChange, KnownPeople, SessionSetup } from '../../../session/flow/flow-session.js'
import type { FlowRunOptions } from '../../../session/options/flow.js'
import type { ServerTarget } from '../../../session/targets/server.js'
import { logoutTokenFlow, logoutTokenPlan } from '../logout-token/flow.js'
import { documentLieOf, type LogoutTokenMove, type Move } from '../move.js'
import { OTHER_AUDIENCE } from '../moves/presentations.js'
import { findMove, moves, whyNotHere, whyNotIn, whyNotWith } from '../moves.js'
import { tamperedPlan } from '../plan.js'
import { type Grant, shapeOf } from '../shape.js'
import { announcedIn, type ClientIdentity, keysIn, type Situation } from '../situation.js'
import { tamperedFlow } from '../tampered-flow.js'

/** True when a client can redeem codes, with a secret or without any. */
function redeemsCodes(client: Client): boolean {
  const { enabled, grant_types, token_endpoint_auth_method, jwks } = client
  return (
    enabled &&
    grant_types.includes('authorization_code') &&
    token_endpoint_auth_method !== 'private_key_jwt' &&
    token_endpoint_auth_method !== 'client_secret_jwt' &&
    jwks === undefined &&
    !usesCertificates(client)
  )
}

/** Clients of the lab file that wrong moves need besides the client that makes the move. */
interface Companions {
  /** A client that redeems a code of another client. */
  readonly other?: ClientIdentity
  /** A public client, for the rules that bind only public clients. */
  readonly publicClient?: ClientIdentity
}

const grantTypes: Readonly<Partial<Record<Grant, string>>> = {
  refresh: 'refresh_token',
  device: 'urn:ietf:params:oauth:grant-type:device_code',
  ciba: 'urn:openid:params:grant-type:ciba',
}

/**
 * Finds the companions of a client.
 * @param grant a grant that the other client should be allowed, so that it is not refused for that alone
 */
export function companionsOf(client: Client, clients: readonly Client[], grant?: Grant): Companions {
  const others = clients.filter(each => each.client_id !== client.client_id && redeemsCodes(each))
  const type = grant && grantTypes[grant]
  const other = others.find(each => type === undefined || each.grant_types.includes(type)) ?? others[0]
  const open = others.filter(
    each => !isConfidential(each) && each.require_pkce && each.response_types.includes('code'),
  )
  // One with refresh tokens can try more.
  const spa = open.find(({ grant_types: types }) => types.includes('refresh_token')) ?? open[0]
  return defined({ other: other && identityOf(other), publicClient: spa && identityOf(spa) })
}

/** Finds the wrong move of that name. @throws UsageError */
export function moveNamed(name: string): Move {
  const move = findMove(name)
  if (move) return move
  const known = moves.map(each => each.name)
  throw new UsageError(`unknown wrong move ${JSON.stringify(name)}`, [
    ...nearestHint(name, known),
    'All of them:  oauth-lab tamper list',
  ])
}

/**
 * Refuses a move that the flow has no place for, before any lab is started.
 * @throws UsageError
 */
export function checkMove(move: Move, name: FlowName, options: FlowRunOptions): void {
  const { token, subjectToken, refreshToken, browser, dpop, par, tokenType, issuer, responseType } = options
  const { requestObject, scope = 'openid' } = options
  const shape = shapeOf(
    name,
    defined({ accessToken: token ?? subjectToken, refreshToken, responseType, scope }),
  )
  const circumstances = {
    ownBrowser: browser,
    pushed: par === true || issuer !== undefined,
    bound: dpop === true,
    mac: tokenType === 'mac',
    responseJwt: isJwtMode(options.responseMode),
    ...(requestObject !== undefined && { requestObject }),
  }
  const why = whyNotIn(move, shape) ?? whyNotWith(move, circumstances)
  if (why !== undefined) throw impossible(move, why)
}

/** The flow and the people whom a move meets. */
type Subject = Omit<SessionSetup, 'opening' | 'network'> & KnownPeople

/** Puts a wrong move into a flow. */
export function withMove(move: Move): FlowChange {
  return (setup, people) => {
    const { options, name } = setup
    const document = documentLieOf(move)
    // The client of a document that the command serves has no key.
    const extras = document ? { clientId: setup.extras.clientId } : setup.extras
    const subject: Subject = { ...setup, ...people, extras }
    if (move.at === 'logout_token') return logoutTokenRun(move, subject)
    const flow: Flow = flows[name]
    return {
      options: optionsFor(move, options, name),
      document,
      plan: of => tamperedPlan(flow.plan(of), move, situationFor(move, of, subject)),
      walk: (ports, of, documentAsked) =>
        tamperedFlow(ports, of, move, defined({ ...situationFor(move, of, subject), documentAsked }), {
          plan: flow.plan,
          run: (tampered, changed) => flow.run({ ...ports, ...tampered }, changed),
        }),
    }
  }
}

/** A run in which a wrong logout token is sent to the demo client of a lab. */
function logoutTokenRun(move: LogoutTokenMove, subject: Subject): ReturnType<FlowChange> {
  const { target, user, home, options } = subject
  const url = target.lab?.urls.client
  return {
    options,
    plan: of => {
      situationFor(move, of, subject)
      return logoutTokenPlan(move)
    },
    async *walk(ports, of) {
      const situation = situationFor(move, of, subject)
      const { issuer = target.address, jwks_uri: jwksUri } = of.metadata
      const { demoRelyingParty } = await import('../logout-token/relying-party.js')
      const { send, signal } = ports
      const config = target.lab!.config
      const party = demoRelyingParty({ url: url!, issuer, config, home, user: user!, send, signal })
      yield* logoutTokenFlow({ ...ports, party, jwksUri }, move, situation)
    },
  }
}

/** True when a move presents its token to the resource server, because only that checks the audience and the key. */
function isForResource(move: Move, name: FlowName): boolean {
  return (
    name !== 'code' || move.ask !== undefined || (move.at === 'userinfo_request' && move.type !== undefined)
  )
}

/**
 * The options of a flow, as a move needs them. Moves with tokens also need an id_token: those that show one, and those that change the one in an answer. The client does not check the
 * audience of an access token; the resource server does.
 */
function optionsFor(move: Move, wanted: FlowOptions, name: FlowName): FlowOptions {
  const asksIdToken =
    (move.at === 'authorization_response' && move.holds?.includes('id_token')) ||
    (move.at === 'authorization_request' && move.brings === 'id_token')
  if (move.at !== 'userinfo_request' && !asksIdToken) return wanted
  const needsOpenId =
    wanted.scope === undefined && wanted.tokenType === undefined && shapeOf(name, wanted).login === true
  const options = needsOpenId ? { ...wanted, scope: 'openid' } : wanted
  if (!move.ask) return options
  const foreign = { ...options, foreignAccessTokens: true }
  return options.exchangeFor === undefined ? foreign : { ...foreign, exchangeFor: OTHER_AUDIENCE }
}

/** True for a client of a lab that is registered to sign its request objects. */
function isRegisteredToSign({ client, lab }: ServerTarget): boolean {
  const { require_signed_request_object: own, request_object_signing_alg: alg } = client
  return lab !== undefined && (own === true || (alg !== undefined && alg !== 'none'))
}

/** @throws UsageError where the move cannot be made */
function situationFor(
  move: Move,
  wanted: FlowOptions,
  { name, target, user, second, people: { inBrowser }, extras }: Subject,
): Situation {
  const { clientId, clientSecret, auth, redirectUri, pkce, metadata, push = false } = wanted
  const { client, lab } = target
  const flow = shapeOf(name, wanted)
  const { certificate } = extras
  const resource = isForResource(move, name) ? wanted.resource : undefined
  const announced = announcedIn(metadata)
  const situation: Situation = defined({
    ...announced,
    ...keysIn(extras),
    ...(lab && companionsOf(client, lab.config.clients, flow.grants.at(-1))),
    flow,
    client: defined({ clientId, auth, clientSecret, proof: proofOf(extras) }),
    boundClient: lab && client.dpop_bound_access_tokens === true,
    certificate: certificate && (certificate.authenticates ? 'authenticates' : 'shown'),
    pushed: push,
    pushRequired:
      announced.pushRequired || (lab !== undefined && client.require_pushed_authorization_requests === true),
    requestObject: wanted.requestObject?.kind,
    signedObjects: announced.signedObjects || isRegisteredToSign(target),
    ownBrowser: inBrowser,
    mac: wanted.tokenType === 'mac',
    saml: wanted.assertion?.format === 'saml',
    responseJwt: isJwtMode(wanted.responseMode),
    redirectUri,
    logoutReturn: wanted.postLogoutRedirectUri,
    relyingParty: lab?.urls.client !== undefined && !lab.elsewhere && user !== undefined,
    pkce,
    resourceServer: resource !== undefined,
    knownScopes: metadata.scopes_supported,
    essentialAcr: demandsAcr(wanted),
    responseTypes: lab && client.response_types,
    now: target.now,
    lifetimes: lab?.config.lifetimes,
    advance: lab?.embedded?.clock.advance,
    // The userinfo endpoint checks everything but the audience of a token.
    presentAt: resource ?? metadata.userinfo_endpoint,
    credentials: user,
    secondUser: second?.username,
  })
  const why = whyNotHere(move, situation)
  if (why === undefined) return situation
  throw impossible(move, why)
}

function impossible(move: Move, why: string): UsageError {
  return new UsageError(`${move.name} cannot be tried here: ${why}`, hintsFor(move))
}

function hintsFor({ name, wait, at }: Move): string[] {
  if (at === 'logout_token') {
    return [
      `Without --server, --issuer and --browser a lab starts with its demo client:  oauth-lab flow logout --tamper ${name}`,
    ]
  }
  if (wait !== undefined) return ['Leave --server out, and the command starts a lab whose clock it can set']
  if (name.endsWith('-response')) return [`oauth-lab flow code --response-mode jwt --tamper ${name}`]
  if (name === 'no-challenge') return ['Choose a public client:  --client demo-spa']
  if (name === 'refresh-with-other-key') {
    return ['Choose a public client, and bind its tokens to a key:  --client demo-native --dpop']
  }
  if (name === 'unregistered-response-type') return ['Choose another client:  --client demo-native']
  return ['Which moves there are, and for which flows:  oauth-lab tamper list']
}
