import { gunzipSync } from 'node:zlib'
import { type HttpResponse, header, headerValues } from '../../src/protocol/http/message.js'
import type { FuzzRequest } from './requests.js'

const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/

/**
 * True for a 5xx of the real kube-apiserver, which the cluster repeats: 500 for an impersonated group without a user, and 504 for
 * a resourceVersion of the future. A failure of the cluster itself also publishes `server.failed`.
 */
const isReal = ({ site, headers, target }: FuzzRequest, status: number): boolean =>
  site === 'cluster' &&
  ((status === 500 && headers.some(([name]) => name.startsWith('Impersonate-'))) ||
    (status === 504 && target.includes('resourceVersion')))

/** Returns the fault of an answer to a request. Undefined for an answer that a server may give to anything. */
export function faultOf(
  request: FuzzRequest,
  answer: Pick<HttpResponse, 'status' | 'headers' | 'body'>,
): string | undefined {
  const { status, headers, body } = answer
  if (status >= 500 && !isReal(request, status)) return `status ${status}`
  if (!Number.isInteger(status) || status < 200) return `status ${status} is no final one`
  const bad = headers.find(([name, value]) => !NAME.test(name) || !VALUE.test(value))
  if (bad) return `the field ${JSON.stringify(bad)} is not legal`
  for (const single of ['content-type', 'content-length', 'location', 'content-encoding']) {
    if (headerValues(answer, single).length > 1) return `${single} comes twice`
  }
  const type = header(answer, 'content-type') ?? ''
  const coding = header(answer, 'content-encoding')
  if (request.method === 'HEAD' || body.length === 0 || (coding !== undefined && coding !== 'gzip'))
    return undefined
  if (!/^application\/json\b/.test(type)) return undefined
  try {
    JSON.parse(Buffer.from(coding === 'gzip' ? gunzipSync(body) : body).toString())
    return undefined
  } catch {
    return `a body that is no JSON comes as ${type}`
  }
}
