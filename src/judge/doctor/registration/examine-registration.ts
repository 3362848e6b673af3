import type { Exchange, Send } from '../../../protocol/http/exchange.js'
import type { AuthorizationServerMetadata } from '../../../protocol/oauth/metadata.js'
import { OAuthError } from '../../../protocol/oauth/oauth-error.js'
import type { RegistrationMove } from '../../tamper/move.js'
import { registrationMoves } from '../../tamper/moves/mcp.js'
import { expectation } from '../../tamper/moves.js'
import type { Situation } from '../../tamper/situation.js'
import { observeRegistration } from '../../tamper/tampered-mcp.js'
import { judge, outcomeFor } from '../../tamper/verdict.js'
import { findings } from '../facts.js'
import { type Finding, type Judgement, notApplicable, pass } from '../finding.js'
import { answered } from '../requester.js'
import { judgement } from '../trial.js'
import { createRegistrar, type Registrar, registeredIn } from './registrar.js'
import {
  closedBy,
  managementChecks,
  type RegistrationFacts,
  registrationChecks,
} from './registration-checks.js'

const group = 'registration'

/** The last finding: registrations that an examination leaves behind. */
export const LEFT = {
  group,
  name: 'registration-left',
  title: 'nothing of this examination stays registered',
  rule: 'RFC 7592 §2.3',
} as const

/** The world of an examination of registrations. */
interface Ports {
  readonly send: Send
  readonly signal: AbortSignal
}

function moveFinding(move: RegistrationMove, result: Judgement): Finding {
  const { name, does, rule } = move
  return { group, name, title: `refused: ${does} (${expectation(move)})`, rule, ...result }
}

/** Registers a client that is wrong in one point. */
async function tryRegistration(move: RegistrationMove, registrar: Registrar): Promise<Judgement> {
  const exchange = await registrar.register(await move.register(registrar.honest))
  const situation: Situation = {
    client: { clientId: '', auth: 'none' },
    redirectUri: '',
    pkce: true,
    challengeMethods: [],
    issPromised: false,
    resourceServer: false,
  }
  return answered(exchange, answer =>
    judgement(outcomeFor(judge(move, observeRegistration(answer, move), situation)), move),
  )
}

/** Registers two honest clients, reads the one as itself, as nobody and as the other, and deletes it. */
async function learn(registrar: Registrar, honest: Exchange | undefined): Promise<RegistrationFacts> {
  const { honest: sent, manage } = registrar
  const management = registeredIn(honest)?.management
  if (management === undefined) return { sent, honest }
  const { url, token } = management
  const other = registeredIn(await registrar.register(sent))?.management
  return {
    sent,
    honest,
    read: await manage('GET', url, token),
    readWithoutToken: await manage('GET', url),
    ...(other && { readByOther: await manage('GET', url, other.token) }),
    deleted: await manage('DELETE', url, token),
    readAfter: await manage('GET', url, token),
  }
}

/** Says what stays registered: a server need not let anybody delete a client. */
async function cleanUp(registrar: Registrar): Promise<Judgement> {
  const left = await registrar.removeAll()
  if (left.length === 0) return pass('every client was deleted')
  const names = left.map(({ clientId }) => clientId).join(', ')
  return notApplicable(`the server deletes no clients; registered stays ${names}`)
}

/** Why the client of this examination, which has no key, cannot be registered; undefined where it can. */
function unfit({
  token_endpoint_auth_methods_supported: methods = ['client_secret_basic'],
}: AuthorizationServerMetadata): string | undefined {
  const own = ['none', 'client_secret_basic', 'client_secret_post']
  return methods.some(each => own.includes(each))
    ? undefined
    : `clients authenticate by ${methods.join(', ')}, and the client here has no key`
}

/**
 * Registers clients at a server: honest ones, and some that are wrong in one point. All of them are deleted again where the
 * server allows it (RFC 7592 §2.3); the others are named.
 * @param redirectUri of the honest client; no request goes there
 */
export async function* examineRegistration(
  ports: Ports,
  metadata: AuthorizationServerMetadata,
  redirectUri: string,
): AsyncGenerator<Finding, void, void> {
  const all = function* (why: Judgement): Generator<Finding> {
    const stated = [...registrationChecks, ...managementChecks]
    for (const { name, title, rule } of stated) yield { group, name, title, rule, ...why }
    for (const move of registrationMoves) yield moveFinding(move, why)
  }
  let registrar: Registrar
  const why = unfit(metadata)
  if (why !== undefined) {
    yield* all(notApplicable(why))
    return
  }
  try {
    registrar = createRegistrar(ports, metadata, redirectUri)
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error
    yield* all(notApplicable('the server announces no registration_endpoint'))
    return
  }
  try {
    const honest = await registrar.register(registrar.honest)
    const closed = closedBy(honest)
    yield* findings(registrationChecks, { sent: registrar.honest, honest })
    for (const move of registrationMoves)
      yield moveFinding(move, closed ?? (await tryRegistration(move, registrar)))
    yield* findings(managementChecks, await learn(registrar, honest))
    if (closed === undefined) yield { ...LEFT, ...(await cleanUp(registrar)) }
  } finally {
    await registrar.removeAll()
  }
}
