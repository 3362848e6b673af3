// The wire format of Protocol Buffers, as far as it is read here (https://protobuf.dev/programming-guides/encoding).

/** Bytes that are not a protobuf message. The message has the text of the real decoder. */
export class ProtobufError extends Error {
  override name = 'ProtobufError'
}

/** One field on the wire: a number, or bytes whose meaning depends on the type of the field. */
export interface WireField {
  readonly number: number
  readonly value: bigint | Uint8Array
}

const VARINT = 0
const FIXED64 = 1
const BYTES = 2
const GROUP_END = 4
const FIXED32 = 5

const unexpectedEnd = () => new ProtobufError('unexpected EOF')

/**
 * The fields of one message, in their order. Groups, which are deprecated, are refused.
 * @param name of the message, for errors
 * @throws ProtobufError for bytes that end too soon or cannot be decoded
 */
export function* wireFields(bytes: Uint8Array, name: string): Generator<WireField> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let at = 0

  function varint(): bigint {
    let value = 0n
    for (let shift = 0n; shift < 64n; shift += 7n) {
      const byte = bytes[at++]
      if (byte === undefined) throw unexpectedEnd()
      value |= BigInt(byte & 0x7f) << shift
      if (byte < 0x80) return value
    }
    throw new ProtobufError('proto: integer overflow')
  }

  function take(length: number): number {
    if (length > bytes.length - at) throw unexpectedEnd()
    at += length
    return at - length
  }

  while (at < bytes.length) {
    const tag = varint()
    const number = Number(BigInt.asIntN(32, tag >> 3n))
    const type = Number(tag & 7n)
    if (type === GROUP_END) throw new ProtobufError(`proto: ${name}: wiretype end group for non-group`)
    if (number <= 0) throw new ProtobufError(`proto: ${name}: illegal tag ${number} (wire type ${type})`)
    if (type === VARINT) yield { number, value: varint() }
    else if (type === FIXED64) yield { number, value: view.getBigUint64(take(8), true) }
    else if (type === FIXED32) yield { number, value: BigInt(view.getUint32(take(4), true)) }
    else if (type === BYTES) {
      const length = varint()
      if (length > BigInt(bytes.length)) throw unexpectedEnd()
      const start = take(Number(length))
      yield { number, value: bytes.subarray(start, at) }
    } else throw new ProtobufError(`proto: illegal wireType ${type}`)
  }
}
