import { assertionFlow, assertionPlan } from '../../flows/assertion.js'
import { clientCredentialsFlow, clientCredentialsPlan } from '../../flows/client-credentials.js'
import { codeFlow, codePlan } from '../../flows/code.js'
import { deviceFlow, devicePlan } from '../../flows/device.js'
import { logoutFlow, logoutPlan } from '../../flows/logout.js'
import { clientMiddleware } from '../../flows/middleware/client-middleware.js'
import type { FlowOptions } from '../../flows/options.js'
import type { AllPorts, FlowPorts, NetworkPorts } from '../../flows/ports.js'
import { refreshFlow, refreshPlan } from '../../flows/refresh.js'
import { generateDpopKey } from '../../protocol/tokens/dpop.js'
import { defined } from '../../protocol/values.js'
import type { OwnDocument } from '../../session/flow/own-document.js'
import type { Move } from '../tamper/move.js'
import { documentLieOf } from '../tamper/move.js'
import { assertionProofMoves, clientAssertionMoves } from '../tamper/moves/assertions.js'
import { bindingMoves, certificateMoves, tokenProofMoves } from '../tamper/moves/proofs.js'
import { shapeOf } from '../tamper/shape.js'
import type { Situation } from '../tamper/situation.js'
import type { Target } from '../tamper/tampered-flow.js'
import type { Finding, Group, Judgement } from './finding.js'
import type { DoctorPorts } from './ports.js'
import { equipmentOf, type ServerUnderTest } from './server-under-test.js'

/** The flow in which the moves of a group are made. */
export interface MoveFlow {
  readonly target: Target
  readonly situation?: Partial<Situation>
  readonly options?: Partial<FlowOptions>
  /** Prepares the client of one flow: keys are never shared. */
  readonly prepare?: (wanted: FlowOptions) => Promise<Prepared>
}

/** The client of one flow. */
export interface Prepared {
  readonly wanted: FlowOptions
  readonly layers: NonNullable<NetworkPorts['layers']>
  readonly situation: Partial<Situation>
  /** Ends the parts that only this flow needs. */
  readonly end?: () => Promise<void>
}

/** The way into the moves of a group. */
export interface Readiness {
  /** The judgement on every move of the group, where none can be made. */
  readonly closed?: Judgement
  /** Options that the flows of the group need. */
  readonly options?: Partial<FlowOptions>
  /** The circumstances that these options make. */
  readonly situation?: Partial<Situation>
  /** The results of the requests that had to be sent first. */
  readonly findings?: readonly Finding[]
}

/** Moves that the doctor need not make: par-reuse and par-required try the same. */
const CHECKED_OTHERWISE: ReadonlySet<string> = new Set(['reused-request-uri', 'unpushed-request'])

/** The group of a move's finding; undefined for a move that the doctor does not make. */
export function groupOf(move: Move): Group | undefined {
  // The client of the doctor is no MCP client.
  if (move.only === 'mcp') return undefined
  switch (move.at) {
    case 'authorization_request':
      // The flow of the doctor is the code grant, whose answer has no id_token.
      if (move.brings !== undefined) return undefined
      if (CHECKED_OTHERWISE.has(move.name)) return undefined
      if (move.needsObject !== undefined) return 'jar'
      if (move.document !== undefined) return 'registration'
      return move.afterPush ? 'par' : 'authorization'
    case 'login':
      return 'login'
    case 'logout_request':
      return 'logout'
    case 'userinfo_request':
      return move.type === undefined ? 'resource' : move.type === 'dpop' ? 'dpop' : undefined
    case 'token_request':
      if (bindingMoves.includes(move) || tokenProofMoves.includes(move)) return 'dpop'
      if (certificateMoves.includes(move) || aboutAssertions(move)) return 'token'
      if (move.grants === undefined || move.grants.includes('code')) return 'token'
      if (move.grants.every(each => each === 'assertion')) return 'assertion'
      return (['refresh', 'device'] as const).find(each => move.grants?.includes(each))
    case 'assertion':
      return 'assertion'
    default:
      // A changed answer tests our own client.
      return undefined
  }
}

/** True for a move that only a client that signs assertions can make. */
export function aboutAssertions(move: Move): boolean {
  return [...assertionProofMoves, ...clientAssertionMoves].some(each => each === move)
}

/** The ports of flows that go further than a browser and back. Nobody gives a password to the client here. */
function allPorts(ports: DoctorPorts, flowPorts: FlowPorts): AllPorts {
  const { verifierWith, wait, send } = ports
  const askLogin: AllPorts['askLogin'] = async () => ({ kind: 'cancel' })
  return { ...flowPorts, askLogin, wait, deviceVerifier: verifierWith(send) }
}

