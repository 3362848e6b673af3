import { describe, expect, it } from 'vitest'
import { bytes } from '../../../../src/protocol/http/message.js'
import {
  FormTooLarge,
  MAX_FORM_BYTES,
  readForm,
  readFormBody,
  refuseRepeated,
} from '../../../../src/servers/authorization-server/parameters/form-body.js'
import { thrown } from '../../../support/refusal.js'
import { FORM } from '../support.js'

const post = (body: string | Uint8Array, type: string = FORM[1]) => ({
  method: 'POST',
  url: 'https://as.example/token',
  headers: [['content-type', type] as const],
  body: typeof body === 'string' ? bytes(body) : body,
})

describe('the form of a request', () => {
  it.each([
    ['a=1&b=%C3%A9+x&a=2', FORM[1]],
    ['a=1&b=%C3%A9+x&a=2', 'Application/X-WWW-Form-Urlencoded; charset=utf-8'],
  ])('%s of the type %s is read', (body, type) => {
    expect(readFormBody(post(body, type))).toEqual([
      ['a', '1'],
      ['b', 'é x'],
      ['a', '2'],
    ])
  })

  it.each<[string, Uint8Array | string, string, string]>([
    ['JSON', '{}', 'application/json', 'content type'],
    ['no type', 'a=1', '', 'content type'],
    ['bytes that are not UTF-8', new Uint8Array([0x61, 0x3d, 0xff]), FORM[1], 'the body cannot be decoded'],
    ['an escape that is not UTF-8', 'a=%FF', FORM[1], 'the body cannot be decoded'],
    ['half an escape', 'a=%4', FORM[1], 'the body cannot be decoded'],
  ])('is refused with %s', (_name, body, type, why) => {
    const error = thrown(() => readFormBody(post(body, type)))
    expect(error).toMatchObject({ code: 'invalid_request', rule: 'RFC 6749 Appendix B', name: 'OAuthError' })
    expect(error.description).toContain(why)
  })

  it('may be 64 KiB long', () => {
    const body = `a=${'x'.repeat(MAX_FORM_BYTES - 2)}`
    expect(MAX_FORM_BYTES).toBe(65_536)
    expect(readFormBody(post(body))).toHaveLength(1)
    const error = thrown(() => readFormBody(post(`${body}x`)))
    expect(error).toBeInstanceOf(FormTooLarge)
    expect(error).toMatchObject({ code: 'invalid_request', name: 'FormTooLarge' })
    expect(error.description).toContain('longer than 65536 bytes')
  })

  it('names the text that cannot be decoded', () => {
    expect(readForm('a=1', 'the query')).toEqual([['a', '1']])
    expect(thrown(() => readForm('a=%', 'the query')).description).toMatch(/^the query cannot be decoded: /)
  })
})

describe('a repeated parameter', () => {
  it('is refused by its name', () => {
    expect(() => refuseRepeated([], 'RFC 6749 §3.1')).not.toThrow()
    const error = thrown(() => refuseRepeated(['scope', 'state'], 'RFC 6749 §3.1'))
    expect(error).toMatchObject({ code: 'invalid_request', rule: 'RFC 6749 §3.1' })
    expect(error.description).toContain('scope is repeated')
  })
})
