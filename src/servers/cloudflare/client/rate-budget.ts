import { type HeaderList, header } from '../../../protocol/http/message.js'

/** The rate budget that a service reports. */
export interface RateBudget {
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
