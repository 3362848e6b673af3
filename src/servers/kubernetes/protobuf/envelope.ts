import { decodeMessage } from './decode-message.js'
import type { MessageType } from './model.js'
import { ProtobufError } from './wire.js'

/** The first bytes of every protobuf body of Kubernetes: `k8s` and a zero byte. */
const PREFIX = [0x6b, 0x38, 0x73, 0x00]

/** The wrapper around an object (runtime.Unknown): its apiVersion, its kind and its bytes. */
export interface Envelope {
  readonly apiVersion: string
  readonly kind: string
  readonly raw: Uint8Array
}

const typeMeta: MessageType = {
  name: 'TypeMeta',
  fields: { 1: ['apiVersion', 'string'], 2: ['kind', 'string'] },
}

/**
 * Opens the wrapper of a protobuf body. The object in it stays encoded, because decoding needs its kind.
 * @throws ProtobufError
 */
export function openEnvelope(body: Uint8Array): Envelope {
  if (body.length === 0) throw new ProtobufError('empty data')
  if (PREFIX.some((byte, i) => body[i] !== byte)) {
    throw new ProtobufError(
      `provided data does not appear to be a protobuf message, expected prefix [${PREFIX.join(' ')}]`,
    )
  }
  if (body.length === PREFIX.length) throw new ProtobufError('empty body')
  const unknown = decodeMessage(
    { name: 'Unknown', fields: { 1: ['typeMeta', typeMeta], 2: ['raw', 'bytes'] } },
    body.subarray(PREFIX.length),
  ) as { typeMeta?: { apiVersion?: string; kind?: string }; raw?: Uint8Array }
  const { apiVersion = '', kind = '' } = unknown.typeMeta ?? {}
  return { apiVersion, kind, raw: unknown.raw ?? new Uint8Array() }
}
