import { mediaType } from '../../protocol/http/message.js'
import type { Reflection } from './facts.js'
import { carried, honestRequest, type RequestChange } from './honest-request.js'
import { reached } from './publication.js'
import type { Examined } from './server-under-test.js'

/** A value that ends an attribute and begins a tag, where a page repeats it without escaping. */
export const REFLECTED = 'oauth-lab-mark" oauth-lab-attribute="<oauth-lab-tag>'

/** The beginning of the value as the value of an attribute, with its quotation mark as it was sent. */
const ATTRIBUTE = /="[^"<>]{0,2000}oauth-lab-mark" oauth-lab-attribute="/

/** The longest page that is searched, in characters. */
const MAX_PAGE = 256 * 1024

/** Parameters that pages like to repeat: of a request that is good otherwise, and of one that is not. */
const CHANGES: readonly (readonly [parameter: string, change: (registered: string) => RequestChange])[] = [
  ['state', () => ({ state: REFLECTED })],
  ['nonce', () => ({ nonce: REFLECTED })],
  ['login_hint', () => ({ extra: [['login_hint', REFLECTED]] })],
  ['scope', () => ({ scope: REFLECTED })],
  ['client_id', () => ({ clientId: REFLECTED })],
  ['redirect_uri', registered => ({ redirectUri: `${registered}?${REFLECTED}` })],
  ['response_type', () => ({ responseType: REFLECTED })],
  ['error', () => ({ extra: [['error', REFLECTED]] })],
  ['error_description', () => ({ extra: [['error_description', REFLECTED]] })],
]

/** The pages that repeat parameters, each asked for once. */
export async function reflections(on: Examined): Promise<Reflection[]> {
  const { send, signal } = on.ports
  const found: Reflection[] = []
  for (const [parameter, change] of CHANGES) {
    const honest = honestRequest(on, change(on.server.redirectUri))
    const way = honest && (await carried(on, honest))
    if (honest === undefined || way === undefined) continue
    // The page that refuses a request may repeat it as well.
    const { url } = 'refused' in way ? honest : way.request
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
