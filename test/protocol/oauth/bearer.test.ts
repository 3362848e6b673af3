import { describe, expect, it } from 'vitest'
import { challenge, parseBearer } from '../../../src/protocol/oauth/bearer.js'

describe('parseBearer', () => {
  it.each([
    // RFC 6750 §2.1
    [['Bearer mF_9.B5f-4.1JqM'], { kind: 'bearer', token: 'mF_9.B5f-4.1JqM' }],
    [['bearer abc=='], { kind: 'bearer', token: 'abc==' }],
    [['  BEARER   a+/~  '], { kind: 'bearer', token: 'a+/~' }],
    [[], { kind: 'none' }],
    [['Basic abc'], { kind: 'none' }],
    [[''], { kind: 'none' }],
    [['Bearerabc'], { kind: 'none' }],
  ])('reads %j', (values, found) => expect(parseBearer(values)).toEqual(found))

  it.each([
    ['Bearer'],
    ['Bearer '],
    ['Bearer a b'],
    ['Bearer a=b'],
    ['Bearer é'],
    ['Bearer a,b'],
    ['Bearer ='],
  ])('calls %j malformed', value => expect(parseBearer([value]).kind).toBe('malformed'))

  it('reads a token under the scheme DPoP where that is wanted (RFC 9449 §7.1)', () => {
    expect(parseBearer(['DPoP abc'], 'DPoP')).toEqual({ kind: 'bearer', token: 'abc' })
    expect(parseBearer(['DPoP abc'])).toEqual({ kind: 'none' })
    expect(parseBearer(['dpop'], 'DPoP')).toEqual({
      kind: 'malformed',
      problem: 'DPoP must be followed by one token',
    })
  })

  it('reports two Authorization headers as malformed', () => {
    expect(parseBearer(['Bearer a', 'Bearer a']).kind).toBe('malformed')
  })
})

describe('challenge', () => {
  it('writes the example of RFC 6750 §3', () => {
    expect(
      challenge('Bearer', [
        ['realm', 'example'],
        ['error', 'invalid_token'],
        ['error_description', 'The access token expired'],
        ['scope', undefined],
      ]),
    ).toBe('Bearer realm="example", error="invalid_token", error_description="The access token expired"')
  })

  it('is the bare scheme without parameters', () => expect(challenge('Bearer', [])).toBe('Bearer'))

  it('writes section signs in ASCII', () => {
    expect(challenge('Bearer', [['error_description', 'no jti (RFC 7519 §4.1.7) in eyJ…']])).toBe(
      'Bearer error_description="no jti (RFC 7519 section 4.1.7) in eyJ..."',
    )
  })

  it('keeps every text inside its quotes', () => {
    expect(challenge('Bearer', [['error_description', 'a"b\\c\r\nSet-Cookie: é']])).toBe(
      `Bearer error_description="a'b'c  Set-Cookie: ?"`,
    )
  })
})
