import { readFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'

/** A frame of a logout page that reached the relying party. */
export interface FrameVisit {
  readonly iss: string | null
  readonly sid: string | null
  /** True when the browser sent the session cookie of the relying party along. */
  readonly hadCookie: boolean
}

/** A relying party with pages of its own origin: a callback, an address for frames, and a page with the OP frame. */
export interface LogoutParty {
  readonly origin: string
  readonly callback: string
  readonly frontChannel: string
  readonly loggedOut: string
  /** Returns the address of the page that keeps the OP frame, by the check_session_iframe. */
  watching(frame: string): string
  readonly visits: readonly FrameVisit[]
  /** Takes the certificate and key of a lab. Its address is registered at the lab before these are made. */
  certify(pemFile: string): void
  close(): void
}

/** Asks the OP frame (OpenID Connect Session Management §3.1). The test calls `ask`. */
const ASK = `
let loaded = new Promise(resolve => document.querySelector('iframe').addEventListener('load', resolve))
function ask(message) {
  return new Promise(async resolve => {
    await loaded
    const op = document.querySelector('iframe')
    const answered = ({ origin, source, data }) => {
      if (source !== op.contentWindow || origin !== new URL(op.src).origin) return
      removeEventListener('message', answered)
      clearTimeout(timer)
      resolve(data)
    }
    const timer = setTimeout(() => { removeEventListener('message', answered); resolve('silence') }, 2000)
    addEventListener('message', answered)
    op.contentWindow.postMessage(message, new URL(op.src).origin)
  })
}`

function hasSession({ headers }: IncomingMessage): boolean {
  return headers.cookie?.includes('party=here') ?? false
}

/** Starts a relying party. `localhost` is the site of the lab with another origin, `127.0.0.1` another site. */
export async function startParty(host: 'localhost' | '127.0.0.1'): Promise<LogoutParty> {
  const visits: FrameVisit[] = []
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'https://party')
    response.setHeader('content-type', 'text/html')
    if (pathname === '/frame') {
      visits.push({
        iss: searchParams.get('iss'),
        sid: searchParams.get('sid'),
        hadCookie: hasSession(request),
      })
      response.setHeader('cache-control', 'no-store')
    }
    if (pathname === '/callback') {
      response.setHeader('set-cookie', 'party=here; Path=/; Secure; HttpOnly; SameSite=None')
    }
    const frame = searchParams.get('frame')
    const body = frame === null ? 'The party' : `<iframe src="${frame}"></iframe><script>${ASK}</script>`
    response.end(`<!doctype html><html lang="en"><title>Party</title><link rel="icon" href="data:,">${body}`)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const origin = `https://${host}:${(server.address() as AddressInfo).port}`
  return {
    origin,
    callback: `${origin}/callback`,
    frontChannel: `${origin}/frame`,
    loggedOut: `${origin}/bye`,
    watching: frame => `${origin}/watch?${new URLSearchParams({ frame })}`,
    visits,
    certify: pemFile => {
      const pem = readFileSync(pemFile)
      server.setSecureContext({ key: pem, cert: pem })
    },
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}
