import { createHeadlessVerifier } from '../../../src/client/device-headless.js'
import { createHeadlessAgent } from '../../../src/client/headless.js'
import { examine } from '../../../src/judge/doctor/examine.js'
import type { Finding } from '../../../src/judge/doctor/finding.js'
import type { DoctorPorts } from '../../../src/judge/doctor/ports.js'
import type { ServerUnderTest } from '../../../src/judge/doctor/server-under-test.js'
import type { Exchange, Send } from '../../../src/protocol/http/exchange.js'
import type { HttpRequest, HttpResponse } from '../../../src/protocol/http/message.js'
import { splitUrl } from '../../../src/protocol/http/message.js'
import { countedRandom, login, NOW, recorded } from '../../flows/support/network.js'

/** A server that never was started: a function. */
export type Answer = (request: HttpRequest, path: string) => HttpResponse | Promise<HttpResponse>

/** An exchange with such a server. */
export async function exchanged(request: HttpRequest, answer: Answer): Promise<Exchange> {
  return recorded(request, await answer(request, splitUrl(request.url).path))
}

/** Ports of an examination whose requests go to `send`. */
export function portsTo(send: Send, credentials?: [string, string]): DoctorPorts {
  return {
    send,
    now: () => NOW,
    random: countedRandom(),
    signal: new AbortController().signal,
    agentWith: through =>
      createHeadlessAgent({ send: through, askLogin: credentials ? login(credentials) : login() }),
    verifierWith: through =>
      createHeadlessVerifier({ send: through, askLogin: credentials ? login(credentials) : login() }),
    wait: async () => {},
  }
}

/** A server of which only the address is known. */
export function stranger(issuer: string, more: Partial<ServerUnderTest> = {}): ServerUnderTest {
  return {
    issuer,
    client: { clientId: 'oauth-lab', auth: 'none' },
    redirectUri: 'http://127.0.0.1/callback',
    ...more,
  }
}

/** All findings about a server. */
export async function report(
  ports: DoctorPorts,
  server: ServerUnderTest,
  enough = new AbortController().signal,
): Promise<Finding[]> {
  const found: Finding[] = []
  for await (const finding of examine(ports, server, enough)) found.push(finding)
  return found
}

/** The findings of broken rules, whatever their weight, by name. */
export function problems(found: readonly Finding[]): string[] {
  const broken: readonly Finding['result'][] = ['fault', 'weakness', 'remark']
  return found.filter(({ result }) => broken.includes(result)).map(({ name }) => name)
}

/** The findings of a kind, by name. */
export function names(found: readonly Finding[], result: Finding['result']): string[] {
  return found.filter(each => each.result === result).map(({ name }) => name)
}
