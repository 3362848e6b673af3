import { UserError } from '../../../protocol/errors.js'
import { isUrl } from '../../../protocol/http/address.js'
import type { Send } from '../../../protocol/http/exchange.js'
import { header } from '../../../protocol/http/message.js'
import { isJsonObject, withoutEnd } from '../../../protocol/values.js'
import { USER_AGENT } from './requests.js'

/** A public document, or the reason why it is unreadable. */
export interface Fetched {
  readonly url: string
  readonly document?: Readonly<Record<string, unknown>>
  /** The reason why the document is unreadable without credentials. */
  readonly problem?: string
}

/** The public documents of an issuer: metadata and keys. */
export interface Published {
  readonly discovery: Fetched
  readonly keys: Fetched
}

/** Fetches a JSON document without credentials. A bad answer becomes a problem, never an error. */
async function fetchPublic(url: string, send: Send): Promise<Fetched> {
  if (!isUrl(url) || new URL(url).protocol !== 'https:') {
    return { url, problem: `${url} is no https address` }
  }
  try {
    const headers = [
      ['accept', 'application/json, application/jwk-set+json'],
      ['user-agent', USER_AGENT],
    ] as const
    const { response } = await send({ method: 'GET', url, headers, body: new Uint8Array() })
    const { status = 0, body = '' } = response ?? {}
    if (status >= 300 && status < 400) {
      return {
        url,
        problem: `${url} redirects to ${(response && header(response, 'location')) ?? 'nowhere'}`,
      }
    }
    if (status !== 200) return { url, problem: `${url} answers ${status} to everybody` }
    const document: unknown = JSON.parse(body)
    if (isJsonObject(document)) return { url, document }
    return { url, problem: `${url} holds no JSON object` }
  } catch (error) {
    if (error instanceof SyntaxError) return { url, problem: `${url} holds no JSON` }
    if (error instanceof UserError) return { url, problem: error.message }
    throw error
  }
}

/**
 * Fetches the metadata that an issuer publishes, then the keys that the metadata names.
 * @param issuer the `iss` of a token. It is untrusted and used only for an https GET
 */
export async function readPublished(issuer: string, send: Send): Promise<Published> {
  const base = withoutEnd(issuer, '/')
  const discovery = await fetchPublic(`${base}/.well-known/openid-configuration`, send)
  const named = discovery.document?.jwks_uri
  if (discovery.document === undefined) {
    const url = `${base}/openid/v1/jwks`
    return { discovery, keys: { url, problem: discovery.problem ?? 'the metadata cannot be read' } }
  }
  if (typeof named !== 'string')
    return { discovery, keys: { url: base, problem: 'the metadata names no jwks_uri' } }
  return { discovery, keys: await fetchPublic(named, send) }
}
