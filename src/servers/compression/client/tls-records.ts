/** Bytes of a record's header: type, version, length (RFC 8446 §5.1). */
const HEADER = 5
const APPLICATION_DATA = 23
/** Bytes that TLS 1.3 adds to the content of a record: header, inner type, tag (RFC 8446 §5.2). */
const ADDED = HEADER + 1 + 16
/** Bytes of an alert, such as close_notify (RFC 8446 §6). */
const ALERT = 2
/** Most records before the answer that are kept apart. Servers send two tickets. */
const MAX_LEADING = 32

/** The received bytes that are no part of the answer, or of its head, body and framing. */
export interface RecordBytes {
  /** Headers, types and tags of the records that carry the answer. */
  readonly overhead: number
  /** Whole records before the answer: session tickets. */
  readonly tickets: number
}

/** Counts the records that a client receives over one TLS connection. */
export interface RecordCounter {
  /** Reads received bytes, in pieces of any size. */
  feed(chunk: Uint8Array): void
  /** Forgets the records so far: those of the handshake. */
  restart(): void
  /**
   * Returns the bytes that TLS added to an answer. Returns undefined when the records do not show them, because a server
   * padded its records or sent tickets in the middle of the answer.
   * @param protocol as `getProtocol()` of Node.js returns it
   * @param answer bytes of the answer before TLS
   */
  bytesFor(protocol: string, answer: number): RecordBytes | undefined
}

/**
 * Makes a counter. TLS 1.3 hides the type of a record (§5.2). Tickets come before the answer (§4.6.1), so the records of the
 * answer are the last ones whose content is as long as the answer.
 */
export function createRecordCounter(): RecordCounter {
  let header: number[] = []
  /** Bytes of the current record that are still to come. */
  let left = 0
  let wire = 0
  let count = 0
  let last = 0
  let leading: number[] = []

  function began(): void {
    const length = header[3]! * 256 + header[4]!
    left = length
    if (header[0] === APPLICATION_DATA) {
      last = HEADER + length
      wire += last
      count += 1
      if (leading.length < MAX_LEADING) leading.push(last)
    }
    header = []
  }

  function inTls13(answer: number, records: number, bytes: number): RecordBytes | undefined {
    let excess = bytes - ADDED * records - answer
    let tickets = 0
    for (const [before, record] of [...leading, 0].entries()) {
      if (excess === 0) return { overhead: ADDED * (records - before), tickets }
      excess -= record - ADDED
      tickets += record
      if (excess < 0) return undefined
    }
    return undefined
  }

  return {
    feed(chunk) {
      let at = 0
      while (at < chunk.length) {
        if (left > 0) {
          const part = Math.min(left, chunk.length - at)
          left -= part
          at += part
        } else {
          header.push(chunk[at]!)
          at += 1
          if (header.length === HEADER) began()
        }
      }
    },
    restart() {
      wire = 0
      count = 0
      leading = []
    },
    bytesFor(protocol, answer) {
      if (protocol !== 'TLSv1.3') return { overhead: wire - answer, tickets: 0 }
      const whole = inTls13(answer, count, wire)
      // The connection may have ended with an alert.
      return whole ?? (last === ADDED + ALERT ? inTls13(answer, count - 1, wire - last) : undefined)
    },
  }
}
