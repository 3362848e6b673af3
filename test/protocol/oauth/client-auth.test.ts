import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { basicHeader, parseBasic, readClientCredentials } from '../../../src/protocol/oauth/client-auth.js'
import { forAll } from '../../support/for-all.js'

const basic = (pair: string | Buffer) => `Basic ${Buffer.from(pair).toString('base64')}`

describe('parseBasic', () => {
  it('reads the examples of RFC 6749 §2.3.1, §4.1.3 and RFC 7617 §2', () => {
    expect(parseBasic('Basic czZCaGRSa3F0Mzo3RmpmcDBaQnIxS3REUmJuZlZkbUl3')).toEqual([
      { clientId: 's6BhdRkqt3', secret: '7Fjfp0ZBr1KtDRbnfVdmIw' },
    ])
    expect(parseBasic('Basic czZCaGRSa3F0MzpnWDFmQmF0M2JW')).toEqual([
      { clientId: 's6BhdRkqt3', secret: 'gX1fBat3bV' },
    ])
    expect(parseBasic('Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==')).toEqual([
      { clientId: 'Aladdin', secret: 'open sesame' },
    ])
    expect(parseBasic('Basic dGVzdDoxMjPCow==')).toEqual([{ clientId: 'test', secret: '123£' }])
  })

  it.each([
    // openid-client and oauth4webapi write - as %2D
    ['my%2Dclient:s%2D1', ['my-client:s-1', 'my%2Dclient:s%2D1']],
    // curl and Authlib send the halves raw
    ['demo:a+b/c=', ['demo:a b/c=', 'demo:a+b/c=']],
    ['demo:100%', ['demo:100%']],
    ['demo:a&b=c', ['demo:a&b=c']],
    ['demo:a%3Ab:c', ['demo:a:b:c', 'demo:a%3Ab:c']],
    ['demo:', ['demo:']],
    [':secret', [':secret']],
    [':', [':']],
  ])('offers both readings of %s', (pair, readings) => {
    expect(parseBasic(basic(pair))?.map(each => `${each.clientId}:${each.secret}`)).toEqual(readings)
  })

  it.each([
    '',
    'Basic',
    'Basic ',
    'Basic ====',
    'Basic ZGVtbw',
    'Basic a:b',
    'Basic ZGVtbzpz ZGVtbzpz',
    'Bearer ZGVtbzpz',
    'BasicZGVtbzpz',
    'Digest Basic ZGVtbzpz',
  ])('refuses %j', value => expect(parseBasic(value)).toBeUndefined())

  it.each(['basic ZGVtbzpz', 'BASIC  ZGVtbzpz', ' Basic ZGVtbzpz '])('reads the scheme of %j', value => {
    expect(parseBasic(value)).toEqual([{ clientId: 'demo', secret: 's' }])
  })

  it('reads back what basicHeader writes, first reading first', async () => {
    const text = fc.string({ unit: 'grapheme' }).map(each => each.toWellFormed())
    await forAll(text, text, (clientId, secret) => {
      expect(parseBasic(basicHeader(clientId, secret)[1])?.[0]).toEqual({ clientId, secret })
    })
  })

  it('throws for no input', () =>
    forAll(fc.uint8Array(), raw => {
      const readings = parseBasic(basic(Buffer.from(raw)))
      expect(readings === undefined || readings.length > 0).toBe(true)
    }))
})

describe('readClientCredentials', () => {
  const header = basic('demo:s3cret')

  it.each([
    [[], {}, { method: 'none', clientId: undefined }],
    [[], { client_id: 'spa' }, { method: 'none', clientId: 'spa' }],
    [
      [],
      { client_id: 'demo', client_secret: 's' },
      { method: 'client_secret_post', clientId: 'demo', secret: 's' },
    ],
    [
      [],
      { client_id: 'demo', client_password: 's' },
      { method: 'client_secret_post', clientId: 'demo', secret: 's' },
    ],
    [
      [],
      { client_id: 'demo', client_assertion: 'e30.e30.', client_assertion_type: 'jwt-bearer' },
      { method: 'private_key_jwt', clientId: 'demo', assertion: 'e30.e30.', assertionType: 'jwt-bearer' },
    ],
    [[], { client_assertion: 'e30.e30.' }, { method: 'private_key_jwt', assertion: 'e30.e30.' }],
    [[], { client_secret: 's' }, { method: 'client_secret_post', clientId: undefined, secret: 's' }],
    [[header], {}, { method: 'client_secret_basic', readings: [{ clientId: 'demo', secret: 's3cret' }] }],
    [
      [header],
      { client_id: 'demo' },
      { method: 'client_secret_basic', readings: [{ clientId: 'demo', secret: 's3cret' }] },
    ],
  ])('header %j, body %j', (authorization, body, found) => {
    expect(readClientCredentials(authorization, body)).toEqual(found)
  })

  it.each([
    [[], { client_secret: 's', client_password: 's' }, 'invalid_request', false],
    [[header], { client_secret: 's3cret' }, 'invalid_request', true],
    [[header], { client_password: 's3cret' }, 'invalid_request', true],
    [[header], { client_id: 'other' }, 'invalid_request', true],
    [[header], { client_assertion: 'e30.e30.' }, 'invalid_request', true],
    [[], { client_assertion: 'e30.e30.', client_secret: 's' }, 'invalid_request', false],
    [[], { client_assertion_type: 'jwt-bearer' }, 'invalid_request', false],
    [[header], { client_assertion_type: 'jwt-bearer' }, 'invalid_request', true],
    [[header, header], {}, 'invalid_client', true],
    [['Bearer x'], {}, 'invalid_client', true],
    [['Basic !'], {}, 'invalid_client', true],
    [[''], {}, 'invalid_client', true],
  ])('header %j, body %j breaks a rule', (authorization, body, code, usedHeader) => {
    expect(readClientCredentials(authorization, body)).toMatchObject({ code, usedHeader })
  })

  it('accepts the client_id of either reading of the header', () => {
    const either = basic('my%2Dclient:s')
    for (const client_id of ['my-client', 'my%2Dclient']) {
      expect(readClientCredentials([either], { client_id })).toMatchObject({ method: 'client_secret_basic' })
    }
  })

  it('lets no secret into a problem', () => {
    const problem = readClientCredentials([basic('demo:hunter2')], { client_secret: 'hunter2' })
    expect(JSON.stringify(problem)).not.toContain('hunter2')
  })
})
