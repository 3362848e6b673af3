import { createTransport } from '../../client/transport.js'
import type { Send } from '../../protocol/http/exchange.js'
import type { Site } from '../../protocol/http/site.js'
import type { Client } from '../../protocol/oauth/client.js'
import { defined } from '../../protocol/values.js'
import { type Defences, STRICT } from '../../servers/demo-client/defences.js'
import { createDemoClient } from '../../servers/demo-client/server.js'
import type { DemoClientPorts, Issuer } from '../../servers/demo-client/settings.js'
import type { RequestTrace } from '../listening/request-trace.js'

/** Bytes. */
const MAX_BYTES = 256 * 1024

/** Milliseconds. */
const TIME_LIMIT = 10_000

export interface DemoClientPlace extends Pick<DemoClientPorts, 'now' | 'random'> {
  readonly baseUrl: string
  readonly issuer: string
  readonly caPem: string
  readonly trace: RequestTrace
  readonly client: Client
  /** Beside the lab. */
  readonly moreIssuers: readonly Issuer[]
}

function authOf({ client_secret: secret, token_endpoint_auth_method: method }: Client): Issuer['auth'] {
  if (secret === undefined) return 'none'
  return method === 'client_secret_post' ? method : 'client_secret_basic'
}

/** The demo client trusts the CA of the lab. */
export function labDemoClient(place: DemoClientPlace, defences: Defences = STRICT): Site {
  const { baseUrl, issuer, caPem, trace, client, moreIssuers, now, random } = place
  const { send } = createTransport({ caPem, maxBody: MAX_BYTES, timeoutMs: TIME_LIMIT, now })
  const own: Issuer = defined({
    issuer,
    key: 'lab',
    clientId: client.client_id,
    clientSecret: client.client_secret,
    auth: authOf(client),
  })

  /** The trace-id must not leave the program, so only requests to the lab carry it. */
  const sendFor =
    (cause: number | undefined): Send =>
    (request, options) => {
      const traced =
        cause !== undefined && request.url.startsWith(`${issuer}/`) ? [trace.headerFor(cause)] : []
      return send({ ...request, headers: [...request.headers, ...traced] }, options)
    }

  return createDemoClient({ baseUrl, issuers: [own, ...moreIssuers], defences }, { now, random, sendFor })
}
