import { parseForm } from '../../../protocol/http/form.js'
import { bytes, type HttpRequest, type HttpResponse, splitUrl, text } from '../../../protocol/http/message.js'
import type { Site } from '../../../protocol/http/site.js'
import { parsedObject } from '../../../protocol/values.js'

export interface TokenRequest {
  readonly fields: Readonly<Record<string, string>>
  readonly status: number
}

export type IdTokenLie = (idToken: string) => string

/** Watches a client at the servers of a lab, and lies to it. */
export interface Liar {
  /** In the answers from now on; undefined for the truth. */
  lie: IdTokenLie | undefined
  /** Oldest first. */
  readonly tokenRequests: readonly TokenRequest[]
  /** Oldest first. */
  readonly addresses: readonly string[]
  readonly tokens: ReadonlySet<string>
  readonly layer: (site: Site) => Site
}

/** A client that asks for more is broken. */
const MOST = 2000

const TOKENS = ['access_token', 'refresh_token', 'id_token'] as const

function fieldsOf({ body }: HttpRequest): Readonly<Record<string, string>> {
  try {
    return Object.fromEntries(parseForm(text(body)))
  } catch {
    return {}
  }
}

function jsonOf({ body }: HttpResponse): Readonly<Record<string, unknown>> | undefined {
  return parsedObject(text(body))
}

/** Leaves answers as they are until it has a lie. */
export function createLiar(): Liar {
  const tokenRequests: TokenRequest[] = []
  const addresses: string[] = []
  const tokens = new Set<string>()

  function answered(request: HttpRequest, response: HttpResponse): HttpResponse {
    if (tokenRequests.length < MOST) {
      tokenRequests.push({ fields: fieldsOf(request), status: response.status })
    }
    const answer = response.status === 200 ? jsonOf(response) : undefined
    if (answer === undefined) return response
    for (const name of TOKENS) {
      const token = answer[name]
      if (typeof token === 'string') tokens.add(token)
    }
    const { id_token: idToken } = answer
    if (liar.lie === undefined || typeof idToken !== 'string') return response
    return { ...response, body: bytes(JSON.stringify({ ...answer, id_token: liar.lie(idToken) })) }
  }

  const liar: Liar = {
    lie: undefined,
    tokenRequests,
    addresses,
    tokens,
    layer: ({ name, handle }) => ({
      name,
      async handle(request, context) {
        if (addresses.length < MOST) addresses.push(request.url)
        const response = await handle(request, context)
        const isToken = request.method === 'POST' && splitUrl(request.url).path === '/token'
        return isToken ? answered(request, response) : response
      },
    }),
  }
  return liar
}
