import { createPrivateKey, X509Certificate } from 'node:crypto'
import { type CallbackTls, isLocalHttps } from '../../client/callback-listener.js'
import type { StateHome } from '../../lab/state/state-folder.js'
import { UsageError } from '../../protocol/errors.js'
import { readInputFile } from '../input/input-file.js'

/** The options that name the certificate of an https redirect_uri. */
export interface CallbackOptions {
  readonly callbackCert?: string
  readonly callbackKey?: string
  readonly browser?: boolean
}

/** Reads the certificate of the callback and its key. @throws UsageError */
async function givenPair(certFile: string, keyFile: string): Promise<CallbackTls> {
  const cert = await readInputFile('the certificate of the callback', certFile)
  const key = await readInputFile('the key of the callback', keyFile)
  try {
    if (new X509Certificate(cert).checkPrivateKey(createPrivateKey(key))) return { cert, key }
  } catch {
    throw new UsageError(`${certFile} and ${keyFile} hold no certificate and key in PEM`, [
      'The first lines read -----BEGIN CERTIFICATE----- and -----BEGIN PRIVATE KEY-----',
    ])
  }
  throw new UsageError(`the key in ${keyFile} is not the one of the certificate in ${certFile}`)
}

/** Refuses one of the two options without the other. @throws UsageError */
export function checkCallback({ callbackCert: cert, callbackKey: key }: CallbackOptions): void {
  if ((cert === undefined) === (key === undefined)) return
  const [given, missing] =
    cert === undefined ? ['--callback-key', '--callback-cert'] : ['--callback-cert', '--callback-key']
  throw new UsageError(`${given} needs ${missing} too`, [
    '--callback-cert FILE --callback-key FILE, both PEM',
  ])
}

/**
 * The certificate for an https notification endpoint of this computer: the given one, else the one of the lab.
 * @throws UsageError
 */
export async function notificationTls(
  { callbackCert, callbackKey }: CallbackOptions,
  endpoint: string | undefined,
  home: StateHome,
): Promise<CallbackTls | undefined> {
  if (endpoint === undefined || !/^https:/i.test(endpoint)) return undefined
  if (callbackCert !== undefined && callbackKey !== undefined) return givenPair(callbackCert, callbackKey)
  if (!isLocalHttps(endpoint)) return undefined
  const { ensureCertificates } = await import('../../lab/certificates/certificates.js')
  const { certPem: cert, keyPem: key } = await ensureCertificates(home)
  return { cert, key }
}

/**
 * The certificate for the https addresses among those that a browser returns to: the given one; for a browser of this
 * computer else the one of the lab. Undefined where nothing is to listen at an https address.
 * @throws UsageError
 */
export async function callbackTls(
  { callbackCert, callbackKey, browser }: CallbackOptions,
  addresses: readonly string[],
  { home, narrate }: { readonly home: StateHome; readonly narrate: (line: string) => void },
): Promise<CallbackTls | undefined> {
  if (callbackCert !== undefined && callbackKey !== undefined) {
    if (addresses.some(each => /^https:/i.test(each))) return givenPair(callbackCert, callbackKey)
    throw new UsageError(`--callback-cert is for an https redirect_uri, and this one is ${addresses[0]}`, [
      'Name it:  --redirect-uri https://localhost:9443/callback',
    ])
  }
  if (!browser || !addresses.some(isLocalHttps)) return undefined
  const { ensureCertificates } = await import('../../lab/certificates/certificates.js')
  const { certPem: cert, keyPem: key } = await ensureCertificates(home)
  narrate(
    'The https address of the callback has the certificate of the lab. For a browser that trusts it:  oauth-lab ca install',
  )
  return { cert, key }
}
