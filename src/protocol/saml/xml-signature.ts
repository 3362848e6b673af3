import { createHash, type KeyObject, verify } from 'node:crypto'
import { childrenOf, elementsOf, parseXml, type XmlElement } from './xml.js'

/** The error for a signature that is wrong or has another shape than the accepted one. The message gives the reason. */
export class XmlSignatureError extends Error {
  override name = 'XmlSignatureError'
}

/** Namespace of XML signatures. */
export const DSIG = 'http://www.w3.org/2000/09/xmldsig#'
const MORE = 'http://www.w3.org/2001/04/xmldsig-more#'
const ENCRYPTION = 'http://www.w3.org/2001/04/xmlenc#'
const ENVELOPED = `${DSIG}enveloped-signature`
const EXCLUSIVE = 'http://www.w3.org/2001/10/xml-exc-c14n#'

/** Accepted digests. SHA-1 is not accepted. */
const digests: Readonly<Record<string, string>> = {
  [`${ENCRYPTION}sha256`]: 'sha256',
  [`${MORE}sha384`]: 'sha384',
  [`${ENCRYPTION}sha512`]: 'sha512',
}

/** Accepted signatures by key type and hash (RFC 9231 §2.3). No HMAC: its key would be the public certificate. */
const signatures: Readonly<Record<string, readonly [keyType: 'rsa' | 'ec', hash: string]>> = {
  [`${MORE}rsa-sha256`]: ['rsa', 'sha256'],
  [`${MORE}rsa-sha384`]: ['rsa', 'sha384'],
  [`${MORE}rsa-sha512`]: ['rsa', 'sha512'],
  [`${MORE}ecdsa-sha256`]: ['ec', 'sha256'],
  [`${MORE}ecdsa-sha384`]: ['ec', 'sha384'],
  [`${MORE}ecdsa-sha512`]: ['ec', 'sha512'],
}

/**
 * Verifies the enveloped signature of a document's root element. Returns that element, parsed again from the signed
 * bytes, so that no other part of the document can be mistaken for it.
 *
 * Only one shape of signature is accepted (SAML 2.0 Core §5.4): one Signature in the whole document, a child of the
 * root; one Reference, to the root's unique ID; only the enveloped and exclusive transforms. Keys in the document are
 * ignored.
 * @param key the public key of the expected signer
 * @throws XmlError, XmlSignatureError
 */
export async function signedRoot(xml: string, key: KeyObject): Promise<XmlElement> {
  const root = await parseXml(xml)
  return parseSigned(await signedBytes(xml, checkShape(root), key), root, 'the root element')
}

/**
 * Verifies the signature of one element of a document. Returns that element, parsed again from the signed bytes.
 * @param document the parsed `xml`, whose part the element is
 * @throws XmlError, XmlSignatureError
 */
export async function signedPart(
  xml: string,
  element: XmlElement,
  document: XmlElement,
  key: KeyObject,
): Promise<XmlElement> {
  const bytes = await signedBytes(xml, checkShapeOf(element, document), key)
  return parseSigned(bytes, element, element.name)
}

/** Parses signed bytes. @throws XmlSignatureError unless they are those of the element */
async function parseSigned(bytes: string, element: XmlElement, what: string): Promise<XmlElement> {
  const trusted = await parseXml(bytes)
  if (trusted.name === element.name && trusted.attributes.get('ID') === element.attributes.get('ID'))
    return trusted
  throw new XmlSignatureError(`the signed element is not ${what}`)
}

/**
 * Verifies a signature in a document, and returns the bytes that were signed.
 * @param signature an element that `checkShape` returned
 * @throws XmlSignatureError
 */
export async function signedBytes(xml: string, signature: XmlElement, key: KeyObject): Promise<string> {
  const { SignedXml } = await import('xml-crypto')
  const signed = new SignedXml({ publicCert: key, getCertFromKeyInfo: () => null })
  signed.HashAlgorithms = Object.fromEntries(
    Object.entries(digests).map(([uri, hash]) => [uri, hashAlgorithm(uri, hash)]),
  )
  signed.SignatureAlgorithms = Object.fromEntries(
    Object.entries(signatures).map(([uri, [keyType, hash]]) => [
      uri,
      signatureAlgorithm(uri, keyType, hash, key),
    ]),
  )
  let good: boolean
  try {
    signed.loadSignature(signature.node as never)
    good = signed.checkSignature(xml)
  } catch (error) {
    throw new XmlSignatureError(error instanceof Error ? error.message : 'it cannot be verified')
  }
  const [bytes, ...more] = good ? signed.getSignedReferences() : []
  if (bytes === undefined || more.length > 0)
    throw new XmlSignatureError('the digest is not that of the element')
  return bytes
}

