import { heldBytes } from './held-bytes.js'

/** A map that keeps every entry until its own end. It refuses new entries when it is full. */
export interface KeptMap<Value> {
  get(key: string): Value | undefined
  /**
   * Adds or replaces an entry.
   * @param until end of the entry, in milliseconds since the epoch
   * @returns false when the map is full. An entry that is replaced by one that is not larger always fits.
   */
  set(key: string, value: Value, until: number): boolean
  readonly size: number
}

/** The bounds of a KeptMap. */
export interface KeptMapOptions {
  /** Most entries. */
  readonly limit: number
  /** Most bytes of all keys and values, as `heldBytes` estimates them. */
  readonly maxBytes: number
  /** Milliseconds since the epoch. */
  readonly now: () => number
}

interface Entry<Value> {
  readonly value: Value
  readonly until: number
  readonly bytes: number
}

/** Time between two sweeps of a full map, in milliseconds. */
const SWEEP_PAUSE = 1000

/** Smallest number of entries that is worth a sweep. */
const SWEEP_SIZE = 1024

/**
 * Makes a KeptMap. It drops ended entries when it has doubled since the last sweep, so sweeps cost each entry a constant
 * share. A full map sweeps at most once a second.
 */
export function createKeptMap<Value>({ limit, maxBytes, now }: KeptMapOptions): KeptMap<Value> {
  let entries = new Map<string, Entry<Value>>()
  let bytes = 0
  let sweepSize = Math.min(limit, SWEEP_SIZE)
  let sweptAt = Number.NEGATIVE_INFINITY

  function sweep(at: number): void {
    // A new map, because deleting entries one by one leaves holes in the old map.
    entries = new Map([...entries].filter(([, { until }]) => until > at))
    bytes = 0
    for (const entry of entries.values()) bytes += entry.bytes
    sweepSize = Math.min(limit, Math.max(SWEEP_SIZE, 2 * entries.size))
    sweptAt = at
  }

  return {
    get: key => entries.get(key)?.value,
    set(key, value, until) {
      const at = now()
      const size = heldBytes(key) + heldBytes(value)
      const fits = () => {
        const former = entries.get(key)
        const added = size - (former?.bytes ?? 0)
        return added <= 0 || (bytes + added <= maxBytes && entries.size + (former ? 0 : 1) <= limit)
      }
      const due = entries.size >= sweepSize || !fits()
      if (due && Math.abs(at - sweptAt) >= SWEEP_PAUSE) sweep(at)
      if (!fits()) return false
      bytes += size - (entries.get(key)?.bytes ?? 0)
      entries.set(key, { value, until, bytes: size })
      return true
    },
    get size() {
      return entries.size
    },
  }
}
