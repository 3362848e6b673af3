import { decodeBody } from '../../../../src/client/content-coding.js'
import { type HttpRequest, type HttpResponse, header } from '../../../../src/protocol/http/message.js'
import type { Ask, Asked, Weighed } from '../../../../src/servers/compression/client/ask.js'

/** A request of a study. */
export type SentRequest = { readonly url: string } & Asked

/** An answer as `weigh` returns it: 100 letters, 50 bytes of head, and 22 bytes of TLS. */
export function weighed(more: Partial<Weighed> = {}): Weighed {
  const body = Buffer.from('a'.repeat(100))
  return {
    status: 200,
    httpVersion: '1.1',
    contentEncoding: null,
    vary: null,
    headers: [],
    body,
    content: body,
    bytes: { decoded: 100, coded: 100, framing: 5, head: 50, tls: 22 },
    ms: 1.5,
    ...more,
  }
}

/** Asks a server without a socket. The requests are appended to `sent`. */
export function askOf(
  answer: (request: HttpRequest) => Promise<HttpResponse>,
  sent: SentRequest[] = [],
): Ask {
  return async (url, asked) => {
    sent.push({ url, ...asked })
    const { method = 'GET', offer, headers = [] } = asked
    const offered = offer === null ? [] : [['Accept-Encoding', offer] as const]
    const came = await answer({ method, url, headers: [...offered, ...headers], body: new Uint8Array() })
    const pieces: Uint8Array[] = []
    for await (const piece of came.stream ?? [came.body]) pieces.push(piece)
    const body = method === 'HEAD' ? new Uint8Array() : Buffer.concat(pieces)
    const content = decodeBody(came.headers, body, 100_000_000)
    return weighed({
      status: came.status,
      headers: came.headers,
      contentEncoding: header(came, 'content-encoding') ?? null,
      vary: header(came, 'vary') ?? null,
      body,
      content,
      bytes: { decoded: content.length, coded: body.length, framing: 0, head: 50 },
    })
  }
}