const code: Target = { plan: codePlan, run: codeFlow }

/** True for a move that is made with a refresh token. */
export function needsRefreshToken(move: Move): boolean {
  return move.at === 'token_request' && move.grants?.includes('refresh') === true
}

function refreshMoveFlow(ports: DoctorPorts): MoveFlow {
  return {
    target: { plan: refreshPlan, run: (own, wanted) => refreshFlow(allPorts(ports, own), wanted) },
    situation: { flow: shapeOf('refresh') },
  }
}

/** True for a move that is made with a token request of the client for itself. */
export function needsOwnGrant(move: Move): boolean {
  return move.at === 'token_request' && move.grants?.includes('client-credentials') === true
}

function dpopMoveFlow(ports: DoctorPorts, move: Move | undefined): MoveFlow {
  if (move && needsRefreshToken(move)) return refreshMoveFlow(ports)
  if (!move || !needsOwnGrant(move)) return { target: code }
  return {
    target: {
      plan: clientCredentialsPlan,
      // A scope such as openid needs a user.
      run: (own, { scope: _, ...wanted }) => clientCredentialsFlow(own, wanted),
    },
    situation: { flow: shapeOf('client-credentials') },
  }
}

/** The client of one flow, which is known by the document that a move is about. */
function documentMoveFlow({ serveDocument }: DoctorPorts, move: Move): Pick<MoveFlow, 'prepare'> {
  if (serveDocument === undefined) return {}
  return {
    async prepare(wanted) {
      const own = await serveDocument(wanted.redirectUri, documentLieOf(move))
      const { clientId, asked, stop } = own
      const options = documentClient(wanted, own)
      return {
        wanted: options,
        layers: {},
        situation: {
          client: { clientId, auth: 'none' },
          pushed: options.push === true,
          documentAsked: asked,
        },
        end: stop,
      }
    },
  }
}

/** Returns the options of a flow for the public client that a document is about. */
export function documentClient(
  { metadata, redirectUri, scope }: FlowOptions,
  { clientId }: Pick<OwnDocument, 'clientId'>,
): FlowOptions {
  const push = metadata.require_pushed_authorization_requests === true
  const client = { clientId, auth: 'none', pkce: true, foreignAccessTokens: true, push } as const
  return defined({ metadata, redirectUri, scope, ...client })
}

/** The options of a logout. */
function logoutOptions({ postLogoutRedirectUri }: ServerUnderTest): Partial<FlowOptions> {
  return defined({ postLogoutRedirectUri })
}

/** The flow for the moves of a group; for a move of it, where moves of one group need different flows. */
export function moveFlowOf(group: Group, ports: DoctorPorts, server: ServerUnderTest, move?: Move): MoveFlow {
  switch (group) {
    case 'refresh':
      return refreshMoveFlow(ports)
    case 'device':
      return {
        target: { plan: devicePlan, run: (own, wanted) => deviceFlow(allPorts(ports, own), wanted) },
        situation: { flow: shapeOf('device') },
      }
    case 'assertion':
      return {
        target: { plan: assertionPlan, run: assertionFlow },
        situation: { flow: shapeOf('assertion') },
        options: defined({ assertion: server.assertion }),
      }
    case 'logout':
      return {
        target: { plan: logoutPlan, run: (own, wanted) => logoutFlow(allPorts(ports, own), wanted) },
        situation: { flow: shapeOf('logout') },
        options: logoutOptions(server),
      }
    case 'par':
      return { target: code, situation: { pushed: true }, options: { push: true } }
    case 'dpop': {
      const { target, situation } = dpopMoveFlow(ports, move)
      return {
        target,
        situation: { ...situation, bound: true },
        async prepare(wanted) {
          const { metadata, clientId, authorizationParameters = [] } = wanted
          const extras = equipmentOf(server, { clientId }).extras ?? { clientId }
          // A client that always binds its tokens has its key already.
          if (extras.dpop !== undefined) return { wanted, layers: ports.layers ?? {}, situation: {} }
          const dpop = await generateDpopKey()
          const { layers } = clientMiddleware(metadata, { ...extras, dpop }, ports)
          // The code is bound to the key as well (RFC 9449 §10).
          const bound = [...authorizationParameters, ['dpop_jkt', dpop.jkt] as const]
          const options = { ...wanted, authorizationParameters: bound }
          return { wanted: options, layers: { client: layers }, situation: { dpop } }
        },
      }
    }
    case 'registration':
      return { target: code, ...(move && documentMoveFlow(ports, move)) }
    default:
      return { target: code }
  }
}
