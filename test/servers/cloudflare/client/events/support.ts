import type { Ask } from '../../../../support/ask.js'
import { byKey, clientOf } from '../support.js'

/** A client of a server's function, which notes its requests; waits take no time. */
export function serviceOf(handle: Ask, asked: string[] = []) {
  const noting: Ask = request => {
    asked.push(`${request.method} ${request.url.replace(byKey.base, '')}`)
    return handle(request)
  }
  return clientOf(noting, { longestWaitMs: 10_000 }).service
}
