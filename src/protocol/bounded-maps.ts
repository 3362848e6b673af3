/** A map that keeps every entry until its own end. It refuses new entries when it is full. */
interface KeptMap<Value> {
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
interface KeptMapOptions {
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

/**
 * A map that drops old entries. An entry stays for at least `lifetime`, unless more than `limit / 2` newer entries or
 * `maxBytes / 2` newer bytes follow. While entries keep coming, it stays for at most twice `lifetime`.
 * Dropping only saves memory: the reader of a value decides if it is still valid.
 */
interface ExpiringMap<Value> {
  get(key: string): Value | undefined
  set(key: string, value: Value): void
  readonly size: number
}

/** The bounds of an ExpiringMap. */
interface ExpiringMapOptions {
  /** Shortest time that an entry stays, in milliseconds. */
  readonly lifetime: number
  /** Most entries. */
  readonly limit: number
  /** Most bytes of all keys and values, as `heldBytes` estimates them. */
  readonly maxBytes: number
  readonly now: () => number
}

/**
 * Makes an ExpiringMap of two generations. The older one is dropped whole when the younger one is full or older than
 * `lifetime`, so every operation is O(1). Deleting the oldest key of one big Map would not be: V8 walks over the holes
 * that earlier deletions left.
 */
export function createExpiringMap<Value>(options: ExpiringMapOptions): ExpiringMap<Value> {
  const { lifetime, limit, maxBytes, now } = options
  let older = new Map<string, Value>()
  let younger = new Map<string, Value>()
  let since = now()
  let bytes = 0
  const turn = (at: number) => {
    older = at - since >= 2 * lifetime ? new Map() : younger
    younger = new Map()
    bytes = 0
    since = at
  }
  return {
    get: key => younger.get(key) ?? older.get(key),
    set(key, value) {
      const at = now()
      const held = heldBytes(key) + heldBytes(value)
      const full = younger.size >= limit / 2 && !younger.has(key)
      if (full || bytes + held > maxBytes / 2 || at - since >= lifetime) turn(at)
      // A replaced entry counts twice. That makes the map turn earlier, and never later.
      bytes += held
      older.delete(key)
      younger.set(key, value)
    },
    get size() {
      return younger.size + older.size
    },
  }
}

/** Bytes of an object, an array or a string, without its content. */
const OVERHEAD = 32

/** Bytes of a number, a boolean or a reference. */
const SLOT = 8

/** Estimates the bytes of memory that a record holds. The record has no cycles. */
export function heldBytes(value: unknown): number {
  if (typeof value === 'string') return OVERHEAD + 2 * value.length
  if (typeof value !== 'object' || value === null) return SLOT
  let bytes = OVERHEAD
  for (const each of Object.values(value)) bytes += SLOT + heldBytes(each)
  return bytes
}
