import { Readable } from 'node:stream'
import type { HttpRequest, HttpResponse } from '../../../../src/protocol/http/message.js'
import type { ProxySettings } from '../../../../src/servers/compression/proxy/modes.js'
import { type Plan, planAnswer, recoder } from '../../../../src/servers/compression/proxy/proxy.js'

/** The answer of the proxy with its whole body, from the whole answer of an upstream. */
export async function proxyAnswer(
  settings: ProxySettings,
  request: HttpRequest,
  upstream: HttpResponse,
): Promise<Pick<Plan, 'did' | 'why'> & { answer: HttpResponse }> {
  const plan = planAnswer(settings, request, upstream)
  const { headers, did, why } = plan
  const through = recoder(plan, request, upstream)
  const answer = { status: upstream.status, headers, body: upstream.body }
  if (through === undefined) return { answer, did, why }
  const pieces: Buffer[] = []
  // One write, as the body comes from a server of these sizes.
  for await (const piece of Readable.from([Buffer.from(upstream.body)]).pipe(through)) pieces.push(piece)
  return { answer: { ...answer, body: Buffer.concat(pieces) }, did, why }
}
