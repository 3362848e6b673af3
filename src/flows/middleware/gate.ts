import { TimeoutError, TransportError } from '../../protocol/errors.js'
import type { Exchange } from '../../protocol/http/exchange.js'
import { encodeForm, type FormPairs, pairsIfForm } from '../../protocol/http/form.js'
import { bytes, type HttpRequest, mediaType, splitUrl, text } from '../../protocol/http/message.js'
import type { Middleware } from './middleware.js'

export type PartPlace = 'query' | 'header' | 'form' | 'body'

export interface RequestPart {
  readonly place: PartPlace
  readonly name: string
  readonly value: string
}

export interface HeldRequest {
  readonly method: string
  /** Without its query. */
  readonly url: string
  readonly parts: readonly RequestPart[]
}

/** Holds requests until a person lets them go, changed or not, and sees the exchanges that come of them. */
export interface Gate {
  /** @returns the parts as they will be sent; the same list where nothing was changed */
  hold(request: HeldRequest): Promise<readonly RequestPart[]>
  /** Reports that no answer came. @returns true when the request is to be sent again */
  noAnswer(why: string): Promise<boolean>
  answered(exchange: Exchange): void
}

export function takeApart(request: HttpRequest): HeldRequest {
  const { origin, path, query } = splitUrl(request.url)
  const part =
    (place: PartPlace) =>
    ([name, value]: readonly [string, string]): RequestPart => ({ place, name, value })
  const isForm = mediaType(request) === 'application/x-www-form-urlencoded'
  const body = text(request.body)
  const form = isForm ? pairsIfForm(body) : undefined
  return {
    method: request.method,
    url: `${origin}${path}`,
    parts: [
      ...(pairsIfForm(query) ?? []).map(part('query')),
      ...(form ?? []).map(part('form')),
      ...(form === undefined && body !== '' ? [part('body')(['', body])] : []),
      ...request.headers.map(part('header')),
    ],
  }
}

/** Unchanged parts stay byte for byte. */
export function putTogether(
  request: HttpRequest,
  held: HeldRequest,
  parts: readonly RequestPart[],
): HttpRequest {
  const pairs = (list: readonly RequestPart[], place: PartPlace): FormPairs =>
    list.flatMap(each => (each.place === place ? [[each.name, each.value] as const] : []))
  const changed = (place: PartPlace): boolean =>
    JSON.stringify(pairs(held.parts, place)) !== JSON.stringify(pairs(parts, place))
  const query = pairs(parts, 'query')
  const [whole] = pairs(parts, 'body')
  const body = changed('form')
    ? bytes(encodeForm(pairs(parts, 'form')))
    : changed('body')
      ? bytes(whole?.[1] ?? '')
      : request.body
  return {
    ...request,
    url: changed('query') ? `${held.url}${query.length > 0 ? `?${encodeForm(query)}` : ''}` : request.url,
    headers: pairs(parts, 'header'),
    body,
  }
}

/** Lets requests pass a gate: they may be held and changed, or sent again when no answer came. */
export function gateLayer(gate: Gate): Middleware {
  return send => async (request, options) => {
    const held = takeApart(request)
    const parts = await gate.hold(held)
    const sent = parts === held.parts ? request : putTogether(request, held, parts)
    for (;;) {
      options?.signal?.throwIfAborted()
      try {
        const exchange = await send(sent, options)
        gate.answered(exchange)
        return exchange
      } catch (error) {
        const unanswered = error instanceof TransportError || error instanceof TimeoutError
        if (!unanswered || options?.signal?.aborted || !(await gate.noAnswer(error.message))) throw error
      }
    }
  }
}
