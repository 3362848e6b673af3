import { isIP } from 'node:net'
import type { KeyedCertificate } from './authority.js'

const DAY = 86_400_000

/**
 * Makes one certificate that signs itself. It is its own authority (CA:TRUE), because browsers trust no other self-signed
 * certificate. Its key must therefore be kept like that of an authority.
 * @param now milliseconds since the epoch
 */
export async function makeSelfSigned(names: readonly string[], now: number): Promise<KeyedCertificate> {
  const { generate } = await import('selfsigned')
  const made = await generate([{ name: 'commonName', value: 'localhost' }], {
    algorithm: 'sha256',
    keyType: 'ec',
    curve: 'P-256',
    notBeforeDate: new Date(now - DAY),
    notAfterDate: new Date(now + 395 * DAY),
    extensions: [
      { name: 'basicConstraints', cA: true, pathLenConstraint: 0, critical: true },
      { name: 'keyUsage', digitalSignature: true, keyCertSign: true, critical: true },
      { name: 'extKeyUsage', serverAuth: true },
      {
        name: 'subjectAltName',
        altNames: names.map(each => (isIP(each) ? { type: 7, ip: each } : { type: 2, value: each })),
      },
    ],
  })
  return { certPem: withNewline(made.cert), keyPem: withNewline(made.private) }
}

const withNewline = (pem: string): string => `${pem.replace(/\r\n/g, '\n').trimEnd()}\n`
