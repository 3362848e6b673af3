import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'

const html = '<!doctype html><html lang="en"><title>Application</title><link rel="icon" href="data:,">'
const types: Readonly<Record<string, string>> = {
  '/page.js': 'text/javascript',
  '/pixel.svg': 'image/svg+xml',
  '/api': 'application/json',
}
const bodies: Readonly<Record<string, string>> = {
  '/page.js': readFileSync(join(import.meta.dirname, 'page.js'), 'utf8'),
  '/pixel.svg': '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>',
  '/api': '{}',
}

/** The application of page.js, served. */
export interface Application {
  readonly origin: string
  /** Another origin, where the page gets a picture from. Browsers shorten the Referer for another site, but not for another port. */
  readonly pictures: string
  close(): void
}

/** Serves the application on the loopback, where a browser needs no TLS for its cryptography. */
export async function serveApplication(): Promise<Application> {
  const answer = ({ url = '/' }: IncomingMessage, response: ServerResponse) => {
    const { pathname } = new URL(url, 'http://localhost')
    response.setHeader('content-type', types[pathname] ?? 'text/html')
    response.end(bodies[pathname] ?? `${html}<script type="module" src="/page.js"></script>`)
  }
  const servers = [createServer(answer), createServer(answer)] as const
  const originOf = async (server: Server): Promise<string> => {
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }
  return {
    origin: await originOf(servers[0]),
    pictures: await originOf(servers[1]),
    close() {
      for (const server of servers) {
        server.closeAllConnections()
        server.close()
      }
    },
  }
}
