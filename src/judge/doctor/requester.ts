import { answerMembers } from '../../flows/answers/answer-members.js'
import { codeFlow } from '../../flows/code.js'
import { clientMiddleware } from '../../flows/middleware/client-middleware.js'
import type { FlowOptions } from '../../flows/options.js'
import type { Outcome, Step } from '../../flows/step.js'
import type { Exchange } from '../../protocol/http/exchange.js'
import type { FormPairs } from '../../protocol/http/form.js'
import type { HttpRequest } from '../../protocol/http/message.js'
import { clientRequest, type TokenResponse } from '../../protocol/oauth/token.js'
import { strangersKey } from '../../protocol/tokens/client-assertion.js'
import { defined } from '../../protocol/values.js'
import { altered } from '../tamper/messages.js'
import { type ClientIdentity, isPublic } from '../tamper/situation.js'
import type { HonestFlow } from './facts.js'
import { fault, type Judgement, NO_ANSWER, notApplicable, notTried, pass, remark } from './finding.js'
import { moveFlowOf } from './move-flow.js'
import type { DoctorPorts } from './ports.js'
import { reached } from './publication.js'
import { type Examined, flowOptions, flowPorts, sentAs } from './server-under-test.js'
import { walk } from './trial.js'

/** The tokens of a flow. */
export type Tokens = Pick<TokenResponse, 'access_token' | 'refresh_token' | 'id_token'>

/** A request in the name of the client: without any proof, or with a secret, a key or a certificate that is wrong. */
export type Disguise = 'no-proof' | 'wrong-proof'

/** Sends requests of its own to a server under test, outside of any flow. */
export interface Requester extends Examined {
  /** True when the flow without any wrong move was granted. */
  readonly works: boolean
  /** Tokens of a flow without any wrong move, which have not expired; undefined where none are issued. */
  tokens(): Promise<Tokens | undefined>
  /** Tokens that may be spoilt, of one more flow; undefined where none are issued. */
  spare(): Promise<Tokens | undefined>
  /** Walks one more honest flow with other options, or through other middleware. */
  honest(
    more?: Partial<FlowOptions>,
    layers?: DoctorPorts['layers'],
  ): Promise<{ readonly steps: readonly Step[]; readonly outcome: Outcome | undefined }>
  /** Walks an honest logout, whose request has no ID token: the server has to ask. */
  logout(): Promise<{ readonly steps: readonly Step[]; readonly outcome: Outcome | undefined }>
  /** Sends a form to an endpoint as the client, or as another one. Returns undefined where no answer came. */
  post(endpoint: string, parameters: FormPairs, other?: ClientIdentity): Promise<Exchange | undefined>
  /** Sends a form to an endpoint in the name of the client, without its proof or with a wrong one. */
  pretend(disguise: Disguise, endpoint: string, parameters: FormPairs): Promise<Exchange | undefined>
  /** Sends any request, as the client does. Returns undefined where no answer came. */
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

/** Makes the requester of a server. */
export function createRequester(on: Examined, flow: HonestFlow): Requester {
  const { ports, server, metadata } = on
  const { signal } = ports
  const send = (request: HttpRequest) => reached(sentAs(ports)(request, { signal }), signal)
  const sendBare = (request: HttpRequest) => reached(ports.send(request, { signal }), signal)
  const honest: Requester['honest'] = async (more = {}, layers = ports.layers) =>
    walk(codeFlow(flowPorts(ports, layers), { ...flowOptions(server, metadata), ...more }))
  let tokens = tokensIn(flow.steps)
  let until = goodUntil(flow, ports.now())
  const current: Requester['tokens'] = async () => {
    if (tokens === undefined || ports.now() < until) return tokens
    const { steps, outcome } = await honest()
    tokens = tokensIn(steps)
    until = goodUntil({ outcome }, ports.now())
    return tokens
  }
  let spare: Promise<Tokens | undefined> | undefined
  return {
    ...on,
    works: flow.outcome?.outcome === 'granted',
    tokens: current,
    spare: () => {
      spare ??= honest().then(({ steps }) => tokensIn(steps))
      return spare
    },
    honest,
    logout() {
      const { target, options } = moveFlowOf('logout', ports, server)
      const wanted = { ...flowOptions(server, metadata), ...options, sendsHint: false }
      return walk(target.run(flowPorts(ports), wanted))
    },
    post: (endpoint, parameters, other) =>
      other === undefined
        ? send(clientRequest({ endpoint, ...server.client, parameters }))
        : sendBare(clientRequest({ endpoint, ...other, parameters })),
    async pretend(disguise, endpoint, parameters) {
      const { client, layers, identity } = await disguised(disguise, on)
      const request = defined({ ...clientRequest({ endpoint, ...client, parameters }), identity })
      return reached(sentAs({ send: ports.send, layers })(request, { signal }), signal)
    },
    send,
  }
}

/** A token that nobody issued. */
export const UNKNOWN_TOKEN = 'oauth-lab-nobody-issued-this-token'

/** The client as somebody else would pretend to be it. */
async function disguised(disguise: Disguise, { ports, server: { client, equipment }, metadata }: Examined) {
  const { clientId, clientSecret, auth, proof } = client
  const wrong = disguise === 'wrong-proof'
  const { key, ...extras } = equipment?.extras ?? { clientId }
  const foreign = wrong && key !== undefined ? await strangersKey(key) : undefined
  const { layers } = clientMiddleware(metadata, defined({ ...extras, key: foreign }), ports)
  const sends = auth !== 'none' && wrong
  return {
    client: sends
      ? { clientId, auth, clientSecret: altered(clientSecret ?? 'secret') }
      : { clientId, auth: 'none' as const },
    layers: { client: layers },
    identity: proof !== 'certificate' ? undefined : wrong ? ('stranger' as const) : ('none' as const),
  }
}

/** A judgement on a confidential client; a public one has no secret to check. */
export async function ofConfidential(
  { server: { client } }: Requester,
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

/** Judges a request in the name of the client, whose proof is missing or wrong. */
export async function refusedAs(
  disguise: Disguise,
  { pretend }: Requester,
  endpoint: string,
  parameters: FormPairs,
): Promise<Judgement> {
  return refusedWith(await pretend(disguise, endpoint, parameters), ['invalid_client'])
}
