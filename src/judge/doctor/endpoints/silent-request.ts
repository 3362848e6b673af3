import type { Exchange } from '../../../protocol/http/exchange.js'
import { askDirectly, type RequestChange } from '../honest-request.js'
import type { Requester } from '../requester.js'

/** Asks the authorization endpoint without any session, and without a page for a person (`prompt=none`). */
export function askedSilently(
  { server, metadata, ports }: Requester,
  change: RequestChange,
): Promise<Exchange | undefined> {
  const silent: RequestChange = { ...change, extra: [['prompt', 'none']] }
  return askDirectly(ports, server, metadata, silent, [['accept', 'text/html']])
}
