import { childrenOf, elementsOf, parseXml, type XmlElement } from '../../../protocol/saml/xml.js'
import { checkShape, DSIG, signedBytes, XmlSignatureError } from '../../../protocol/saml/xml-signature.js'
import type { SignedSaml } from '../assertions/saml.js'

/** Returns a copy of an element without one of its descendants. */
function without(element: XmlElement, dropped: XmlElement): XmlElement {
  const children = element.children.filter(each => each !== dropped).map(each => without(each, dropped))
  return { ...element, children }
}

/**
 * Verifies the first signature in the document, of whichever element, and returns the root element, which nobody may have
 * signed (signature wrapping). The signature itself is verified as strictly as ever.
 */
export const rootBesideSignature: SignedSaml = async (xml, key) => {
  const root = await parseXml(xml)
  const signed = [...elementsOf(root)].find(each => childrenOf(each, DSIG, 'Signature').length > 0)
  if (signed === undefined) throw new XmlSignatureError('no element has a signature')
  await signedBytes(xml, checkShape(signed), key)
  return without(root, signed)
}
