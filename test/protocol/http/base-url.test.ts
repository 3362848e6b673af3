import { describe, expect, it } from 'vitest'
import { baseUrl, quotedUrl } from '../../../src/protocol/http/address.js'

describe('the base URL of a server', () => {
  it.each(['https://localhost:8443', 'http://10.0.0.1:6443/', 'https://id.example/tenant'])('is %s', text =>
    expect(baseUrl(text)?.href).toBe(new URL(text).href),
  )

  it.each([
    '',
    'localhost:8443',
    'ftp://id.example',
    'https://alice@id.example',
    'https://:secret@id.example',
    'https://id.example/?a=b',
    'https://id.example/#a',
  ])('is not %j', text => expect(baseUrl(text)).toBeUndefined())
})

it.each([
  ['https://id.example/path', '"https://id.example/path"'],
  ['https://alice:secret@id.example', '"https://…@id.example"'],
  ['alice:sec/ret@id.example', '"…@id.example"'],
  ['https://a@b:secret@id.example', '"https://…@id.example"'],
  ['https://id.example/?token=secret#secret', '"https://id.example/?…"'],
  ['https://id.example/#secret', '"https://id.example/#…"'],
])('a URL in a message shows %s as %s', (text, shown) => expect(quotedUrl(text)).toBe(shown))
