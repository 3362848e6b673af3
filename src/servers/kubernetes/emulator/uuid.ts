import { createHash } from 'node:crypto'

/** A UUID of version 4 (RFC 9562 §5.4), the form of all uids and token ids of a cluster. */
function written(bytes: Uint8Array): string {
  const sixteen = Buffer.from(bytes.subarray(0, 16))
  sixteen[6] = (sixteen[6]! & 0x0f) | 0x40
  sixteen[8] = (sixteen[8]! & 0x3f) | 0x80
  return sixteen.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

/** A random UUID. */
export function randomUuid(random: (length: number) => Uint8Array): string {
  return written(random(16))
}

/** A UUID that is the same for the same name. */
export function namedUuid(name: string): string {
  return written(createHash('sha256').update(name).digest())
}
