import { X509Certificate } from 'node:crypto'

/** True when a text holds a readable PEM certificate. */
export function isPemCertificate(text: string): boolean {
  try {
    new X509Certificate(text)
    return true
  } catch {
    return false
  }
}

/** Returns the problem of the first certificate in a PEM text at a time, or undefined for a valid certificate. */
export function certificateProblem(pem: string, now: number): string | undefined {
  const certificate = new X509Certificate(pem)
  const from = new Date(certificate.validFrom)
  const to = new Date(certificate.validTo)
  if (now > to.getTime()) return `expired on ${to.toISOString()}`
  if (now < from.getTime()) return `is not valid before ${from.toISOString()}`
  return undefined
}
