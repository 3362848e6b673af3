import { readFileSync } from 'node:fs'
import tls, { createSecureContext, type SecureContext } from 'node:tls'

/** The environment of the process. */
export type Environment = Readonly<Record<string, string | undefined>>

/** The certificates of one client: the authorities that it trusts, and its own certificate. */
export interface CertificateOptions {
  /** PEM certificate authorities to trust, beside the authorities that Node trusts. */
  readonly caPem?: string | undefined
  /** True to trust `caPem` alone, as a kubeconfig requires. Has no effect without `caPem`. */
  readonly pinned?: boolean | undefined
  /** The client certificate with its key, PEM. */
  readonly certificate?: { readonly cert: string; readonly key: string } | undefined
}

/** The secure contexts of one client, created on first use. */
export interface Authorities {
  /** Returns a context that trusts all that the options allow. */
  all(): SecureContext
  /**
   * Returns a context that trusts `caPem` alone, for a server on this machine; undefined for other servers. Reading Node's list takes longer than ten
   * handshakes, and a lab on this machine is signed by its own authority. `all` may still trust a server that this context refuses.
   */
  quick(hostname: string): SecureContext | undefined
}

/** The host names of this machine. */
const thisMachine = /^(localhost|127(\.\d{1,3}){3}|::1)$/i

/** Returns the certificates of NODE_EXTRA_CA_CERTS on Node 20, which drops them from a context once a certificate is added. */
function lostAuthorities({ NODE_EXTRA_CA_CERTS: file }: Environment): string {
  if (!file || 'getCACertificates' in tls) return ''
  try {
    return readFileSync(file, 'utf8')
  } catch {
    // Node has already warned about the file.
    return ''
  }
}

/**
 * Returns the contexts for these options. Node builds its list of authorities, which honours NODE_EXTRA_CA_CERTS and warns about an unreadable file.
 * `caPem` is added to that list.
 */
export function authorities(options: CertificateOptions, env: Environment): Authorities {
  const { caPem, pinned, certificate } = options
  let all: SecureContext | undefined
  let own: SecureContext | undefined
  const onlyOwn = (ca: string): SecureContext => {
    own ??= createSecureContext({ ...certificate, ca })
    return own
  }
  const allOf = (): SecureContext => {
    const context = createSecureContext(certificate)
    // The option `ca` would replace Node's list, and no option adds to the list.
    if (caPem !== undefined) context.context.addCACert(`${caPem}\n${lostAuthorities(env)}`)
    return context
  }
  return {
    all() {
      if (pinned && caPem !== undefined) return onlyOwn(caPem)
      all ??= allOf()
      return all
    },
    quick: hostname =>
      caPem === undefined || pinned || !thisMachine.test(hostname) ? undefined : onlyOwn(caPem),
  }
}
