import { validateHeaderValue } from 'node:http'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { legalValue, utf8Value } from '../../../src/protocol/http/message.js'
import { forAll } from '../../support/for-all.js'

it('keeps every value that may be written, byte for byte', () => {
  for (const value of ['', 'text/plain', 'a\tb', 'caf\xe9', '\x80\xff']) expect(legalValue(value)).toBe(value)
})

it('writes characters beyond Latin-1 in UTF-8, and control characters as spaces', () => {
  expect(Buffer.from(legalValue('ключ é'), 'latin1').toString('utf8')).toBe('ключ é')
  expect(legalValue('a\r\nset-cookie: b\0\x7f')).toBe('a  set-cookie: b  ')
  expect(Buffer.from(utf8Value('é'), 'latin1').toString('utf8')).toBe('é')
})

it('makes any text legal', () =>
  forAll(fc.string({ unit: 'binary' }), text => {
    expect(() => validateHeaderValue('x', legalValue(text))).not.toThrow()
  }))
