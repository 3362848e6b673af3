import { describe, expect, it } from 'vitest'
import {
  type HeaderList,
  header,
  publishedJson,
  text,
  withNosniff,
} from '../../../src/protocol/http/message.js'

const get = (document: unknown, headers: HeaderList = []) =>
  publishedJson(document)({ method: 'GET', url: 'https://a.example/', headers, body: new Uint8Array() })

describe('a published document', () => {
  const { status, headers, body } = get({ a: 1 })
  const tag = header({ headers }, 'etag')!

  it('has an entity tag of its content, and a maximum age', () => {
    expect([status, text(body), header({ headers }, 'cache-control')]).toEqual([
      200,
      '{"a":1}',
      'public, max-age=60',
    ])
    expect(tag).toMatch(/^"[\w-]{22}"$/)
    expect(header(get({ a: 1 }), 'etag')).toBe(tag)
    expect(header(get({ a: 2 }), 'etag')).not.toBe(tag)
  })

  it.each([tag, `W/${tag}`, `"x", ${tag}`, '*'])('is not sent again to a client that has it: %s', known => {
    const again = get({ a: 1 }, [['If-None-Match', known]])
    expect([again.status, again.body.length, header(again, 'etag')]).toEqual([304, 0, tag])
  })

  it.each(['"x"', tag.slice(1, -1), ''])('is sent to a client that has another one: %s', known => {
    expect(get({ a: 1 }, [['if-none-match', known]]).status).toBe(200)
  })
})

it('nosniff is added once', () => {
  const plain = { status: 200, headers: [], body: new Uint8Array() }
  expect(withNosniff(plain).headers).toEqual([['x-content-type-options', 'nosniff']])
  expect(withNosniff(withNosniff(plain)).headers).toHaveLength(1)
})
