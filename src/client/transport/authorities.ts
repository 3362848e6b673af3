import { readFileSync } from 'node:fs'
import tls, { createSecureContext, type SecureContext } from 'node:tls'

/** The environment of the process. */
export type Environment = Readonly<Record<string, string | undefined>>

/** The certificates of one client: those it trusts, and its own. */
export interface CertificateOptions {
  /** Certificate authorities to trust, PEM, beside those that Node trusts. */
  readonly caPem?: string | undefined
  /** Trusts `caPem` alone, as a kubeconfig asks for. Without `caPem` this has no effect. */
  readonly pinned?: boolean | undefined
  /** The certificate that the client shows, with its key, PEM. */
  readonly certificate?: { readonly cert: string; readonly key: string } | undefined
}

/** The secure contexts of one client, made when they are needed. */
export interface Authorities {
  /** Trusts all that the options allow. */
  all(): SecureContext
  /**
   * Trusts `caPem` alone, for a server of this machine; undefined for other servers. Reading Node's list takes longer than
   * ten handshakes, and a lab on this machine is signed by its own authority. A server that this context refuses may still
   * be trusted by `all`.
   */
  quick(hostname: string): SecureContext | undefined
}

/** Names of this machine. */
const thisMachine = /^(localhost|127(\.\d{1,3}){3}|::1)$/i

/** The certificates of NODE_EXTRA_CA_CERTS where Node 20 leaves them out of a list that grows. */
function lostAuthorities({ NODE_EXTRA_CA_CERTS: file }: Environment): string {
  if (!file || 'getCACertificates' in tls) return ''
  try {
    return readFileSync(file, 'utf8')
  } catch {
    // Node has warned of the file.
    return ''
  }
}

/**
 * Returns the contexts for these options. Node builds its list of authorities, which honours NODE_EXTRA_CA_CERTS and warns
 * of a bad file there; `caPem` is added to that list.
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
    // The option `ca` would replace Node's list. No option adds to it.
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
