import { readFileSync } from 'node:fs'
import { type IncomingMessage, request as send } from 'node:http'
import { createServer, request as sendSecurely } from 'node:https'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

/** An answer on its way to the browser. */
export interface Answer {
  /** The path of its request. */
  readonly path: string
  status: number
  /** Lower-case names. A name stands as often as the server sent it. */
  headers: [string, string][]
  body: Buffer
}

/** Changes an answer on its way. `drop`: the connection ends without it. */
export type Change = (answer: Answer) => 'drop' | undefined

/** A reverse proxy that ends TLS for a server, and makes mistakes between it and the browser. */
export interface Relay {
  /** The public address of the server behind it. */
  readonly url: string
  /** Forwards to a server. @param ca the certificate authority of an https address */
  forwardTo(target: string, ca?: string): void
  /** Changes every answer from now on. */
  change(change: Change): void
  close(): void
}

/** Starts a relay. @param pem the file of a certificate for localhost and its key */
export async function startRelay(pem: string): Promise<Relay> {
  const identity = readFileSync(pem)
  let target = new URL('http://127.0.0.1')
  let ca: string | undefined
  let change: Change = () => undefined

  function ask(request: IncomingMessage, body: Buffer): Promise<IncomingMessage> {
    const { 'accept-encoding': _, ...headers } = request.headers
    const { port } = target
    const more = { 'x-forwarded-proto': 'https', 'x-forwarded-host': request.headers.host ?? '' }
    const how = { port, method: request.method, path: request.url, headers: { ...headers, ...more } }
    return new Promise((resolve, reject) => {
      const asked =
        target.protocol === 'https:'
          ? sendSecurely({ ...how, host: 'localhost', ...(ca && { ca }) }, resolve)
          : send({ ...how, host: '127.0.0.1' }, resolve)
      asked.on('error', reject).end(body)
    })
  }

  const server = createServer({ cert: identity, key: identity }, async (request, response) => {
    try {
      const answered = await ask(request, await buffer(request))
      const headers: [string, string][] = []
      for (let i = 0; i < answered.rawHeaders.length; i += 2) {
        const name = (answered.rawHeaders[i] ?? '').toLowerCase()
        // Written again for the body that leaves.
        if (/^(content-length|transfer-encoding|connection|keep-alive)$/.test(name)) continue
        headers.push([name, answered.rawHeaders[i + 1] ?? ''])
      }
      const path = (request.url ?? '').replace(/\?.*/s, '')
      const answer = { path, status: answered.statusCode ?? 0, headers, body: await buffer(answered) }
      if (change(answer) === 'drop') response.destroy()
      else response.writeHead(answer.status, answer.headers.flat()).end(answer.body)
    } catch {
      response.destroy()
    }
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `https://localhost:${(server.address() as AddressInfo).port}`,
    forwardTo: (url, authority) => {
      target = new URL(url)
      ca = authority
    },
    change: next => {
      change = next
    },
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
