import { TimeoutError, TransportError } from '../../protocol/errors.js'
import type { HttpRequest } from '../../protocol/http/message.js'
import { splitUrl } from '../../protocol/http/message.js'
import type { Middleware } from '../middleware/middleware.js'

/** Query and body of the request may hold secrets, and stay out of the message. */
function named(error: unknown, { method, url }: HttpRequest): unknown {
  const at = `, at ${method} ${splitUrl(url).path}`
  if (error instanceof TransportError) {
    return new TransportError(error.message + at, error.code, error.hints, { cause: error })
  }
  return error instanceof TimeoutError ? new TimeoutError(error.message + at, error.hints) : error
}

/** Names the request in the error of every request that gets no answer. */
export const namedFailures: Middleware = send => async (request, options) => {
  try {
    return await send(request, options)
  } catch (error) {
    throw named(error, request)
  }
}