/** Returns the signature of an element, after checking that it has the accepted shape. */
export function checkShape(root: XmlElement): XmlElement {
  const signature = checkShapeOf(root, root)
  const all = [...elementsOf(root)].filter(each => each.namespace === DSIG && each.name === 'Signature')
  if (all.length > 1) throw new XmlSignatureError('there is more than one signature')
  return signature
}

/**
 * Returns the signature of an element, after checking that it has the accepted shape. Other elements of the document may
 * have signatures of their own, as the assertions in a response.
 * @throws XmlSignatureError
 */
function checkShapeOf(element: XmlElement, document: XmlElement): XmlElement {
  const what = element === document ? 'the root element' : element.name
  checkIds(document)
  const id = idOf(element, what)
  const [signature, ...more] = childrenOf(element, DSIG, 'Signature')
  if (signature === undefined) throw new XmlSignatureError(`${what} has no signature of its own`)
  if (more.length > 0) throw new XmlSignatureError('there is more than one signature')
  const [info] = exactly(signature, ['SignedInfo', 'SignatureValue'], 'KeyInfo')
  const [canonicalization, method, reference] = exactly(info, [
    'CanonicalizationMethod',
    'SignatureMethod',
    'Reference',
  ])
  oneOf(canonicalization, [EXCLUSIVE])
  oneOf(method, Object.keys(signatures))
  if (reference.attributes.get('URI') !== `#${id}`) {
    throw new XmlSignatureError(`the signature is not about ${what}`)
  }
  const [transforms, digest] = exactly(reference, ['Transforms', 'DigestMethod', 'DigestValue'])
  oneOf(digest, Object.keys(digests))
  const [enveloped, exclusive] = exactly(transforms, ['Transform', 'Transform'])
  oneOf(enveloped, [ENVELOPED])
  oneOf(exclusive, [EXCLUSIVE])
  return signature
}

/** Checks that no two attributes named ID (in any case) have the same value. */
function checkIds(root: XmlElement): void {
  const seen = new Set<string>()
  for (const element of elementsOf(root)) {
    for (const [name, value] of element.attributes) {
      if (name.toLowerCase() !== 'id') continue
      if (seen.has(value)) throw new XmlSignatureError('two elements have the same ID')
      seen.add(value)
    }
  }
}

/** Returns the ID of an element. */
function idOf(element: XmlElement, what: string): string {
  const id = element.attributes.get('ID')
  if (id === undefined || !/^[A-Za-z_][\w.-]{0,255}$/.test(id)) {
    throw new XmlSignatureError(`${what} has no ID`)
  }
  return id
}

/** Returns the children of an element, after checking that they are exactly these, in order, with the optional one last. */
function exactly<const Names extends readonly string[]>(
  parent: XmlElement,
  names: Names,
  optional?: string,
): { readonly [Index in keyof Names]: XmlElement } & readonly XmlElement[] {
  const present = parent.children.map(each => (each.namespace === DSIG ? each.name : `foreign ${each.name}`))
  const wanted = optional !== undefined && present.length > names.length ? [...names, optional] : names
  if (present.length !== wanted.length || present.some((name, index) => name !== wanted[index])) {
    throw new XmlSignatureError(
      `${parent.name} holds ${present.join(', ') || 'nothing'}, not ${wanted.join(', ')}`,
    )
  }
  return parent.children as unknown as { readonly [Index in keyof Names]: XmlElement } & readonly XmlElement[]
}

function oneOf(element: XmlElement, accepted: readonly string[]): void {
  const algorithm = element.attributes.get('Algorithm') ?? 'no algorithm'
  if (!accepted.includes(algorithm))
    throw new XmlSignatureError(`${element.name} ${algorithm} is not accepted`)
}

function hashAlgorithm(uri: string, hash: string) {
  return class {
    getAlgorithmName = () => uri
    getHash = (xml: string) => createHash(hash).update(xml, 'utf8').digest('base64')
  }
}

/** Makes a verifier that uses only `key`, and only when its type is that of the algorithm. */
function signatureAlgorithm(uri: string, keyType: 'rsa' | 'ec', hash: string, key: KeyObject) {
  return class {
    getAlgorithmName = () => uri
    getSignature = (): never => {
      throw new XmlSignatureError('this only verifies')
    }
    verifySignature = (material: string, _key: unknown, value: string): boolean => {
      if (key.asymmetricKeyType !== keyType)
        throw new XmlSignatureError(`the registered key is not for ${uri}`)
      return verify(
        hash,
        Buffer.from(material, 'utf8'),
        { key, dsaEncoding: 'ieee-p1363' },
        Buffer.from(value, 'base64'),
      )
    }
  }
}
