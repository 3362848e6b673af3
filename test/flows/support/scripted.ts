import { type Flow, type FlowName, flows } from '../../../src/flows/flows.js'
import type { FlowOptions } from '../../../src/flows/options.js'
import type { AllPorts } from '../../../src/flows/ports.js'
import type { FlowRecord, StepName } from '../../../src/flows/step.js'
import type { Send } from '../../../src/protocol/http/exchange.js'
import { parseForm } from '../../../src/protocol/http/form.js'
import {
  type HttpRequest,
  type HttpResponse,
  jsonResponse,
  splitUrl,
  text,
} from '../../../src/protocol/http/message.js'
import type { Check } from '../../../src/protocol/oauth/check.js'
import { ecKey, makeJwt } from '../../protocol/tokens/jwt-maker.js'
import { countedRandom, NOW, recorded } from './network.js'
import { collect, outcomeIn, stepOf } from './records.js'

const origin = 'https://as.test'
const key = ecKey('k1')

/** The published keys of the scripted server. */
export const jwks = { keys: [{ ...key.publicJwk, alg: key.alg }] }

/** A token that the scripted server signed. */
export function token(claims: object = {}): string {
  const seconds = NOW / 1000
  const usual = { iss: origin, sub: 'alice', aud: 'demo', iat: seconds, exp: seconds + 3600 }
  return makeJwt(key, { kid: 'k1' }, { ...usual, ...claims })
}

/** Answers by method and path, such as `POST /t`. A list is answered in order; its last answer stays. */
export type Script = Readonly<
  Record<string, HttpResponse | readonly HttpResponse[] | ((request: HttpRequest) => HttpResponse)>
>

/** A server that answers by a script, and the requests that it got. */
export function scripted(script: Script): { send: Send; sent: HttpRequest[] } {
  const sent: HttpRequest[] = []
  const counts = new Map<string, number>()
  const send: Send = async request => {
    sent.push(request)
    const name = `${request.method} ${splitUrl(request.url).path}`
    const found = script[name]
    if (found === undefined) throw new Error(`the script has no ${name}`)
    const count = counts.get(name) ?? 0
    counts.set(name, count + 1)
    if (typeof found === 'function') return recorded(request, found(request))
    const list = Array.isArray(found) ? (found as readonly HttpResponse[]) : [found as HttpResponse]
    return recorded(request, list[Math.min(count, list.length - 1)]!)
  }
  return { send, sent }
}

/** The world of a flow whose browser comes back with a code at once, and whose waits take no time. */
function scriptedPorts(send: Send, more: Partial<AllPorts> = {}): AllPorts & { waits: number[] } {
  const waits: number[] = []
  let time = NOW
  return {
    send,
    userAgent: {
      async *authorize({ request: { redirectUri, state } }) {
        yield { name: 'login_form', note: 'no form' }
        yield { name: 'authorization_response', landed: `${redirectUri}?code=c&state=${state}&iss=${origin}` }
      },
    },
    deviceVerifier: { async *verify() {} },
    askLogin: async () => ({ kind: 'credentials', username: 'alice', password: 'wonderland' }),
    wait: async ms => {
      waits.push(ms)
      time += ms
    },
    now: () => time,
    random: countedRandom(),
    signal: new AbortController().signal,
    waits,
    ...more,
  }
}

/** The options of a flow against the scripted server. */
export const scriptedOptions: FlowOptions = {
  metadata: {
    issuer: origin,
    authorization_endpoint: `${origin}/a`,
    token_endpoint: `${origin}/t`,
    jwks_uri: `${origin}/k`,
    userinfo_endpoint: `${origin}/u`,
    device_authorization_endpoint: `${origin}/d`,
    pushed_authorization_request_endpoint: `${origin}/p`,
  },
  clientId: 'demo',
  clientSecret: 'secret',
  auth: 'client_secret_post',
  redirectUri: 'http://127.0.0.1:7000/cb',
  pkce: true,
}

const noStore = [['cache-control', 'no-store']] as const

/** The answer of a token endpoint with a token, and these members. */
export const issued = (members: object = {}): HttpResponse =>
  jsonResponse(200, { access_token: token(), token_type: 'Bearer', expires_in: 3600, ...members }, noStore)

/** The answer of an endpoint that refuses. */
export const refused = (error: string, status = 400): HttpResponse => jsonResponse(status, { error })

/** A walk of a flow against the scripted server. */
export interface Walk {
  readonly script?: Script
  readonly wanted?: Partial<FlowOptions>
  readonly ports?: Partial<AllPorts>
}

/** Walks a flow against a server that publishes its keys, and issues tokens for everything. */
export async function walk(name: FlowName, { script = {}, wanted = {}, ports = {} }: Walk = {}) {
  const { send, sent } = scripted({ 'GET /k': jsonResponse(200, jwks), 'POST /t': issued(), ...script })
  const world = scriptedPorts(send, ports)
  const flow: Flow = flows[name]
  const records = await collect(flow.run(world, { ...scriptedOptions, ...wanted }))
  return { records, sent, waits: world.waits, outcome: outcomeIn(records) }
}

/** Walks a refresh. The first token has the refresh token `r1` and the scope `a`; then come the answers. */
export function refreshing(answers: readonly HttpResponse[], more: Walk = {}) {
  return walk('refresh', {
    ...more,
    wanted: { first: 'password', scope: 'a', ...more.wanted },
    script: { 'POST /t': [issued({ refresh_token: 'r1', scope: 'a' }), ...answers] },
  })
}

/** The fields of a form request. */
export const formOf = ({ body }: HttpRequest): Record<string, string> =>
  Object.fromEntries(parseForm(text(body)))

/** The check of that name at the step of that name. */
export const checkOf = (records: readonly FlowRecord[], step: StepName, name: string): Check | undefined =>
  stepOf(records, step).checks?.find(each => each.name === name)
