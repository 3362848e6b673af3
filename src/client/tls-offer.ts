import { once } from 'node:events'
import { isIP } from 'node:net'
import { connect } from 'node:tls'
import type { Environment } from './transport/authorities.js'
import { environmentProxy } from './transport/proxy.js'

/** A version of TLS that is offered alone. */
export type OfferedTls = 'TLSv1' | 'TLSv1.1' | 'TLSv1.2' | 'TLSv1.3'

/** The settings of an offer. */
export interface OfferOptions {
  readonly version: OfferedTls
  /** The most milliseconds for the handshake. */
  readonly timeoutMs: number
  readonly signal: AbortSignal
  readonly env: Environment
}

/** True for an error that ended a handshake, rather than the connection before it. */
function isOfTls(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException
  // Many servers close the connection at a version that they do not know.
  return code !== undefined && (/^(ERR_SSL_|EPROTO$|ECONNRESET$)/.test(code) || code === 'EPIPE')
}

/**
 * Offers one version of TLS to a server. The certificate is not checked, and nothing is sent: only the version matters.
 * @returns true when the server took the version; undefined where no handshake could be made, as behind a proxy
 */
export async function takesTls(address: string, options: OfferOptions): Promise<boolean | undefined> {
  const { version, timeoutMs, signal, env } = options
  const url = new URL(address)
  if (url.protocol !== 'https:' || environmentProxy(url, env)) return undefined
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
  const socket = connect({
    host,
    port: Number(url.port || 443),
    ...(isIP(host) === 0 && { servername: host }),
    minVersion: version,
    maxVersion: version,
    // OpenSSL refuses to offer old versions at its default level of security.
    ciphers: 'DEFAULT:@SECLEVEL=0',
    rejectUnauthorized: false,
  })
  // A late error has no other listener.
  socket.on('error', () => {})
  try {
    await once(socket, 'secureConnect', { signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]) })
    return true
  } catch (error) {
    signal.throwIfAborted()
    return isOfTls(error) ? false : undefined
  } finally {
    socket.destroy()
  }
}
