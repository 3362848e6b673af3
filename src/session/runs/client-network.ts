import { createTransport, type Transport, type TransportOptions } from '../../client/transport.js'
import type { HttpRequest } from '../../protocol/http/message.js'
import type { OwnCertificate } from '../targets/client-certificate.js'

type Identity = NonNullable<HttpRequest['identity']>

/** Makes a certificate that no server knows. */
async function strangersPair() {
  const [{ makeClientCertificate }, { parseDistinguishedName }] = await Promise.all([
    import('../../lab/certificates/client-authority.js'),
    import('../../protocol/oauth/distinguished-name.js'),
  ])
  const read = parseDistinguishedName('CN=stranger')
  if ('problem' in read) throw new Error(read.problem)
  // Servers judge it by the real clock, as TLS does.
  const made = await makeClientCertificate({ subject: read.name, names: [], days: 1 }, undefined, Date.now())
  return { cert: made.certPem, key: made.keyPem }
}

/**
 * Creates the HTTP client of a client with a certificate. A request of a wrong move goes over another connection, without
 * a certificate or with that of a stranger. Without a certificate there is one transport alone.
 */
export function clientNetwork(options: TransportOptions, certificate: OwnCertificate | undefined): Transport {
  if (certificate === undefined) return createTransport(options)
  const own = createTransport({ ...options, certificate })
  const others = new Map<Identity, Promise<Transport>>()

  async function make(identity: Identity): Promise<Transport> {
    return createTransport(identity === 'none' ? options : { ...options, certificate: await strangersPair() })
  }

  function other(identity: Identity): Promise<Transport> {
    const made = others.get(identity) ?? make(identity)
    others.set(identity, made)
    return made
  }

  return {
    send: async (request, how) => {
      const { identity } = request
      return (identity === undefined ? own : await other(identity)).send(request, how)
    },
    close() {
      own.close()
      for (const each of others.values()) void each.then(({ close }) => close())
    },
  }
}
