import type { AttributeTypeAndValue, GeneralName } from '@peculiar/asn1-x509'
import type { DistinguishedName, NameAttribute } from '../../../protocol/oauth/distinguished-name.js'

/** The names in a certificate. */
export interface CertificateNames {
  readonly subject: DistinguishedName
  /** The entries of subjectAltName by their kind (RFC 5280 §4.2.1.6). */
  readonly dns: readonly string[]
  readonly uri: readonly string[]
  readonly ip: readonly string[]
  readonly email: readonly string[]
}

async function engine() {
  const [{ AsnConvert }, x509] = await Promise.all([
    import('@peculiar/asn1-schema'),
    import('@peculiar/asn1-x509'),
  ])
  return { AsnConvert, x509 }
}

/**
 * Reads the names in a certificate. They are compared as data: a certificate may hold any text, and each program writes
 * names in its own way (RFC 8705 §7.5).
 * @throws an error of the decoder for a certificate that it cannot read
 */
export async function readCertificateNames(der: Uint8Array): Promise<CertificateNames> {
  const { AsnConvert, x509 } = await engine()
  const { tbsCertificate } = AsnConvert.parse(der, x509.Certificate)
  const attribute = ({ type: oid, value }: AttributeTypeAndValue): NameAttribute => {
    const hex = Buffer.from(AsnConvert.serialize(value)).toString('hex')
    return value.anyValue === undefined ? { oid, text: value.toString(), hex } : { oid, hex }
  }
  const extension = tbsCertificate.extensions?.find(each => each.extnID === x509.id_ce_subjectAltName)
  const entries: readonly GeneralName[] =
    extension === undefined ? [] : AsnConvert.parse(extension.extnValue, x509.SubjectAlternativeName)
  return {
    subject: [...tbsCertificate.subject].reverse().map(relative => [...relative].map(attribute)),
    dns: entries.flatMap(({ dNSName }) => dNSName ?? []),
    uri: entries.flatMap(({ uniformResourceIdentifier }) => uniformResourceIdentifier ?? []),
    ip: entries.flatMap(({ iPAddress }) => iPAddress ?? []),
    email: entries.flatMap(({ rfc822Name }) => rfc822Name ?? []),
  }
}
