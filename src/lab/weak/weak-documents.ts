import { isUrl } from '../../protocol/http/address.js'
import { header } from '../../protocol/http/message.js'
import { defined } from '../../protocol/values.js'
import { FetchFailure } from '../../servers/authorization-server/client-documents/fetch-failure.js'
import type { FetchDocument } from '../../servers/authorization-server/settings.js'
import { everyAddress } from '../outgoing/client-addresses.js'
import type { DocumentNetwork } from '../outgoing/client-sender.js'
import { createClientSender } from '../outgoing/client-sender.js'

const MOST_REDIRECTS = 5

/** Fetches from any address and port, over http too, and follows redirects. Size and time stay bounded. */
export function fetchAnything({ caPem, hosts }: DocumentNetwork): FetchDocument {
  const addresses = everyAddress(hosts)
  const send = createClientSender(
    { caPem },
    { maxBody: 64 * 1024, atOnce: 8, waiting: 40, plain: true, addresses },
  )
  return async (url, accept) => {
    let address = url
    for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects++) {
      const answer = await send({
        method: 'GET',
        url: address,
        headers: [['accept', accept]],
        body: new Uint8Array(),
      })
      const { status, headers, body } = answer
      const next = status >= 300 && status < 400 ? header(answer, 'location') : undefined
      if (next === undefined || !isUrl(next, address)) {
        if (status !== 200) throw new FetchFailure('status', `it answered ${status}`)
        return defined({ body, contentType: header({ headers }, 'content-type'), headers })
      }
      address = new URL(next, address).href
    }
    throw new FetchFailure('status', `it redirects more than ${MOST_REDIRECTS} times`)
  }
}
