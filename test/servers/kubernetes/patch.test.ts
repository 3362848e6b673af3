import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  fieldsOf,
  fieldsV1,
  pathsOf,
  shownPath,
} from '../../../src/servers/kubernetes/emulator/objects/managed-fields.js'
import {
  jsonPatch,
  mergeApplied,
  mergePatch,
  PatchError,
  strategicPatch,
  withoutField,
} from '../../../src/servers/kubernetes/emulator/objects/patches.js'
import { forAll } from '../../support/for-all.js'

describe('a merge patch', () => {
  // RFC 7386 Appendix A.
  it.each([
    ['{"a":"b"}', '{"a":"c"}', '{"a":"c"}'],
    ['{"a":"b"}', '{"b":"c"}', '{"a":"b","b":"c"}'],
    ['{"a":"b"}', '{"a":null}', '{}'],
    ['{"a":"b","b":"c"}', '{"a":null}', '{"b":"c"}'],
    ['{"a":["b"]}', '{"a":"c"}', '{"a":"c"}'],
    ['{"a":"c"}', '{"a":["b"]}', '{"a":["b"]}'],
    ['{"a":{"b":"c"}}', '{"a":{"b":"d","c":null}}', '{"a":{"b":"d"}}'],
    ['{"a":[{"b":"c"}]}', '{"a":[1]}', '{"a":[1]}'],
    ['["a","b"]', '["c","d"]', '["c","d"]'],
    ['{"a":"b"}', '["c"]', '["c"]'],
    ['{"a":"foo"}', 'null', 'null'],
    ['{"a":"foo"}', '"bar"', '"bar"'],
    ['{"e":null}', '{"a":1}', '{"e":null,"a":1}'],
    ['[1,2]', '{"a":"b","c":null}', '{"a":"b"}'],
    ['{}', '{"a":{"bb":{"ccc":null}}}', '{"a":{"bb":{}}}'],
  ])('%s with %s is %s', (target, patch, result) => {
    expect(mergePatch(JSON.parse(target), JSON.parse(patch))).toEqual(JSON.parse(result))
  })

  it('sets own members, also one called __proto__', () => {
    const made = mergePatch({}, JSON.parse('{"__proto__":{"x":1}}')) as object
    expect(Object.keys(made)).toEqual(['__proto__'])
    expect(Object.getPrototypeOf(made)).toBe(Object.prototype)
  })
})

describe('a JSON patch', () => {
  // RFC 6902 Appendix A.
  it.each([
    ['{"foo":"bar"}', '[{"op":"add","path":"/baz","value":"qux"}]', '{"baz":"qux","foo":"bar"}'],
    ['{"foo":["bar","baz"]}', '[{"op":"add","path":"/foo/1","value":"qux"}]', '{"foo":["bar","qux","baz"]}'],
    ['{"baz":"qux","foo":"bar"}', '[{"op":"remove","path":"/baz"}]', '{"foo":"bar"}'],
    ['{"foo":["bar","qux","baz"]}', '[{"op":"remove","path":"/foo/1"}]', '{"foo":["bar","baz"]}'],
    [
      '{"baz":"qux","foo":"bar"}',
      '[{"op":"replace","path":"/baz","value":"boo"}]',
      '{"baz":"boo","foo":"bar"}',
    ],
    [
      '{"foo":{"bar":"baz","waldo":"fred"},"qux":{"corge":"grault"}}',
      '[{"op":"move","from":"/foo/waldo","path":"/qux/thud"}]',
      '{"foo":{"bar":"baz"},"qux":{"corge":"grault","thud":"fred"}}',
    ],
    [
      '{"foo":["all","grass","cows","eat"]}',
      '[{"op":"move","from":"/foo/1","path":"/foo/3"}]',
      '{"foo":["all","cows","eat","grass"]}',
    ],
    [
      '{"baz":"qux","foo":["a",2,"c"]}',
      '[{"op":"test","path":"/baz","value":"qux"},{"op":"test","path":"/foo/1","value":2}]',
      '{"baz":"qux","foo":["a",2,"c"]}',
    ],
    [
      '{"foo":"bar"}',
      '[{"op":"add","path":"/child","value":{"grandchild":{}}}]',
      '{"foo":"bar","child":{"grandchild":{}}}',
    ],
    ['{"foo":"bar"}', '[{"op":"add","path":"/baz","value":"qux","xyz":123}]', '{"foo":"bar","baz":"qux"}'],
    ['{"/":9,"~1":10}', '[{"op":"test","path":"/~01","value":10}]', '{"/":9,"~1":10}'],
    [
      '{"foo":["bar"]}',
      '[{"op":"add","path":"/foo/-","value":["abc","def"]}]',
      '{"foo":["bar",["abc","def"]]}',
    ],
    ['{"a":1}', '[{"op":"copy","from":"/a","path":"/b"}]', '{"a":1,"b":1}'],
    ['{"a":1}', '[{"op":"replace","path":"","value":[1]}]', '[1]'],
  ])('%s with %s is %s', (target, patch, result) => {
    expect(jsonPatch(JSON.parse(target), JSON.parse(patch))).toEqual(JSON.parse(result))
  })

  it.each([
    ['{"baz":"qux"}', '[{"op":"test","path":"/baz","value":"bar"}]', 422],
    ['{"foo":"bar"}', '[{"op":"add","path":"/baz/bat","value":"qux"}]', 422],
    ['{"/":9,"~1":10}', '[{"op":"test","path":"/~01","value":"10"}]', 422],
    ['{"a":[1]}', '[{"op":"add","path":"/a/2","value":0}]', 422],
    ['{"a":[1]}', '[{"op":"remove","path":"/a/01"}]', 422],
    ['{"a":{}}', '[{"op":"move","from":"/a","path":"/a/b"}]', 422],
    ['{}', '[{"op":"remove","path":"/__proto__"}]', 422],
    ['{}', '[{"op":"jump","path":"/a"}]', 400],
    ['{}', '[{"op":"add","path":"/a"}]', 400],
    ['{}', '[{"op":"add","path":"a","value":1}]', 400],
    ['{}', '{"op":"add"}', 400],
  ])('%s with %s is refused', (target, patch, code) => {
    expect(() => jsonPatch(JSON.parse(target), JSON.parse(patch))).toThrow(
      expect.objectContaining({ name: 'PatchError', code }),
    )
  })

  it('leaves its target as it is, and pollutes no prototype', () => {
    const target = { a: [1] }
    jsonPatch(target, [{ op: 'add', path: '/a/-', value: 2 }])
    expect(target).toEqual({ a: [1] })
    jsonPatch({}, [{ op: 'add', path: '/__proto__', value: { polluted: 1 } }])
    expect(({} as { polluted?: 1 }).polluted).toBeUndefined()
  })

  it('copies no more than a body could hold, and takes 10,000 operations in little time', () => {
    const doubling = Array.from({ length: 60 }, () => ({ op: 'copy', from: '/a', path: '/a/-' }))
    expect(() => jsonPatch({ a: ['x'.repeat(1000)] }, doubling)).toThrow(PatchError)
    const large = { a: Object.fromEntries(Array.from({ length: 50_000 }, (_, i) => [`k${i}`, 'v'])) }
    const before = process.cpuUsage()
    jsonPatch(
      large,
      Array.from({ length: 10_000 }, (_, i) => ({ op: 'add', path: `/a/n${i}`, value: 1 })),
    )
    const { user, system } = process.cpuUsage(before)
    expect((user + system) / 1000).toBeLessThan(3000)
  })
})

