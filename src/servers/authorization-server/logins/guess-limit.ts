import { createExpiringMap } from '../../../protocol/bounded-maps.js'
import { createRateLimit, keyDigest, type Rate, type RateLimit } from '../../../protocol/rate-limit.js'
import type { PasswordVerdict } from './passwords.js'

/** An attempt to prove who somebody is. */
interface Attempt {
  /** The names that a secret is tried for: users or clients, which may be unknown. */
  readonly accounts: readonly string[]
  /** The network that the attempt comes from. */
  readonly source: string
  /** The secret in the cookie of the browser. Absent: the network stands for the device. */
  readonly device?: string | undefined
  /** The kind of secret. A device that proved a password is not known for one-time codes. Default: password. */
  readonly proof?: 'password' | 'code'
}

/** The result of a limited check. `limited`: the secret was not checked. */
type GuessVerdict<Verdict> =
  | { readonly kind: Verdict }
  | { readonly kind: 'limited'; readonly retryAfterSeconds: number }

/** Limits how often secrets can be guessed. */
export interface GuessLimit {
  /**
   * Runs a check of a secret; `wrong` counts. A check that could exceed the limit if all checks in flight failed waits for
   * them, so parallel guesses are all counted, and right passwords that come at once are not refused.
   */
  check<Verdict extends PasswordVerdict | 'no guess'>(
    attempt: Attempt,
    check: () => Promise<Verdict>,
  ): Promise<GuessVerdict<Verdict | 'busy'>>
}

/** One of the limits that an attempt is under. */
interface Limited {
  readonly limit: RateLimit
  readonly key: string
}

/** The checks in flight under one key, and the attempts that wait for one of them to end. */
interface InFlight {
  checks: number
  readonly queue: (() => void)[]
}

/** The reason why a check may not begin now. */
type Obstacle =
  | { readonly kind: 'limited'; readonly retryAfterSeconds: number }
  | { readonly kind: 'in flight'; readonly key: string }

/** Most attempts that wait for checks in flight. */
const MAX_WAITING = 1000

/** The limits of an account from all sources, and of a source for all accounts, as multiples of the limit of both together. */
const FOR_ACCOUNT = 2
const FOR_SOURCE = 10

/** Most devices from which an account proved itself, most bytes of them, and how long they are known, in milliseconds. */
const KNOWN = { limit: 10_000, maxBytes: 2 * 1024 * 1024, lifetime: 30 * 24 * 60 * 60_000 }

/**
 * Makes the limit of wrong secrets. `rate` applies to one account at one source. Twice as many are allowed to one account
 * from all sources, against guesses from many addresses, and ten times as many to one source for all accounts, against one
 * password tried for many users. A device or network from which the account proved itself before has a limit of its own, so
 * that others lock nobody out.
 */
export function createGuessLimit(rate: Rate, { now }: { readonly now: () => number }): GuessLimit {
  const times = (factor: number) =>
    createRateLimit(rate === 'off' ? rate : { ...rate, attempts: rate.attempts * factor }, { now })
  const [narrow, account, source] = [times(1), times(FOR_ACCOUNT), times(FOR_SOURCE)]
  const known = createExpiringMap<true>({ ...KNOWN, now })
  const inFlight = new Map<string, InFlight>()
  let waiting = 0

  /** Returns the place of each account: its name, with the device or network of the attempt. */
  const placesOf = ({ accounts, device, source, proof = 'password' }: Attempt) =>
    accounts.map(name => keyDigest(JSON.stringify([name, device ?? source, proof])))

  function limitsOf(
    { accounts, device, source: from }: Attempt,
    places: readonly string[],
  ): readonly Limited[] {
    const strange = accounts.filter((_, n) => known.get(places[n]!) === undefined)
    const place = (name: string) => (strange.includes(name) ? from : (device ?? from))
    return [
      ...accounts.map(name => ({ limit: narrow, key: JSON.stringify(['both', name, place(name)]) })),
      ...strange.map(name => ({ limit: account, key: JSON.stringify(['account', name]) })),
      ...(strange.length > 0 ? [{ limit: source, key: JSON.stringify(['source', from]) }] : []),
    ]
  }

  function remember({ accounts: [name = '', ...others] }: Attempt, [place = '']: readonly string[]): void {
    // Of several names, nothing says which one was right.
    if (others.length === 0 && known.get(place) === undefined) known.set(place, true, keyDigest(name))
  }

  function obstacle(limits: readonly Limited[]): Obstacle | undefined {
    const left = limits.map(({ limit, key }) => ({ key, ...limit.left(key) }))
    const spent = left.filter(({ attempts }) => attempts === 0)
    if (spent.length > 0) {
      return { kind: 'limited', retryAfterSeconds: Math.max(...spent.map(each => each.resetSeconds)) }
    }
    const full = left.find(({ key, attempts }) => (inFlight.get(key)?.checks ?? 0) >= attempts)
    return full && { kind: 'in flight', key: full.key }
  }

  function begin(limits: readonly Limited[]): void {
    for (const { key } of limits) {
      const running = inFlight.get(key)
      if (running) running.checks++
      else inFlight.set(key, { checks: 1, queue: [] })
    }
  }

  /** Wakes the next attempt that waits under a key. One at a time: waking all at each end would cost their square. */
  function wakeNext(key: string): void {
    const running = inFlight.get(key)
    running?.queue.shift()?.()
    if (running?.checks === 0 && running.queue.length === 0) inFlight.delete(key)
  }

  function end(limits: readonly Limited[]): void {
    for (const { key } of limits) {
      inFlight.get(key)!.checks--
      wakeNext(key)
    }
  }

  async function wait(key: string): Promise<void> {
    waiting++
    await new Promise<void>(resolve => inFlight.get(key)!.queue.push(resolve))
    waiting--
  }

  return {
    async check(attempt, check) {
      const places = placesOf(attempt)
      const limits = limitsOf(attempt, places)
      let waitedFor: string | undefined
      for (let found = obstacle(limits); found !== undefined; found = obstacle(limits)) {
        const again = found.kind === 'in flight' && found.key === waitedFor
        // The place that this attempt was woken for goes to the next one.
        if (waitedFor !== undefined && !again) wakeNext(waitedFor)
        if (found.kind === 'limited') return found
        if (waiting >= MAX_WAITING) return { kind: 'busy' }
        waitedFor = found.key
        await wait(waitedFor)
      }
      begin(limits)
      try {
        const kind = await check()
        if (kind === 'right') remember(attempt, places)
        if (kind === 'wrong') for (const { limit, key } of limits) limit.count(key, attempt.source)
        return { kind }
      } finally {
        end(limits)
      }
    },
  }
}
