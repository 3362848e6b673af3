import { heldBytes } from './held-bytes.js'

/**
 * A map that drops old entries. An entry stays for at least `lifetime`, unless more than `limit / 2` newer entries or
 * `maxBytes / 2` newer bytes follow. While entries keep coming, it stays for at most twice `lifetime`.
 * Dropping only saves memory: the reader of a value decides if it is still valid.
 */
export interface ExpiringMap<Value> {
  get(key: string): Value | undefined
  set(key: string, value: Value): void
  readonly size: number
}

/** The bounds of an ExpiringMap. */
export interface ExpiringMapOptions {
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
