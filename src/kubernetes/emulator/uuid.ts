import { createHash } from 'node:crypto'

function written(bytes: Uint8Array, version: number): string {
  const hex = Buffer.from(bytes.subarray(0, 16))
  hex[6] = (hex[6]! & 0x0f) | (version << 4)
  hex[8] = (hex[8]! & 0x3f) | 0x80
  return hex.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

/** A random UUID (RFC 9562 §5.4). */
export function randomUuid(random: (length: number) => Uint8Array): string {
  return written(random(16), 4)
}

/** A UUID that is the same for the same name (RFC 9562 §5.8). */
export function namedUuid(name: string): string {
  return written(createHash('sha256').update(name).digest(), 8)
}
