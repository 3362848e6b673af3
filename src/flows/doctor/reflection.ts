import { encodeForm } from '../../http/form.js'
import { mediaType } from '../../http/message.js'
import { requestParameters } from '../../oauth/authorization.js'
import type { NetworkPorts } from '../ports.js'
import type { Publication, Reflection } from './facts.js'
import { honestRequest } from './honest-request.js'
import { reached } from './publication.js'
import type { ServerUnderTest } from './server-under-test.js'

/** A value that ends an attribute and begins a tag, where a page repeats it without escaping. */
export const REFLECTED = 'oauth-lab-mark" oauth-lab-attribute="<oauth-lab-tag>'

/** The beginning of the value as the value of an attribute, with its quotation mark as it was sent. */
const ATTRIBUTE = /="[^"<>]{0,2000}oauth-lab-mark" oauth-lab-attribute="/

/** The longest page that is searched, in characters. */
const MAX_PAGE = 256 * 1024

/** Parameters that pages like to repeat: of a request that is good otherwise, and of one that is not. */
const PARAMETERS = [
  ...['state', 'nonce', 'login_hint', 'scope', 'client_id', 'redirect_uri', 'response_type'],
  ...['error', 'error_description'],
] as const

/** The authorization request of the honest flow, with that value in one of its parameters. */
function changedRequest(
  server: ServerUnderTest,
  { metadata }: Publication,
  parameter: string,
): string | undefined {
  const request = honestRequest(server, metadata, 'oauth-lab')
  if (!request) return undefined
  const value = parameter === 'redirect_uri' ? `${server.redirectUri}?${REFLECTED}` : REFLECTED
  const kept = requestParameters(request).filter(([name]) => name !== parameter)
  const { endpoint } = request
  return `${endpoint}${endpoint.includes('?') ? '&' : '?'}${encodeForm([...kept, [parameter, value]])}`
}

/** The pages that repeat parameters, each asked for once. */
export async function reflections(
  { send, signal }: NetworkPorts,
  server: ServerUnderTest,
  publication: Publication,
): Promise<Reflection[]> {
  const found: Reflection[] = []
  for (const parameter of PARAMETERS) {
    const url = changedRequest(server, publication, parameter)
    if (url === undefined) continue
    const request = {
      method: 'GET',
      url,
      headers: [['accept', 'text/html']],
      body: new Uint8Array(),
    } as const
    const exchange = await reached(send(request, { signal }), signal)
    if (!exchange?.response) break
    found.push({ parameter, exchange })
  }
  return found
}

/** True for a page of HTML that repeats the value as it was sent. */
export function isRaw({ exchange: { response } }: Reflection): boolean {
  if (response === undefined) return false
  const type = mediaType(response)
  if (type !== '' && !/html|xml/.test(type)) return false
  const page = response.body.slice(0, MAX_PAGE)
  return page.includes('<oauth-lab-tag>') || ATTRIBUTE.test(page)
}
