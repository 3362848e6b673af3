import type { Send } from '../../protocol/http/exchange.js'

/** Asks a server of the lab, whose CA it trusts, or any other. Redirects are handed back and not followed. */
export type LabFetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>

/** Answers that have no body (Fetch Standard, null body status). */
const bodiless = new Set([204, 205, 304])

/** `fetch` over the transport of the lab's own clients. */
export function labFetch(sendOf: () => Promise<Send>): LabFetch {
  return async (input, init) => {
    const request = new Request(input, init)
    const send = await sendOf()
    const { response } = await send(
      {
        method: request.method,
        url: request.url,
        headers: [...request.headers],
        body: new Uint8Array(await request.arrayBuffer()),
      },
      { signal: request.signal },
    )
    if (response === undefined) throw new TypeError('no answer')
    const { status, headers, body } = response
    const received = new Headers()
    // The body is decoded already.
    const stale = /^(content-encoding|content-length|transfer-encoding)$/i
    for (const [name, value] of headers) if (!stale.test(name)) received.append(name, value)
    return new Response(bodiless.has(status) ? null : body, { status, headers: received })
  }
}
