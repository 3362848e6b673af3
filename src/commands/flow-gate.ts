import { TimeoutError, TransportError } from '../errors.js'
import type { Send } from '../http/exchange.js'
import { encodeForm, FormError, type FormPairs, parseForm } from '../http/form.js'
import { bytes, type HttpRequest, mediaType, splitUrl, text } from '../http/message.js'
import type { Gate, HeldRequest, PartPlace, RequestPart } from '../tui/flow/gate.js'

function pairsOf(form: string): FormPairs | undefined {
  try {
    return parseForm(form)
  } catch (error) {
    if (error instanceof FormError) return undefined
    throw error
  }
}

/** A request in parts that a person can change. */
export function takeApart(request: HttpRequest): HeldRequest {
  const { origin, path, query } = splitUrl(request.url)
  const part =
    (place: PartPlace) =>
    ([name, value]: readonly [string, string]): RequestPart => ({ place, name, value })
  const isForm = mediaType(request) === 'application/x-www-form-urlencoded'
  const body = text(request.body)
  const form = isForm ? pairsOf(body) : undefined
  return {
    method: request.method,
    url: `${origin}${path}`,
    parts: [
      ...(pairsOf(query) ?? []).map(part('query')),
      ...(form ?? []).map(part('form')),
      ...(form === undefined && body !== '' ? [part('body')(['', body])] : []),
      ...request.headers.map(part('header')),
    ],
  }
}

/** The request with changed parts. What was not changed stays byte for byte. */
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

/** Sends through the gate of a screen: a request may be held and changed, or sent again when no answer came. */
export function gatedSend(send: Send, gate: Gate): Send {
  return async (request, options) => {
    const held = takeApart(request)
    const parts = await gate.hold(held)
    const sent = parts === held.parts ? request : putTogether(request, held, parts)
    for (;;) {
      options?.signal?.throwIfAborted()
      try {
        return await send(sent, options)
      } catch (error) {
        const unanswered = error instanceof TransportError || error instanceof TimeoutError
        if (!unanswered || options?.signal?.aborted || !(await gate.noAnswer(error.message))) throw error
      }
    }
  }
}
