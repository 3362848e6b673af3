/** An element of an XML document as plain data, without processing instructions and the text of comments. */
export interface XmlElement {
  readonly namespace: string
  readonly name: string
  /** Attributes by local name, without namespace declarations. */
  readonly attributes: ReadonlyMap<string, string>
  readonly children: readonly XmlElement[]
  /** The character data directly inside the element, joined. */
  readonly text: string
  /** The number of comments directly inside the element. A canonical form without comments signs none of them. */
  readonly comments: number
  /** The parser's own node, for the signature library. */
  readonly node: unknown
}

/** The error for a text that is not an acceptable XML document. The message gives the reason. */
export class XmlError extends Error {
  override name = 'XmlError'
}

/** Deepest nesting. Real assertions are less deep. */
const MAX_DEPTH = 32

/** Limits on repeated marks, which keep the parser's work small. Real assertions have fewer. */
const MAX_OCCURRENCES: ReadonlyArray<readonly [written: string, limit: number, what: string]> = [
  ['<', 2000, 'tags'],
  ['=', 2000, 'attributes'],
  ['xmlns', 200, 'namespace declarations'],
]
const MAX_ATTRIBUTES = 64

/** The start of a document up to its root: white space, processing instructions and comments (XML 1.0 §2.8). */
const PROLOG = /^(?:[\t\n\r ]|<\?(?:(?!\?>).)*\?>|<!--(?:(?!-->).)*-->)*<[^?!]/s

// The part of the DOM that we use.
interface Node {
  readonly nodeType: number
  readonly namespaceURI: string | null | undefined
  readonly localName: string | null
  readonly prefix: string | null | undefined
  readonly nodeName: string
  readonly data: string
  readonly value: string
  readonly attributes: ArrayLike<Node>
  readonly childNodes: ArrayLike<Node>
}
const ELEMENT = 1
const TEXT = 3
const CDATA = 4
const PROCESSING_INSTRUCTION = 7
const COMMENT = 8

interface Parser {
  readonly DOMParser: new (options: {
    readonly errorHandler: Readonly<Record<'warning' | 'error' | 'fatalError', (message: unknown) => void>>
  }) => { parseFromString(xml: string, type: string): Node }
}

/**
 * Parses an XML document strictly: without a document type, so without entities, and without error recovery.
 * @throws XmlError
 */
export async function parseXml(xml: string): Promise<XmlElement> {
  if (/<!(?!--|\[CDATA\[)/.test(xml)) throw new XmlError('it has a document type declaration, or entities')
  if (/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/.test(xml))
    throw new XmlError('it has a character XML may not have')
  // The parser drops text before the root element without an error.
  if (!PROLOG.test(xml)) throw new XmlError('it does not begin with an element')
  for (const [written, limit, what] of MAX_OCCURRENCES) {
    if (xml.split(written, limit + 1).length > limit) throw new XmlError(`it has too many ${what}`)
  }
  // `as string` hides the package's declarations, which would add the globals of a browser to the whole program.
  const { DOMParser } = (await import('@xmldom/xmldom' as string)) as Parser
  const refuse = (message: unknown) => {
    throw new XmlError(String(message).split('\n', 1)[0])
  }
  const parser = new DOMParser({ errorHandler: { warning: refuse, error: refuse, fatalError: refuse } })
  const elements: Node[] = []
  for (const node of Array.from(read(parser, xml).childNodes)) {
    if (node.nodeType === ELEMENT) elements.push(node)
    else if (!isOutsideRoot(node)) throw new XmlError('it has something beside its root element')
  }
  const [root] = elements
  if (root === undefined || elements.length > 1) throw new XmlError('it does not have one root element')
  return toElement(root, 1)
}

/** Returns the document. @throws XmlError for anything that the parser throws */
function read(parser: InstanceType<Parser['DOMParser']>, xml: string): Node {
  try {
    return parser.parseFromString(xml, 'text/xml')
  } catch (error) {
    throw error instanceof XmlError ? error : new XmlError('it is not well-formed')
  }
}

/** True for white space, a comment or the XML declaration. */
function isOutsideRoot(node: Node): boolean {
  if (node.nodeType === TEXT) return node.data.trim() === ''
  return node.nodeType === COMMENT || (node.nodeType === PROCESSING_INSTRUCTION && node.nodeName === 'xml')
}

function toElement(node: Node, depth: number): XmlElement {
  if (depth > MAX_DEPTH) throw new XmlError('its elements are nested too deep')
  if (node.attributes.length > MAX_ATTRIBUTES) throw new XmlError('an element has too many attributes')
  const attributes = new Map<string, string>()
  for (const { nodeName, prefix, localName, namespaceURI, value } of Array.from(node.attributes)) {
    if (prefix === 'xmlns' || nodeName === 'xmlns') continue
    const name = localName ?? nodeName
    if (prefix && !namespaceURI) throw new XmlError(`the prefix ${prefix} is not declared`)
    if (attributes.has(name)) throw new XmlError(`it has two attributes ${name} on one element`)
    attributes.set(name, value)
  }
  if (node.prefix && !node.namespaceURI) throw new XmlError(`the prefix ${node.prefix} is not declared`)
  const children: XmlElement[] = []
  let text = ''
  let comments = 0
  for (const child of Array.from(node.childNodes)) {
    if (child.nodeType === ELEMENT) children.push(toElement(child, depth + 1))
    else if (child.nodeType === TEXT || child.nodeType === CDATA) text += child.data
    else if (child.nodeType === COMMENT) comments++
    else throw new XmlError('it has a processing instruction inside')
  }
  return {
    namespace: node.namespaceURI ?? '',
    name: node.localName ?? node.nodeName,
    attributes,
    children,
    text,
    comments,
    node,
  }
}

/** Returns the children of an element with this name. */
export function childrenOf(parent: XmlElement, namespace: string, name: string): XmlElement[] {
  return parent.children.filter(each => each.namespace === namespace && each.name === name)
}

/** Yields an element and all its descendants. */
export function* elementsOf(root: XmlElement): Generator<XmlElement> {
  yield root
  for (const child of root.children) yield* elementsOf(child)
}
