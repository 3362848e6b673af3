import { describe, expect, it } from 'vitest'
import { encodeForm } from '../../../../src/protocol/http/form.js'
import { bytes, type Header, type HttpRequest } from '../../../../src/protocol/http/message.js'
import { namedClients } from '../../../../src/servers/authorization-server/client-documents/documents.js'
import { basic, FORM, ISSUER } from '../support.js'

const ID = 'https://client.example/client.json'
const OWN = ['client_id', ID] as const
const OTHER = 'https://other.example/client.json'
const get = (path: string, pairs: readonly (readonly [string, string])[]): HttpRequest => ({
  method: 'GET',
  url: `${ISSUER}${path}?${encodeForm(pairs)}`,
  headers: [],
  body: new Uint8Array(),
})
const post = (
  path: string,
  pairs: readonly (readonly [string, string])[],
  headers: readonly Header[] = [FORM],
): HttpRequest => ({ method: 'POST', url: ISSUER + path, headers, body: bytes(encodeForm(pairs)) })
const assertion = (sub: unknown) =>
  `${Buffer.from('{"alg":"ES256"}').toString('base64url')}.${Buffer.from(JSON.stringify({ sub })).toString('base64url')}.c2ln`

describe('the clients that a request names by an address', () => {
  it.each<[string, HttpRequest]>([
    ['the query of an authorization request', get('/authorization', [['client_id', ID]])],
    ['the query of a logout', get('/end-session', [['client_id', ID]])],
    ['the form of an authorization request', post('/authorization', [['client_id', ID]])],
    ['the query of a login form', post(`/authorization?${encodeForm([OWN])}`, [['username', 'alice']])],
    ['the form of a pushed request', post('/par', [['client_id', ID]])],
    ['the form of a token request', post('/token', [['client_id', ID]])],
    ['a Basic header', post('/token', [], [FORM, basic(encodeURIComponent(ID), '')])],
    ['a client assertion', post('/token', [['client_assertion', assertion(ID)]])],
    ['an assertion beside client_id', post('/token', [['client_assertion', assertion(ID)], OWN])],
    ['a device request', post('/device_authorization', [['client_id', ID]])],
    ['a revocation', post('/revocation', [['client_id', ID]])],
    ['an introspection', post('/introspection', [['client_id', ID]])],
  ])('are in %s', (_name, http) => expect(namedClients(http)).toEqual([ID]))

  it.each<[string, HttpRequest]>([
    ['another name', post('/token', [['client_id', 'demo']])],
    ['another parameter', post('/token', [['redirect_uri', ID]])],
    ['another path', get('/userinfo', [['client_id', ID]])],
    ['the query of a token request', get('/token', [['client_id', ID]])],
    ['a body of another type', post('/token', [['client_id', ID]], [['content-type', 'application/json']])],
    ['a form that cannot be decoded', { ...post('/token', []), body: bytes(`client_id=${ID}&x=%zz`) }],
    ['a form that is too long', post('/token', [OWN, ['x', 'x'.repeat(65_536)]])],
    ['an assertion of another client', post('/token', [['client_assertion', assertion(7)]])],
    ['no assertion', post('/token', [['client_assertion', 'x.y']])],
    ['a Basic header of another client', post('/token', [], [FORM, basic('demo', 'secret')])],
  ])('are not in %s', (_name, http) => expect(namedClients(http)).toEqual([]))

  it('are two at most', () => {
    const ids = [ID, OTHER, 'https://third.example/c'].map(id => ['client_id', id] as const)
    expect(namedClients(get('/authorization', ids))).toEqual([ID, OTHER])
  })
})
