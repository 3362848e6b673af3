import { X509Certificate } from 'node:crypto'

/** Whether a text holds a PEM certificate that can be read. */
export function isPemCertificate(text: string): boolean {
  try {
    new X509Certificate(text)
    return true
  } catch {
    return false
  }
}

/** What the clock says against the first certificate of a PEM text; undefined where nothing is wrong. */
export function certificateProblem(pem: string, now: number): string | undefined {
  const certificate = new X509Certificate(pem)
  const from = new Date(certificate.validFrom)
  const to = new Date(certificate.validTo)
  if (now > to.getTime()) return `expired on ${to.toISOString()}`
  if (now < from.getTime()) return `is not valid before ${from.toISOString()}`
  return undefined
}
