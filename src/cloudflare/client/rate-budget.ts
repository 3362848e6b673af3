import { type HeaderList, header } from '../../http/message.js'

/** What a service says of the requests that are left. */
export interface RateBudget {
  /** Requests that are left, and seconds until there are more. */
  readonly left?: number
  readonly resetSeconds?: number
  /** Requests in a window, and its length in seconds. */
  readonly quota?: number
  readonly windowSeconds?: number
}

/** A parameter of an item such as `"default";r=50;t=30`. */
function parameter(item: string | undefined, name: string): number | undefined {
  const found = new RegExp(`;\\s*${name}=(\\d{1,12})(?![\\d.])`).exec(item ?? '')
  return found ? Number(found[1]) : undefined
}

/** The first item of a header, one of several policies. */
const firstItem = (value: string | undefined): string | undefined => value?.split(',', 1)[0]

/** `Ratelimit: "default";r=50;t=30` and `Ratelimit-Policy: "default";q=1200;w=300`; undefined where neither came. */
export function rateBudget(response: { readonly headers: HeaderList }): RateBudget | undefined {
  const [now, policy] = ['ratelimit', 'ratelimit-policy'].map(name => firstItem(header(response, name)))
  const budget = {
    left: parameter(now, 'r'),
    resetSeconds: parameter(now, 't'),
    quota: parameter(policy, 'q'),
    windowSeconds: parameter(policy, 'w'),
  }
  const told = Object.entries(budget).filter(([, value]) => value !== undefined)
  return told.length === 0 ? undefined : Object.fromEntries(told)
}
