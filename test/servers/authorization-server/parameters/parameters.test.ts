import { describe, expect, it } from 'vitest'
import { readChallenge } from '../../../../src/servers/authorization-server/parameters/challenge.js'
import {
  findResponseType,
  responseModeError,
  responseModeOf,
  responseTypeError,
} from '../../../../src/servers/authorization-server/parameters/response-type.js'
import {
  grantedScope,
  narrowedScope,
} from '../../../../src/servers/authorization-server/parameters/scopes.js'
import { thrown } from '../../../support/refusal.js'
import { CHALLENGE, client, settings, VERIFIER } from '../support.js'

describe('the scope that a client gets', () => {
  const granted = (requested: string | undefined, allowed_scopes?: readonly string[]) =>
    grantedScope(requested, client('demo', allowed_scopes === undefined ? {} : { allowed_scopes }), settings)

  it('is the requested one, or the default', () => {
    expect(granted('openid email')).toEqual(['openid', 'email'])
    expect(granted(undefined)).toEqual(['records:read'])
  })

  it('leaves out values that the client is not allowed', () => {
    expect(granted('openid email records:read', ['email', 'openid'])).toEqual(['openid', 'email'])
  })

  it.each<[string, string | undefined, readonly string[] | undefined, string, string?]>([
    ['a malformed value', 'a"b', undefined, 'malformed', 'a"b'],
    ['an unknown value', 'openid banana', undefined, 'banana is unknown'],
    ['the name of a method', 'toString', undefined, 'toString is unknown'],
    ['a long unknown value', 'x'.repeat(61), undefined, `${'x'.repeat(57)}`],
    ['no allowed value', 'openid', ['email'], 'not allowed any of the scopes'],
    ['a default that is not allowed', undefined, ['email'], 'scope is missing'],
  ])('is refused for %s', (_name, requested, allowed, why, evidence) => {
    const error = thrown(() => granted(requested, allowed))
    expect(error).toMatchObject({ code: 'invalid_scope', evidence })
    expect(error.description).toContain(why)
    expect(error.description).not.toContain('x'.repeat(61))
  })
})

describe('the scope of one access token', () => {
  const narrowed = (requested: string | undefined) => narrowedScope(requested, ['a', 'b'], 'RFC 6749 §6')

  it('is all of the granted scope, or the requested part', () => {
    expect(narrowed(undefined)).toEqual(['a', 'b'])
    expect(narrowed('b')).toEqual(['b'])
    expect(narrowed('b a')).toEqual(['b', 'a'])
  })

  it.each([
    ['a c', 'c is more than was granted', 'granted: a b'],
    ['', 'malformed', ''],
    ['"', 'malformed', '"'],
  ])('is never more: %j', (requested, why, evidence) => {
    const error = thrown(() => narrowed(requested))
    expect(error).toMatchObject({ code: 'invalid_scope', rule: 'RFC 6749 §6', evidence })
    expect(error.description).toContain(why)
  })
})

describe('a code challenge', () => {
  const plain = client('plain', { code_challenge_methods: ['S256', 'plain'] })
  const demanding = client('spa', { require_pkce: true })

  it('is read with its method; plain is meant without one', () => {
    const values = { code_challenge: CHALLENGE, code_challenge_method: 'S256' }
    expect(readChallenge(values, demanding)).toEqual({ value: CHALLENGE, method: 'S256' })
    expect(readChallenge({ code_challenge: VERIFIER }, plain)).toEqual({ value: VERIFIER, method: 'plain' })
    expect(readChallenge({}, plain)).toBeUndefined()
  })

  it.each([
    [{}, demanding, 'must use PKCE'],
    [{ code_challenge_method: 'S256' }, plain, 'without code_challenge'],
    [{ code_challenge: CHALLENGE }, demanding, 'must be S256; plain'],
    [{ code_challenge: CHALLENGE, code_challenge_method: 's256' }, plain, 'must be S256 or plain'],
    [{ code_challenge: 'x', code_challenge_method: 'S256' }, plain, 'code_challenge'],
  ])('%j is refused for some clients', (values, who, why) => {
    const error = thrown(() => readChallenge(values, who))
    expect(error).toMatchObject({ code: 'invalid_request', rule: 'RFC 7636 §4.4.1' })
    expect(error.description).toContain(why)
  })
})

