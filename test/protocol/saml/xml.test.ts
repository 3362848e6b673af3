import { describe, expect, it } from 'vitest'
import { childrenOf, elementsOf, parseXml, XmlError } from '../../../src/protocol/saml/xml.js'

const nested = (depth: number) => '<a>'.repeat(depth) + '</a>'.repeat(depth)
const tags = (count: number) => `<a>${'<b/>'.repeat(count - 2)}</a>`
const attributes = (count: number) => `<a ${Array.from({ length: count }, (_, n) => `n${n}=""`).join(' ')}/>`
const namespaces = (count: number) =>
  `<a>${Array.from({ length: count }, (_, n) => `<b xmlns:n${n}="u"/>`).join('')}</a>`

describe('an XML document', () => {
  it('becomes elements with names, namespaces, attributes and text', async () => {
    const root = await parseXml(
      '<?xml version="1.0"?>\n<!-- before -->\n<p:a xmlns:p="urn:p" xmlns="urn:d" p:x="1" y="2"> t<!-- c --><b z="3">u</b>v<![CDATA[<&]]></p:a>\n<!-- after -->\n',
    )
    expect(root).toMatchObject({ namespace: 'urn:p', name: 'a', text: ' tv<&' })
    expect([...root.attributes]).toEqual([
      ['x', '1'],
      ['y', '2'],
    ])
    expect(root.children).toMatchObject([{ namespace: 'urn:d', name: 'b', text: 'u', children: [] }])
    expect([...(root.children[0]?.attributes ?? [])]).toEqual([['z', '3']])
    expect(await parseXml('<a/>')).toMatchObject({ namespace: '', name: 'a', text: '', children: [] })
  })

  it('may hold tabs, line ends and characters of every plane', async () => {
    expect((await parseXml('<a>\t\n\r\u0085é\ufffd😀</a>')).text).toContain('é\ufffd😀')
  })

  it.each([
    ['32 levels', nested(32), true],
    ['33 levels', nested(33), false],
    ['1999 tags', tags(1999), true],
    ['2000 tags', tags(2000), false],
    ['64 attributes on an element', attributes(64), true],
    ['65 attributes on an element', attributes(65), false],
    ['199 namespace declarations', namespaces(199), true],
    ['200 namespace declarations', namespaces(200), false],
  ])('with %s is accepted: %s', async (_name, xml, accepted) => {
    const read = parseXml(xml)
    if (accepted) expect((await read).name).toBe('a')
    else await expect(read.then(root => root.name)).rejects.toThrow(XmlError)
  })

  it.each<readonly [name: string, xml: string]>([
    ['nothing', ''],
    ['white space', ' \n'],
    ['a comment alone', '<!-- a -->'],
    ['two roots', '<a/><b/>'],
    ['text before the root', 'x<a/>'],
    ['text between a comment and the root', '<!-- a -->x<!-- b --><a/>'],
    ['text between the declaration and the root', '<?xml version="1.0"?>x<a/>'],
    ['text after the root', '<a/>x'],
    ['a processing instruction before the root', '<?x y?><a/>'],
    ['a processing instruction after the root', '<a/><?x y?>'],
    ['a processing instruction inside', '<a><?x y?></a>'],
    ['a document type', '<!DOCTYPE a><a/>'],
    ['a declaration in lower case', '<!doctype a><a/>'],
    ['a broken comment', '<!-a--><a/>'],
    ['an entity of nobody', '<a>&x;</a>'],
    ['a prefix of nobody on an element', '<p:a/>'],
    ['a prefix of nobody on an attribute', '<a p:x="1"/>'],
    ['one attribute in two namespaces', '<a xmlns:p="urn:p" p:x="1" x="2"/>'],
    ['an open element', '<a><b></a>'],
    ...['\0', '\x01', '\x08', '\x0b', '\x0c', '\x0e', '\x1f', '\ufffe', '\uffff'].map(
      each => [`the character ${each.charCodeAt(0)}`, `<a>${each}</a>`] as const,
    ),
  ])('is refused with %s', async (_name, xml) => {
    const error = await parseXml(xml).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(XmlError)
    expect(error).toHaveProperty('name', 'XmlError')
  })
})

it('the elements of a document are found by name and namespace, and listed in order', async () => {
  const root = await parseXml('<a xmlns:p="urn:p"><b><c/></b><p:b/><b/></a>')
  expect([...elementsOf(root)].map(each => each.name)).toEqual(['a', 'b', 'c', 'b', 'b'])
  expect(childrenOf(root, '', 'b')).toHaveLength(2)
  expect(childrenOf(root, 'urn:p', 'b')).toHaveLength(1)
  expect(childrenOf(root, '', 'c')).toEqual([])
})
