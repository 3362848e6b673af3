import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { judgeDocument } from '../../../../src/servers/authorization-server/client-documents/document-rules.js'
import { forAll } from '../../../support/for-all.js'

const URL_ID = 'https://client.example/client.json'
const section = (number: string) => `draft-ietf-oauth-client-id-metadata-document-02 §${number}`
const whole = { client_id: URL_ID, client_name: 'Client', redirect_uris: ['https://client.example/cb'] }
const judge = (document: unknown, contentType = 'application/json') =>
  judgeDocument(URL_ID, { body: JSON.stringify(document), contentType })
const key = { kty: 'EC', crv: 'P-256', x: 'a', y: 'b' }

describe('the document of a client', () => {
  it.each([
    ...['application/json', 'application/json; charset=utf-8', 'Application/JSON', 'application/client+json'],
  ])('may be %s', type => expect(judge(whole, type)).toEqual({ metadata: whole }))

  it('may come without a media type', () => {
    expect(judgeDocument(URL_ID, { body: JSON.stringify(whole) })).toEqual({ metadata: whole })
  })

  it.each<[string, object]>([
    ['none', { token_endpoint_auth_method: 'none' }],
    ['private_key_jwt with jwks', { token_endpoint_auth_method: 'private_key_jwt', jwks: { keys: [key] } }],
    [
      'private_key_jwt with jwks_uri',
      { token_endpoint_auth_method: 'private_key_jwt', jwks_uri: 'https://client.example/jwks' },
    ],
  ])('may say %s', (_name, more) => {
    expect(judge({ ...whole, ...more })).toEqual({ metadata: { ...whole, ...more } })
  })

  it.each([
    ...['text/html; charset=utf-8', 'text/plain', 'application/octet-stream', 'application/jsonp'],
    ...['text/json'],
  ])('is not %s', type => expect(judge(whole, type)).toMatchObject({ rule: section('4') }))

  it.each(['', '<!doctype html><p>hello', '{"client_id":', 'null', '[]', '"x"', '1', '\u0000'])(
    'is not %j',
    body =>
      expect(judgeDocument(URL_ID, { body, contentType: 'application/json' })).toEqual({
        problem: 'it is no JSON object',
        rule: section('4'),
        hidden: true,
      }),
  )

  it.each<[string, unknown, RegExp]>([
    ['another client', 'https://other.example/client.json', /other\.example/],
    ['its address with the default port', 'https://client.example:443/client.json', /:443/],
    ['its address in capitals', 'https://CLIENT.example/client.json', /CLIENT/],
    ['its address with a fragment', `${URL_ID}#`, /#/],
    ['nobody', undefined, /missing/],
    ['a list', [URL_ID], /an array/],
    ['an object', { toString: URL_ID }, /an object/],
  ])('does not name %s', (_name, client_id, problem) => {
    expect(judge({ ...whole, client_id })).toMatchObject({
      problem: expect.stringMatching(problem),
      rule: section('4'),
    })
  })

  it.each<[string, object, string]>([
    ['a secret', { client_secret: 'secret' }, '4.1'],
    ['an empty secret', { client_secret: null }, '4.1'],
    ['the end of a secret', { client_secret_expires_at: 0 }, '4.1'],
    ['client_secret_basic', { token_endpoint_auth_method: 'client_secret_basic' }, '4.1'],
    ['client_secret_post', { token_endpoint_auth_method: 'client_secret_post' }, '4.1'],
    ['client_secret_jwt', { token_endpoint_auth_method: 'client_secret_jwt' }, '4.1'],
    ['a private key', { jwks: { keys: [key, { ...key, d: 'c' }] } }, '4.1'],
    ['a symmetric key', { jwks: { keys: [{ kty: 'oct', k: 'c' }] } }, '4.1'],
    ['a prime of an RSA key', { jwks: { keys: [{ kty: 'RSA', p: 'c' }] } }, '4.1'],
    ['private_key_jwt without keys', { token_endpoint_auth_method: 'private_key_jwt' }, '8.2'],
  ])('does not have %s', (_name, more, number) => {
    expect(judge({ ...whole, ...more })).toMatchObject({ rule: section(number) })
  })

  it('shows no key in its error', () => {
    const judged = judge({ ...whole, jwks: { keys: [{ ...key, d: 'hidden' }] } })
    expect(JSON.stringify(judged)).not.toContain('hidden')
  })

  it('is judged without a throw, whatever it is', () =>
    forAll(fc.json(), fc.string(), (body, contentType) => {
      const judged = judgeDocument(URL_ID, { body, contentType })
      expect('metadata' in judged || judged.problem.length > 0).toBe(true)
    }))
})
