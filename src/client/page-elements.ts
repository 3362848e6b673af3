import { type DefaultTreeAdapterTypes, defaultTreeAdapter, parse } from 'parse5'

/** An element of a parsed page. */
export type Element = DefaultTreeAdapterTypes.Element
/** A node that holds other nodes. */
export type ParentNode = DefaultTreeAdapterTypes.ParentNode

/** The longest page that is parsed, in characters; the rest is cut off. */
const MAX_PAGE = 256 * 1024
/** The deepest page that is parsed: the time to parse grows with the square of the depth. Browsers stop at 512. */
const MAX_DEPTH = 1024
const MAX_TEXT = 300

const silent = new Set(['head', 'script', 'style', 'template', 'noscript', 'svg', 'form'])

/** The error for a page that is nested too deep to be parsed. */
export class TooDeep extends Error {}

/** The tree of a page, as a browser builds it. @throws TooDeep */
export function pageTree(html: string): DefaultTreeAdapterTypes.Document {
  let depth = 0
  const treeAdapter = {
    ...defaultTreeAdapter,
    onItemPush() {
      depth += 1
      if (depth > MAX_DEPTH) throw new TooDeep()
    },
    onItemPop() {
      depth -= 1
    },
  }
  return parse(html.slice(0, MAX_PAGE), { treeAdapter })
}

/** All elements below `root`, in the order of the page. */
export function* elements(root: ParentNode): Generator<Element> {
  const waiting: ParentNode['childNodes'] = [...root.childNodes].reverse()
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (!('tagName' in node)) continue
    yield node
    for (let i = node.childNodes.length - 1; i >= 0; i--) waiting.push(node.childNodes[i]!)
  }
}

/** The text below `root`, with white space collapsed, cut to MAX_TEXT characters. */
export function textBelow(root: ParentNode): string {
  const parts: string[] = []
  const waiting: ParentNode['childNodes'] = [root as Element]
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (node.nodeName === '#text' && 'value' in node) parts.push(node.value)
    if (!('childNodes' in node) || (node !== root && silent.has(node.nodeName))) continue
    for (let i = node.childNodes.length - 1; i >= 0; i--) waiting.push(node.childNodes[i]!)
  }
  const line = parts.join(' ').replace(/\s+/g, ' ').trim()
  return line.length > MAX_TEXT ? `${line.slice(0, MAX_TEXT).toWellFormed()}…` : line
}

/** The value of an attribute; undefined without one. */
export function attribute(element: Element, name: string): string | undefined {
  return element.attrs.find(each => each.name === name)?.value
}
