/**
 * A map with bounds that the owners of its entries share: an owner may hold as much as is still free. So no owner fills the
 * map, and there is room for a new one. An owner without room loses its own oldest entries, or gets no new ones.
 */
interface BoundedMap<Value> {
  get(key: string): Value | undefined
  /** Returns the values, those that were added first first. */
  values(): readonly Value[]
  /** Returns false when there was no such entry. */
  delete(key: string): boolean
  readonly size: number
}

/** A map that keeps every entry until its own end. It refuses new entries of an owner that has no room. */
interface KeptMap<Value> extends BoundedMap<Value> {
  /**
   * Adds or replaces an entry.
   * @param until end of the entry, in milliseconds since the epoch
   * @returns false when the owner has no room. An entry that is replaced by one that is not larger always fits.
   */
  set(key: string, value: Value, owner: string, until: number): boolean
}

/**
 * A map that keeps an entry for at least `lifetime`, unless its owner has no room for newer ones. The reader of a value
 * decides if it is still valid: dropping only saves memory.
 */
export interface ExpiringMap<Value> extends BoundedMap<Value> {
  set(key: string, value: Value, owner: string): void
}

/** The bounds of a map. All owners together hold at most twice as much. */
interface Bounds {
  /** Most entries of an owner, which it may have while the others have none. */
  readonly limit: number
  /** Most bytes of their keys and values, as `heldBytes` estimates them. */
  readonly maxBytes: number
  /** Milliseconds since the epoch. */
  readonly now: () => number
}

interface Entry<Value> {
  readonly key: string
  value: Value | undefined
  readonly owner: string
  readonly until: number
  readonly bytes: number
}

/** The entries of an owner. */
interface Holding<Value> {
  bytes: number
  count: number
  readonly byAge: ByAge<Value>
}

/** Entries, the oldest first. Those that left the map stay until they are as many as the others. */
interface ByAge<Value> {
  add(entry: Entry<Value>, present: number): void
  oldest(): Entry<Value> | undefined
}

/** Time between two sweeps of a full map, in milliseconds. */
const SWEEP_PAUSE = 1000

/** Smallest number of entries that is worth a sweep. */
const SWEEP_SIZE = 1024

/** Every operation costs a constant share. Taking the first key of a Map would not: V8 walks over the holes of deleted ones. */
function createByAge<Value>(isPresent: (entry: Entry<Value>) => boolean): ByAge<Value> {
  let entries: Entry<Value>[] = []
  let first = 0
  return {
    add(entry, present) {
      if (entries.length >= 2 * present + 16) {
        entries = entries.filter(isPresent)
        first = 0
      }
      entries.push(entry)
    },
    oldest() {
      while (first < entries.length && !isPresent(entries[first]!)) first++
      return entries[first]
    },
  }
}

/**
 * Makes the map behind both kinds. It drops ended entries when it has doubled since the last sweep, and when an owner has
 * no room, but then once a second at most.
 * @param forgets true for a map that drops the oldest entries of an owner that has no room
 */
function createBoundedMap<Value>(
  { limit, maxBytes, now }: Bounds,
  forgets: boolean,
): BoundedMap<Value> & Pick<KeptMap<Value>, 'set'> {
  const entries = new Map<string, Entry<Value>>()
  const holdings = new Map<string, Holding<Value>>()
  const isPresent = (entry: Entry<Value>) => entries.get(entry.key) === entry
  const byAge = createByAge(isPresent)
  // Small entries count as an equal part of the bytes, so that one sum bounds their number too.
  const least = Math.ceil(maxBytes / limit)
  const room = 2 * least * limit
  let bytes = 0
  let sweepSize = Math.min(limit, SWEEP_SIZE)
  let sweptAt = Number.NEGATIVE_INFINITY

  function release({ owner, bytes: freed }: Entry<Value>): void {
    const holding = holdings.get(owner)!
    holding.bytes -= freed
    holding.count--
    bytes -= freed
    if (holding.count === 0) holdings.delete(owner)
  }

  function remove(entry: Entry<Value>): void {
    release(entry)
    entries.delete(entry.key)
    // The queues keep the entry for a while, but not its value.
    entry.value = undefined
  }

  function sweep(at: number): void {
    for (const entry of entries.values()) if (entry.until <= at) remove(entry)
    sweepSize = Math.min(limit, Math.max(SWEEP_SIZE, 2 * entries.size))
    sweptAt = at
  }

  return {
    get: key => entries.get(key)?.value,
    values: () => Array.from(entries.values(), ({ value }) => value as Value),
    delete(key) {
      const entry = entries.get(key)
      if (entry !== undefined) remove(entry)
      return entry !== undefined
    },
    set(key, value, owner, until) {
      const at = now()
      const size = Math.max(least, heldBytes(key) + heldBytes(value))
      /** True when the owner holds no more than what is free then. */
      const fits = () => {
        const former = entries.get(key)
        const own = (holdings.get(owner)?.bytes ?? 0) - (former?.owner === owner ? former.bytes : 0)
        return size <= (former?.bytes ?? 0) || own + bytes - (former?.bytes ?? 0) + 2 * size <= room
      }
      const due = entries.size >= sweepSize || !fits()
      if (due && Math.abs(at - sweptAt) >= SWEEP_PAUSE) sweep(at)
      while (!fits()) {
        if (!forgets) return false
        // Only more owners than entries of one owner can fill the map. Then the oldest entry of all goes.
        const oldest =
          holdings.get(owner)?.byAge.oldest() ?? (bytes + size > room ? byAge.oldest() : undefined)
        if (oldest === undefined) break
        remove(oldest)
      }
      const former = entries.get(key)
      if (former !== undefined) {
        release(former)
        former.value = undefined
      }
      const holding = holdings.get(owner) ?? { bytes: 0, count: 0, byAge: createByAge(isPresent) }
      const entry = { key, value, owner, until, bytes: size }
      holdings.set(owner, holding)
      holding.bytes += size
      holding.count++
      bytes += size
      entries.set(key, entry)
      holding.byAge.add(entry, holding.count)
      byAge.add(entry, entries.size)
      return true
    },
    get size() {
      return entries.size
    },
  }
}

export function createKeptMap<Value>(bounds: Bounds): KeptMap<Value> {
  return createBoundedMap(bounds, false)
}

/** @param options.lifetime shortest time that an entry stays, in milliseconds */
export function createExpiringMap<Value>(
  options: Bounds & { readonly lifetime: number },
): ExpiringMap<Value> {
  const { lifetime, now } = options
  const map = createBoundedMap<Value>(options, true)
  return {
    ...map,
    set(key, value, owner) {
      map.set(key, value, owner, now() + lifetime)
    },
    get size() {
      return map.size
    },
  }
}

/** Returns the name of an owner that several names stand for, such as a client and a user. */
export function ownerOf(...names: readonly string[]): string {
  return JSON.stringify(names)
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