describe('a response type', () => {
  it.each([
    ['code', 'code'],
    ['token id_token', 'id_token token'],
    ['id_token token', 'id_token token'],
    ['token code', 'code token'],
    ['token id_token code', 'code id_token token'],
    ['none', 'none'],
    ['code none', undefined],
    ['code code', undefined],
    ['', undefined],
    [undefined, undefined],
  ])('%j is %j', (value, type) => {
    expect(findResponseType(value)).toBe(type)
  })

  it.each([
    [undefined, 'invalid_request'],
    ['', 'unsupported_response_type'],
    ['code none', 'unsupported_response_type'],
  ])('%j that is not known is the error %s', (value, code) => {
    expect(responseTypeError(value)).toMatchObject({ code, rule: 'RFC 6749 §3.1.1', evidence: value })
  })

  it.each<[string | undefined, string | undefined, string, boolean]>([
    ['code', undefined, 'query', false],
    ['code', 'query', 'query', false],
    ['code', 'fragment', 'fragment', false],
    ['code', 'form_post', 'form_post', false],
    ['code', 'cookie', 'query', true],
    ['token', undefined, 'fragment', false],
    ['id_token', 'form_post', 'form_post', false],
    ['token', 'query', 'fragment', true],
    ['x id_token', 'query', 'fragment', true],
    ['x token', undefined, 'fragment', false],
    ['tokens', undefined, 'query', false],
    [undefined, undefined, 'query', false],
    [undefined, 'query', 'query', false],
  ])('%j with the mode %j is answered in the %s; an error is %j', (type, asked, mode, error) => {
    const request = { responseType: type, asked, signs: true, encrypted: false }
    expect(responseModeOf(request)).toEqual({ delivery: mode, jwt: false })
    const refused = responseModeError(request)
    if (error) expect(refused).toMatchObject({ code: 'invalid_request' })
    else expect(refused).toBeUndefined()
  })

  it.each([
    ['code', 'jwt', 'query', false],
    ['none', 'jwt', 'query', false],
    ['token', 'jwt', 'fragment', false],
    ['code id_token', 'jwt', 'fragment', false],
    ['unknown', 'jwt', 'query', false],
    ['code', 'query.jwt', 'query', false],
    ['code', 'fragment.jwt', 'fragment', false],
    ['code', 'form_post.jwt', 'form_post', false],
    ['id_token', 'form_post.jwt', 'form_post', false],
    ['token', 'query.jwt', 'query', true],
    ['code token', 'query.jwt', 'query', true],
  ])('%s with %s travels as a JWT in the %s; an error is %j', (responseType, asked, delivery, error) => {
    const request = { responseType, asked, signs: true, encrypted: false }
    expect(responseModeOf(request)).toEqual({ delivery, jwt: true })
    expect(responseModeError(request)?.rule).toBe(error ? 'JARM §2.3.1' : undefined)
  })

  it('query.jwt is for tokens once the response is encrypted', () => {
    const request = { responseType: 'token', asked: 'query.jwt', signs: true, encrypted: true }
    expect(responseModeOf(request)).toEqual({ delivery: 'query', jwt: true })
    expect(responseModeError(request)).toBeUndefined()
  })

  it.each(['jwt', 'query.jwt', 'fragment.jwt', 'form_post.jwt'])('%s needs published keys', asked => {
    const request = { responseType: 'token', asked, signs: false, encrypted: false }
    expect(responseModeOf(request)).toEqual({ delivery: 'fragment', jwt: false })
    expect(responseModeError(request)?.description).toContain('this server knows: query, fragment, form_post')
  })

  it.each(['.jwt', 'jwt.jwt', 'jwt.query', 'query.JWT', 'toString'])('%j is no response mode', asked => {
    const request = { responseType: 'code', asked, signs: true, encrypted: false }
    expect(responseModeOf(request)).toEqual({ delivery: 'query', jwt: false })
    expect(responseModeError(request)).toMatchObject({ code: 'invalid_request', evidence: asked })
  })
})
