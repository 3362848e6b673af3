import { createSecureContext, type SecureContext } from 'node:tls'

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

/** Names of this machine. Well-known authorities sign for no internal name and no reserved address. */
const thisMachine = /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/i

/** True where the environment adds authorities to those that Node trusts. */
function hasOwnAuthorities({ NODE_EXTRA_CA_CERTS, NODE_USE_SYSTEM_CA }: Environment): boolean {
  return Boolean(NODE_EXTRA_CA_CERTS || NODE_USE_SYSTEM_CA)
}

/**
 * Returns the secure context for a host. Node builds its list of authorities, which honours NODE_EXTRA_CA_CERTS and warns
 * of a bad file there; `caPem` is added to that list. Reading the list takes longer than ten handshakes, so a lab on this
 * machine, which is signed by its own authority, does without unless the environment adds authorities.
 */
export function secureContexts(
  { caPem, pinned = false, certificate }: CertificateOptions,
  env: Environment,
): (hostname: string) => SecureContext {
  const made = new Map<boolean, SecureContext>()
  const make = (alone: boolean): SecureContext => {
    if (alone) return createSecureContext({ ...certificate, ca: caPem })
    const own = createSecureContext(certificate)
    // The option `ca` would replace Node's list. No option adds to it.
    if (caPem !== undefined) own.context.addCACert(caPem)
    return own
  }
  return hostname => {
    const alone = caPem !== undefined && (pinned || (thisMachine.test(hostname) && !hasOwnAuthorities(env)))
    const context = made.get(alone) ?? make(alone)
    made.set(alone, context)
    return context
  }
}
