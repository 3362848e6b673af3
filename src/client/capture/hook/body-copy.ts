import { MAX_BODY, type WireBody } from '../wire.js'

/** Media types of bodies that are copied: messages of OAuth and SAML have one of them. */
const COPIED = /json|x-www-form-urlencoded|jwt|xml|text\/plain/i

/** The copy of a body, made chunk by chunk while the program sends or reads it. */
export interface BodyCopy {
  /** Adds a chunk of whatever the program wrote. Chunks of other kinds than text and bytes are counted as nothing. */
  readonly add: (chunk: unknown, encoding?: unknown) => void
  readonly end: () => WireBody
  /** The copy, once the media type is known: of a type that is not copied the size is left. */
  readonly typed: (type: string | undefined) => BodyCopy
}

function bytesOf(chunk: unknown, encoding: unknown): Uint8Array | undefined {
  if (chunk instanceof Uint8Array) return chunk
  if (typeof chunk !== 'string') return undefined
  const known = typeof encoding === 'string' && Buffer.isEncoding(encoding)
  return Buffer.from(chunk, known ? encoding : 'utf8')
}

const isCopied = (type: string | undefined): boolean => type === undefined || COPIED.test(type)

/**
 * Creates a copy with a bound. A body beyond the bound is counted, and not kept.
 * @param limit most bytes that are kept; zero counts alone
 */
export function createBodyCopy(limit = MAX_BODY): BodyCopy {
  let size = 0
  let bound = limit
  let parts: Uint8Array[] = []
  const copy: BodyCopy = {
    add(chunk, encoding) {
      const bytes = bytesOf(chunk, encoding)
      if (bytes === undefined) return
      size += bytes.length
      // The program may use its buffer again.
      if (size <= bound) parts.push(Uint8Array.from(bytes))
      else parts = []
    },
    end: () => (size > bound ? { size } : { size, copy: Buffer.concat(parts).toString('base64') }),
    typed(type) {
      if (!isCopied(type)) [bound, parts] = [0, []]
      return copy
    },
  }
  return copy
}

/** Creates the copy of a body of this media type; one without a type is copied. */
export const bodyCopyFor = (type: string | undefined): BodyCopy =>
  createBodyCopy(isCopied(type) ? MAX_BODY : 0)
