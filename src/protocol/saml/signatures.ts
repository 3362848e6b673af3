import { type KeyObject, verify } from 'node:crypto'
import { type Check, check } from '../oauth/check.js'
import type { QuerySignature } from './encoding.js'
import { lastPart } from './message.js'
import { childrenOf, elementsOf, type XmlElement, XmlError } from './xml.js'
import { DSIG, signedPart, XmlSignatureError } from './xml-signature.js'

/** A signature in a message, and the element that it is in. */
export interface SamlSignature {
  /** The signed element by its place: a signature is a child of what it signs (SAML 2.0 Core §5.4.1). */
  readonly of: XmlElement
  /** The last part of the algorithm's identifier, such as `rsa-sha256`. */
  readonly algorithm: string
  readonly digest: string
}

/** The signatures of a message, in its order. */
export function signaturesOf(root: XmlElement): SamlSignature[] {
  return [...elementsOf(root)].flatMap(of =>
    childrenOf(of, DSIG, 'Signature').map(signature => {
      const methods = [...elementsOf(signature)]
      const algorithm = (name: string) =>
        lastPart(methods.find(each => each.name === name)?.attributes.get('Algorithm') ?? 'none')
      return { of, algorithm: algorithm('SignatureMethod'), digest: algorithm('DigestMethod') }
    }),
  )
}

/** A parsed document, and the message in it. */
interface ParsedMessage {
  readonly document: XmlElement
  readonly root: XmlElement
}

/**
 * Verifies one signature with the keys of its signer.
 * @param xml the text of the document
 */
export async function verifySignature(
  xml: string,
  { document, root }: ParsedMessage,
  { of, algorithm }: SamlSignature,
  keys: readonly KeyObject[],
): Promise<Check> {
  const name = of === root ? 'signature' : `signature_of_${of.name.toLowerCase()}`
  let problem = 'no key was given'
  for (const key of keys) {
    try {
      await signedPart(xml, of, document, key)
      return check(name, true, 'XMLDSig §3.2', `${algorithm}, of ${of.name} ${of.attributes.get('ID')}`)
    } catch (error) {
      if (!(error instanceof XmlSignatureError || error instanceof XmlError)) throw error
      problem = error.message
    }
  }
  return check(name, false, 'XMLDSig §3.2', `${of.name}: ${problem}`)
}

/** The algorithms of signatures in URLs (RFC 9231 §2.3). SHA-1 is not accepted. */
const QUERY_ALGORITHMS: Readonly<Record<string, readonly [keyType: 'rsa' | 'ec', hash: string]>> = {
  'rsa-sha256': ['rsa', 'sha256'],
  'rsa-sha384': ['rsa', 'sha384'],
  'rsa-sha512': ['rsa', 'sha512'],
  'ecdsa-sha256': ['ec', 'sha256'],
  'ecdsa-sha384': ['ec', 'sha384'],
  'ecdsa-sha512': ['ec', 'sha512'],
}

/** Verifies the signature of a message in a URL (SAML 2.0 Bindings §3.4.4.1). */
export function verifyQuerySignature(
  { signed, algorithm, value }: QuerySignature,
  keys: readonly KeyObject[],
): Check {
  const rule = 'SAML 2.0 Bindings §3.4.4.1'
  const known = QUERY_ALGORITHMS[lastPart(algorithm)]
  if (known === undefined) return check('signature', false, rule, `${lastPart(algorithm)} is not accepted`)
  const [keyType, hash] = known
  const ok = keys
    .filter(({ asymmetricKeyType }) => asymmetricKeyType === keyType)
    .some(key => verify(hash, Buffer.from(signed), { key, dsaEncoding: 'ieee-p1363' }, value))
  return check('signature', ok, rule, ok ? lastPart(algorithm) : 'the signature of the URL does not hold')
}