describe('a strategic merge patch', () => {
  const containers = [
    { name: 'a', image: '1' },
    { name: 'b', image: '1' },
  ]

  it.each([
    ['maps as a merge patch', { x: { a: 1, b: 2 } }, { x: { b: null, c: 3 } }, { x: { a: 1, c: 3 } }],
    [
      'lists with a merge key by element',
      { containers },
      { containers: [{ name: 'b', image: '2' }] },
      { containers: [containers[0], { name: 'b', image: '2' }] },
    ],
    ['other lists as a whole', { rules: [1, 2] }, { rules: [3] }, { rules: [3] }],
    [
      '$patch: delete of an element',
      { containers },
      { containers: [{ name: 'a', $patch: 'delete' }] },
      { containers: [containers[1]] },
    ],
    ['$patch: replace of a map', { x: { a: 1 } }, { x: { $patch: 'replace', b: 2 } }, { x: { b: 2 } }],
    ['finalizers as a set', { finalizers: ['a'] }, { finalizers: ['b', 'a'] }, { finalizers: ['a', 'b'] }],
    [
      '$deleteFromPrimitiveList',
      { finalizers: ['a', 'b'] },
      { '$deleteFromPrimitiveList/finalizers': ['a'] },
      { finalizers: ['b'] },
    ],
    [
      '$setElementOrder as nothing',
      { containers },
      { '$setElementOrder/containers': [{ name: 'b' }] },
      { containers },
    ],
    ['$retainKeys', { s: { a: 1, b: 2 } }, { s: { $retainKeys: ['a', 'c'], c: 3 } }, { s: { a: 1, c: 3 } }],
  ])('merges %s', (_, target, patch, result) => expect(strategicPatch(target, patch)).toEqual(result))
})

describe('the fields of an object', () => {
  const object = {
    kind: 'Pod',
    metadata: { name: 'x', labels: { a: '1' }, finalizers: ['f'] },
    spec: { containers: [{ name: 'c', image: 'i' }], nodeName: 'n' },
  }

  it('are named as FieldsV1', () => {
    expect(fieldsV1(fieldsOf(object).keys())).toEqual({
      'f:metadata': { 'f:labels': { '.': {}, 'f:a': {} }, 'f:finalizers': { '.': {}, 'v:"f"': {} } },
      'f:spec': {
        'f:containers': { 'k:{"name":"c"}': { '.': {}, 'f:name': {}, 'f:image': {} } },
        'f:nodeName': {},
      },
    })
    expect([...fieldsOf(object).keys()].map(shownPath)).toContain('.spec.containers[name="c"].image')
  })

  it('are read back', () =>
    forAll(fc.dictionary(fc.string(), fc.dictionary(fc.string(), fc.string())), spec => {
      const paths = new Set(fieldsOf({ spec }).keys())
      expect(pathsOf(fieldsV1(paths))).toEqual(paths)
    }))

  it('are merged and removed one by one', () => {
    const applied = mergeApplied(object, {
      spec: { containers: [{ name: 'c', args: ['x'] }, { name: 'd' }] },
    })
    expect(applied).toMatchObject({
      spec: { nodeName: 'n', containers: [{ name: 'c', image: 'i', args: ['x'] }, { name: 'd' }] },
    })
    const without = (path: string[]) => withoutField(object, path) as typeof object
    expect(without(['f:metadata', 'f:labels', 'f:a']).metadata.labels).toEqual({})
    expect(without(['f:spec', 'f:containers', 'k:{"name":"c"}', 'f:image']).spec.containers).toEqual([
      { name: 'c' },
    ])
    expect(without(['f:spec', 'f:containers', 'k:{"name":"c"}', 'f:name']).spec).toEqual({ nodeName: 'n' })
    expect(without(['f:metadata', 'f:finalizers', 'v:"f"']).metadata).not.toHaveProperty('finalizers')
  })
})
