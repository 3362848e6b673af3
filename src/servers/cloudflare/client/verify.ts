import { type HeaderList, header } from '../../../protocol/http/message.js'
import { isJsonObject, type JsonObject } from '../../../protocol/values.js'
import type { Zone } from '../shapes.js'
import { ApiRefusal, type Service } from './service.js'
import { allZones } from './zones.js'

/** The answer of a service about the credentials of a request. */
export interface Verified {
  readonly service: string
  /** The source of the address. */
  readonly via: string
  readonly credentials: {
    readonly kind: 'key' | 'token'
    /** The source of the credentials. */
    readonly from: string
    readonly email?: string
    /** The status of a token as the service reports it: `active`. */
    readonly status?: string
    /** The identifier of the user or the token. */
    readonly id?: string
    /** The end of the token, RFC 3339. */
    readonly expires_on?: string
  }
  readonly zones: readonly Pick<Zone, 'id' | 'name' | 'status'>[]
  readonly rate_budget?: RateBudget
}

/** The code for an invalid token. Valid tokens of an account get it too, because the route verifies only tokens of users. */
const INVALID_TOKEN = 1000

const texts = (object: JsonObject, names: readonly string[]): { readonly [name: string]: string } =>
  Object.fromEntries(names.flatMap(name => (typeof object[name] === 'string' ? [[name, object[name]]] : [])))

/**
 * Requests the identity of the credentials, the zones that they reach, and the rate budget.
 * @throws ApiRefusal, TransportError
 */
export async function verify(service: Service): Promise<Verified> {
  const { credentials, base, via } = service.access
  const { kind, from } = credentials
  const zones = await allZones(service)
  const path = kind === 'token' ? '/user/tokens/verify' : '/user'
  const asked = await service.request<unknown>({ method: 'GET', path }).catch((error: unknown) => {
    if (error instanceof ApiRefusal && kind === 'token' && error.has(INVALID_TOKEN)) return undefined
    throw error
  })
  const facts = isJsonObject(asked?.result) ? asked.result : {}
  const response = asked?.exchange.response
  const budget = response && rateBudget(response)
  return {
    service: base,
    via,
    credentials: {
      kind,
      from,
      ...(credentials.kind === 'key' && { email: credentials.email }),
      ...texts(facts, kind === 'token' ? ['status', 'id', 'expires_on'] : ['id']),
    },
    zones: zones.map(({ id, name, status }) => ({ id, name, status })),
    ...(budget && { rate_budget: budget }),
  }
}

/** The rate budget that a service reports. */
interface RateBudget {
  /** The remaining requests, and the seconds until the budget resets. */
  readonly left?: number
  readonly resetSeconds?: number
  /** The requests of a window, and its length in seconds. */
  readonly quota?: number
  readonly windowSeconds?: number
}

/** Reads a parameter of an item such as `"default";r=50;t=30`. */
function parameter(item: string | undefined, name: string): number | undefined {
  const match = new RegExp(`;\\s*${name}=(\\d{1,12})(?![\\d.])`).exec(item ?? '')
  return match ? Number(match[1]) : undefined
}

/** Returns the first item of a header. Each policy is one item. */
const firstItem = (value: string | undefined): string | undefined => value?.split(',', 1)[0]

/** Reads `Ratelimit: "default";r=50;t=30` and `Ratelimit-Policy: "default";q=1200;w=300`. Returns undefined without either header. */
export function rateBudget(response: { readonly headers: HeaderList }): RateBudget | undefined {
  const [now, policy] = ['ratelimit', 'ratelimit-policy'].map(name => firstItem(header(response, name)))
  const budget = {
    left: parameter(now, 'r'),
    resetSeconds: parameter(now, 't'),
    quota: parameter(policy, 'q'),
    windowSeconds: parameter(policy, 'w'),
  }
  const given = Object.entries(budget).filter(([, value]) => value !== undefined)
  return given.length === 0 ? undefined : Object.fromEntries(given)
}
