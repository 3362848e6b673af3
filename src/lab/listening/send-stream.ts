import { once } from 'node:events'
import type { ServerResponse } from 'node:http'

/**
 * Writes a stream as its bytes come, at the pace of the client, until the stream ends, the client leaves or the listener stops.
 * @param sent called with the number of bytes of each write
 */
export async function sendStream(
  response: ServerResponse,
  stream: AsyncIterable<Uint8Array>,
  stopping: AbortSignal,
  sent: (bytes: number) => void,
): Promise<void> {
  const chunks = stream[Symbol.asyncIterator]()
  const leave = () => void chunks.return?.()
  response.once('close', leave)
  stopping.addEventListener('abort', leave, { once: true })
  if (response.destroyed || stopping.aborted) leave()
  // A stream may be silent for longer than a connection may be idle.
  response.setTimeout(0)
  response.flushHeaders()
  try {
    for (;;) {
      const { done, value } = await chunks.next()
      if (done || response.destroyed) break
      sent(value.length)
      if (!response.write(value) && !response.destroyed) await writable(response)
    }
    response.end()
  } finally {
    response.off('close', leave)
    stopping.removeEventListener('abort', leave)
    leave()
  }
}

/** Waits until a response takes more bytes, or its client has left. */
async function writable(response: ServerResponse): Promise<void> {
  const left = new AbortController()
  const { signal } = left
  await Promise.race([once(response, 'drain', { signal }), once(response, 'close', { signal })]).finally(() =>
    left.abort(),
  )
}
