import type { Exchange } from '../../protocol/http/exchange.js'
import { headerValues } from '../../protocol/http/message.js'
import { parseLoopback } from '../../protocol/oauth/redirect-uri.js'
import { isPublic } from '../tamper/situation.js'
import type { HonestFlow } from './facts.js'
import { honestRequest } from './honest-request.js'
import { reached } from './publication.js'
import type { Examined, ServerUnderTest } from './server-under-test.js'

/** Another public client, or else the client itself at another port, where any program may listen (RFC 8252 §8.6). */
function strangerOf({ client, publicClient, redirectUri }: ServerUnderTest) {
  if (publicClient !== undefined && publicClient.clientId !== client.clientId) {
    return { clientId: publicClient.clientId, redirectUri }
  }
  const loopback = parseLoopback(redirectUri)
  if (!isPublic(client) || loopback === undefined) return undefined
  const port = loopback.port === 49_152 ? 49_153 : 49_152
  return { clientId: client.clientId, redirectUri: `${loopback.base}:${port}${loopback.rest}` }
}

/** The cookies that a browser has after a flow, as the value of a Cookie header. Later values replace earlier ones. */
export function cookiesAfter({ steps }: HonestFlow, endpoint: string): string {
  const { origin } = new URL(endpoint)
  const jar = new Map<string, string>()
  for (const { name, exchange } of steps) {
    if (name !== 'login_form' && name !== 'login') continue
    if (!exchange?.response || new URL(exchange.request.url).origin !== origin) continue
    for (const line of headerValues(exchange.response, 'set-cookie')) {
      const [, cookie = '', value = ''] = /^([^=;]+)=([^;]*)/.exec(line) ?? []
      if (cookie !== '') jar.set(cookie.trim(), value.trim())
    }
  }
  return [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
}

/**
 * Asks for a code with the cookies of the honest flow, as a public client that the person never allowed, without a page
 * (`prompt=none`). Returns undefined where there is no login, no such client, or no answer.
 */
export async function askInSession(on: Examined, flow: HonestFlow): Promise<Exchange | undefined> {
  const { server, metadata } = on
  const endpoint = metadata.authorization_endpoint
  const stranger = strangerOf(server)
  const loggedIn = flow.steps.some(({ name }) => name === 'login')
  if (endpoint === undefined || stranger === undefined || !loggedIn) return undefined
  const cookie = cookiesAfter(flow, endpoint)
  if (cookie === '') return undefined
  const { url } = honestRequest(on, { ...stranger, extra: [['prompt', 'none']] }, server.publicClient)!
  const { send, signal } = on.ports
  const headers = [['cookie', cookie] as const]
  return reached(send({ method: 'GET', url, headers, body: new Uint8Array() }, { signal }), signal)
}
