import { defined } from '../../defined.js'
import type { Exchange } from '../../http/exchange.js'
import type { FormPairs } from '../../http/form.js'
import type { HttpRequest } from '../../http/message.js'
import type { AuthorizationServerMetadata } from '../../oauth/metadata.js'
import { clientRequest, type TokenResponse } from '../../oauth/token.js'
import { answerMembers } from '../answer-members.js'
import { codeFlow } from '../code.js'
import { outgoing } from '../middleware.js'
import type { FlowOptions } from '../options.js'
import type { Outcome, Step } from '../step.js'
import { altered } from '../tamper/messages.js'
import { type ClientIdentity, isPublic } from '../tamper/move.js'
import type { HonestFlow } from './facts.js'
import { fault, type Judgement, NO_ANSWER, notApplicable, notTried, pass, remark } from './finding.js'
import type { DoctorPorts } from './ports.js'
import { reached } from './publication.js'
import { flowOptions, type ServerUnderTest } from './server-under-test.js'
import { walk } from './trial.js'

/** The tokens of a flow. */
export type Tokens = Pick<TokenResponse, 'access_token' | 'refresh_token' | 'id_token'>

/** Sends requests of its own to a server under test, outside of any flow. */
export interface Bench {
  readonly server: ServerUnderTest
  readonly metadata: AuthorizationServerMetadata
  readonly ports: DoctorPorts
  /** Tokens of a flow without any wrong move, which have not expired; undefined where none are issued. */
  tokens(): Promise<Tokens | undefined>
  /** Tokens that may be spoilt, of one more flow; undefined where none are issued. */
  spare(): Promise<Tokens | undefined>
  /** Walks one more honest flow with other options, or through other middleware. */
  honest(
    more?: Partial<FlowOptions>,
    layers?: DoctorPorts['layers'],
  ): Promise<{ readonly steps: readonly Step[]; readonly outcome: Outcome | undefined }>
  /** Sends a form to an endpoint as a client. Returns undefined where no answer came. */
  post(endpoint: string, parameters: FormPairs, client?: ClientIdentity): Promise<Exchange | undefined>
  /** Sends any request. Returns undefined where no answer came. */
  send(request: HttpRequest): Promise<Exchange | undefined>
}

/** The tokens that the token request of a flow was answered with. */
export function tokensIn(steps: readonly Step[]): Tokens | undefined {
  const step = steps.findLast(({ name, token }) => name === 'token_request' && token !== undefined)
  if (step?.token === undefined) return undefined
  const of = (kind: string) => step.tokens?.find(each => each.kind === kind)?.value
  return defined({
    access_token: step.token.value,
    refresh_token: of('refresh_token'),
    id_token: of('id_token'),
  })
}

/** The time at which new tokens are needed, in milliseconds since the epoch. Moves may set the clock forward. */
function goodUntil({ outcome }: { readonly outcome: Outcome | undefined }, now: number): number {
  return now + ((outcome?.tokens?.expires_in ?? 300) * 1000) / 2
}

/** Makes the bench of a server. */
export function createBench(
  ports: DoctorPorts,
  server: ServerUnderTest,
  metadata: AuthorizationServerMetadata,
  flow: HonestFlow,
): Bench {
  const { signal } = ports
  const send = (request: HttpRequest) => reached(ports.send(request, { signal }), signal)
  const honest: Bench['honest'] = async (more = {}, layers = ports.layers) => {
    const { client, browser } = outgoing(ports.send, layers)
    const own = { ...ports, send: client, userAgent: ports.agentWith(browser) }
    return walk(codeFlow(own, { ...flowOptions(server, metadata), ...more }))
  }
  let tokens = tokensIn(flow.steps)
  let until = goodUntil(flow, ports.now())
  const current: Bench['tokens'] = async () => {
    if (tokens === undefined || ports.now() < until) return tokens
    const { steps, outcome } = await honest()
    tokens = tokensIn(steps)
    until = goodUntil({ outcome }, ports.now())
    return tokens
  }
  let spare: Promise<Tokens | undefined> | undefined
  return {
    server,
    metadata,
    ports,
    tokens: current,
    spare: () => {
      spare ??= honest().then(({ steps }) => tokensIn(steps))
      return spare
    },
    honest,
    post: (endpoint, parameters, client = server.client) =>
      send(clientRequest({ endpoint, ...client, parameters })),
    send,
  }
}

/** A token that nobody issued. */
export const UNKNOWN_TOKEN = 'oauth-lab-nobody-issued-this-token'

/** A client that shows a wrong secret. */
export function withWrongSecret(client: ClientIdentity): ClientIdentity {
  return { ...client, clientSecret: altered(client.clientSecret ?? 'secret') }
}

/** A client that names itself, and shows no credentials. */
export function withoutSecret({ clientId }: ClientIdentity): ClientIdentity {
  return { clientId, auth: 'none' }
}

/** A judgement on a confidential client; a public one has no secret to check. */
export async function ofConfidential(
  { server: { client } }: Bench,
  judge: () => Promise<Judgement>,
): Promise<Judgement> {
  return isPublic(client) ? notApplicable('the client is public: it has no secret') : judge()
}

/** The status and the error code of an answer, for people. */
export function seen(exchange: Exchange): string {
  const { error } = answerMembers(exchange)
  const status = String(exchange.response?.status ?? 'no answer')
  return typeof error === 'string' ? `${status} ${error}` : status
}

/** Judges an exchange by its answer; without one nothing was tried. */
export function answered(
  exchange: Exchange | undefined,
  judge: (exchange: Exchange, status: number) => Judgement,
): Judgement {
  const status = exchange?.response?.status
  if (exchange === undefined || status === undefined) return notTried(NO_ANSWER)
  return status === 429 ? notTried('too many attempts (429)') : judge(exchange, status)
}

/**
 * Judges an answer that must be a refusal.
 * @param errors the codes of the rule; none: the code does not matter
 */
export function refusedWith(
  exchange: Exchange | undefined,
  errors: readonly string[],
  statuses: readonly number[] = [400, 401],
): Judgement {
  return answered(exchange, (answer, status) => {
    const got = seen(answer)
    if (status < 300) return fault(`not refused: ${got}`)
    const { error } = answerMembers(answer)
    const fits = statuses.includes(status) && (errors.length === 0 || errors.some(each => each === error))
    return fits
      ? pass(got)
      : remark(`refused otherwise: expected ${errors[0] ?? statuses.join(' or ')}; got ${got}`)
  })
}

/**
 * Judges a request that the client sends with other credentials than its own.
 * @param disguised `withoutSecret` or `withWrongSecret`
 */
export async function refusedAs(
  disguised: (client: ClientIdentity) => ClientIdentity,
  { server, post }: Bench,
  endpoint: string,
  parameters: FormPairs,
): Promise<Judgement> {
  return refusedWith(await post(endpoint, parameters, disguised(server.client)), ['invalid_client'])
}
