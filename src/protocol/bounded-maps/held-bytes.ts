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
