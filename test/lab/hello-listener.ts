import type { Certificates } from '../../src/lab/certificates/certificates.js'
import { type Listener, type ListenOptions, listen } from '../../src/lab/listening/listen.js'
import { textResponse } from '../../src/protocol/http/message.js'
import { recordingBus } from '../support/ask.js'

/** Starts a TLS listener on a free port that answers every request with `hello`. */
export function helloListener(
  home: string,
  tls: Certificates,
  more: Partial<ListenOptions> = {},
): Promise<Listener> {
  return listen({
    hosts: ['127.0.0.1'],
    port: 0,
    portOption: '--port',
    home,
    bodyLimit: 64 * 1024,
    tls,
    events: recordingBus([]),
    crashed: error => {
      throw error
    },
    baseUrl: port => `https://localhost:${port}`,
    site: () => ({ name: 'test', handle: async () => textResponse(200, 'hello') }),
    ...more,
  })
}
