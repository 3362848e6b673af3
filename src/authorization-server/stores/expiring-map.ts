/**
 * A map that forgets. An entry is kept for at least `lifetime` unless more than half of `limit` newer ones came
 * after it, and at most for twice as long as entries keep coming. Whether a value is still good is for its reader
 * to say: forgetting only tidies up.
 */
export interface ExpiringMap<Value> {
  get(key: string): Value | undefined
  set(key: string, value: Value): void
  readonly size: number
}

/** The bounds of an ExpiringMap. */
export interface ExpiringMapOptions {
  /** Milliseconds. */
  readonly lifetime: number
  /** Entries. */
  readonly limit: number
  readonly now: () => number
}

/**
 * Two generations: the older is dropped whole, when the younger is full or has lived its time. No entry is ever
 * searched for, so every operation is O(1); taking the oldest key of one big Map is not, since V8 walks over the
 * holes that earlier deletions left.
 */
export function createExpiringMap<Value>(options: ExpiringMapOptions): ExpiringMap<Value> {
  const { lifetime, limit, now } = options
  let older = new Map<string, Value>()
  let younger = new Map<string, Value>()
  let since = now()
  const turn = (at: number) => {
    older = at - since >= 2 * lifetime ? new Map() : younger
    younger = new Map()
    since = at
  }
  return {
    get: key => younger.get(key) ?? older.get(key),
    set(key, value) {
      const at = now()
      const full = younger.size >= limit / 2 && !younger.has(key)
      if (full || at - since >= lifetime) turn(at)
      older.delete(key)
      younger.set(key, value)
    },
    get size() {
      return younger.size + older.size
    },
  }
}
