import { decodeBody } from '../../client/content-coding.js'
import { measure } from '../../compression/client/measure.js'
import { TransportError, UsageError } from '../../errors.js'
import { header } from '../../http/message.js'
import { getLines } from '../../render/compression/get-lines.js'
import { hexLines } from '../../render/compression/hex-lines.js'
import type { GetFlags } from '../compress.js'
import type { Globals } from '../globals.js'
import { print, printJson } from '../output.js'
import { upstreamInUse } from './upstream.js'

/** Most bytes of a body after decoding. */
const MAX_DECODED = 64 * 1024 * 1024

// RFC 9110 §5.5: what a field value may hold. Anything else would end the header, or the request.
const FIELD_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/

/**
 * Asks once and shows where the bytes went.
 * @throws UsageError, TransportError, TimeoutError
 */
export async function runGet(target: string, flags: GetFlags, globals: Globals): Promise<void> {
  const { offer, head, hex } = flags
  if (offer !== undefined && !FIELD_VALUE.test(offer)) {
    throw new UsageError('--offer holds characters that no header can carry (RFC 9110 §5.5)')
  }
  const lab = await upstreamInUse(target, globals)
  try {
    const method = head ? 'HEAD' : 'GET'
    const answer = await measure(
      { method, url: lab.url, headers: offer === undefined ? [] : [['Accept-Encoding', offer]] },
      { timeoutMs: globals.timeoutMs, ...(lab.caPem !== undefined && { caPem: lab.caPem }) },
    )
    const decoded = decodedLength(answer, lab.url)
    const result = {
      ...{ method, url: lab.url, offer: offer ?? null, status: answer.status },
      contentEncoding: header(answer, 'content-encoding') ?? null,
      vary: header(answer, 'vary') ?? null,
      headers: answer.headers,
      bytes: {
        ...{ decoded, coded: answer.bytes.body, framing: answer.bytes.framing, head: answer.bytes.head },
        ...(answer.tls && { tls: answer.tls.overhead, handshake: answer.tls.handshake }),
      },
      ms: answer.ms,
    }
    if (globals.json) return printJson(result)
    print(...getLines(result), ...(hex ? ['', ...hexLines(answer.body, result.contentEncoding)] : []))
  } finally {
    await lab.stop()
  }
}

/** Bytes of the body once its coding is undone. @throws TransportError where it is not what it says */
function decodedLength(answer: Parameters<typeof header>[0] & { body: Uint8Array }, url: string): number {
  try {
    return decodeBody(answer.headers, answer.body, MAX_DECODED).length
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new TransportError(`the body of ${new URL(url).origin} ${reason} (EBADMSG)`, 'EBADMSG')
  }
}
