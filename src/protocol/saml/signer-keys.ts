import { createPublicKey, type KeyObject, X509Certificate } from 'node:crypto'
import { METADATA } from './namespaces.js'
import { elementsOf, parseXml } from './xml.js'

/** The keys of a signer, and its name where a document says it. */
export interface SignerKeys {
  readonly keys: readonly KeyObject[]
  readonly entityId?: string
}

/** The key of a certificate or a public key in PEM. @throws Error */
export function keyOfPem(pem: string): KeyObject {
  return pem.includes('BEGIN CERTIFICATE') ? new X509Certificate(pem).publicKey : createPublicKey(pem)
}

/**
 * The signing keys in SAML metadata (SAML 2.0 Metadata §2.4.1.1): those that are for signing, or for any use.
 * @throws XmlError; Error for a certificate that cannot be read
 */
export async function keysOfMetadata(xml: string): Promise<SignerKeys> {
  const root = await parseXml(xml.trim())
  const all = [...elementsOf(root)]
  const certificates = all
    .filter(({ namespace, name }) => namespace === METADATA && name === 'KeyDescriptor')
    .filter(({ attributes }) => attributes.get('use') !== 'encryption')
    .flatMap(each => [...elementsOf(each)].filter(({ name }) => name === 'X509Certificate'))
  const entities = all.filter(({ namespace, name }) => namespace === METADATA && name === 'EntityDescriptor')
  const entityId = entities.length === 1 ? entities[0]?.attributes.get('entityID') : undefined
  return {
    keys: certificates.map(({ text }) => new X509Certificate(Buffer.from(text, 'base64')).publicKey),
    ...(entityId !== undefined && { entityId }),
  }
}
