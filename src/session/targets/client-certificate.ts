import { createPrivateKey, X509Certificate } from 'node:crypto'
import { UsageError } from '../../protocol/errors.js'
import { certificateThumbprint } from '../../protocol/tokens/confirmation.js'
import { readInputFile } from '../input/input-file.js'

/** The options that name the certificate of a client. */
export interface CertificateOptions {
  readonly cert?: string
  readonly certKey?: string
}

/** The certificate of a client, with its key, for the handshake. */
export interface OwnCertificate {
  /** PEM, with the certificates of a chain after it. */
  readonly cert: string
  /** PEM. */
  readonly key: string
  /** Its thumbprint (RFC 8705 §3.1). */
  readonly thumbprint: string
}

const MAKE = 'Make a pair:  oauth-lab ca client NAME -o DIR'

/** Reads the certificate of a client and its key; undefined where no option names one. @throws UsageError */
export async function readOwnCertificate({
  cert: certFile,
  certKey: keyFile,
}: CertificateOptions): Promise<OwnCertificate | undefined> {
  if (certFile === undefined && keyFile === undefined) return undefined
  if (certFile === undefined || keyFile === undefined) {
    const [given, missing] = certFile === undefined ? ['--cert-key', '--cert'] : ['--cert', '--cert-key']
    throw new UsageError(`${given} needs ${missing} too`, ['--cert FILE --cert-key FILE, both PEM', MAKE])
  }
  const cert = await readInputFile('the client certificate', certFile)
  const key = await readInputFile('the key of the client certificate', keyFile)
  const parsed = parsed509(cert, certFile)
  let matches: boolean
  try {
    matches = parsed.checkPrivateKey(createPrivateKey(key))
  } catch {
    throw new UsageError(`--cert-key ${keyFile}: this is no private key in PEM without a passphrase`, [MAKE])
  }
  if (!matches) {
    throw new UsageError(`--cert-key ${keyFile} is not the key of the certificate ${certFile}`, [MAKE])
  }
  return { cert, key, thumbprint: certificateThumbprint({ der: parsed.raw }) }
}

function parsed509(text: string, file: string): X509Certificate {
  try {
    return new X509Certificate(text)
  } catch {
    throw new UsageError(`--cert ${file}: this is no certificate in PEM`, [MAKE])
  }
}
