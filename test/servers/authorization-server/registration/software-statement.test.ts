import { type JWTPayload, SignJWT } from 'jose'
import { describe, expect, it } from 'vitest'
import { rsaPair } from '../../../support/rsa-keys.js'
import { expectError, ISSUER, json } from '../support.js'
import { type Members, registrationLab, WEB } from './support.js'

const STATED = 'https://directory.example'
const jwks = { keys: [{ ...rsaPair(2).publicKey.export({ format: 'jwk' }), kid: 'a' }] }
const statementIssuers = [{ issuer: STATED, jwks }]
const NOW = Date.UTC(2030, 0, 1) / 1000

const UNAPPROVED = 'unapproved_software_statement'
const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
const signed = (claims: JWTPayload, key: 2 | 3 = 2, header: object = {}) =>
  new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'a', ...header }).sign(rsaPair(key).privateKey)

const CLAIMS: JWTPayload & Members = {
  iss: STATED,
  software_id: '4NRB1-0XZABZI9E6-5SM3R',
  client_name: 'Stated name',
  client_uri: 'https://client.example/',
}

describe('a software statement', () => {
  it('is returned as it was sent, and its values go first', async () => {
    const { registered, manage, events } = registrationLab({ statementIssuers })
    const statement = await signed({ ...CLAIMS, redirect_uris: ['https://stated.example/cb'], favourite: 1 })
    const client = await registered({ ...WEB, client_name: 'Mine', software_statement: statement })
    expect(client).toMatchObject({
      software_statement: statement,
      client_name: 'Stated name',
      software_id: CLAIMS.software_id,
      redirect_uris: ['https://stated.example/cb'],
    })
    expect(client).not.toHaveProperty('iss')
    expect(events.at(-1)).toMatchObject({ type: 'client.registered', statement_issuer: STATED })
    expect(events.at(-1)).not.toHaveProperty('ignored')
    expect(json(await manage(client, 'GET'))).toEqual(client)
  })

  it('goes before translations of its values too', async () => {
    const { registered, events } = registrationLab({ statementIssuers })
    const translated = { 'client_name#de': 'Bank', 'tos_uri#de': 'https://client.example/agb' }
    const client = await registered({ ...WEB, ...translated, software_statement: await signed(CLAIMS) })
    expect(client).toMatchObject({
      client_name: 'Stated name',
      'tos_uri#de': 'https://client.example/agb',
    })
    expect(client).not.toHaveProperty(['client_name#de'])
    expect(events.at(-1)).toMatchObject({ ignored: ['client_name#de'] })
    const own = { ...CLAIMS, 'client_name#de': 'Genannt' }
    expect(await registered({ ...WEB, ...translated, software_statement: await signed(own) })).toMatchObject({
      'client_name#de': 'Genannt',
    })
  })

  it('may name this server as its audience, and its times', async () => {
    const { register } = registrationLab({ statementIssuers })
    for (const aud of [ISSUER, [`${ISSUER}/register`, 'x']]) {
      const statement = await signed({ ...CLAIMS, aud, iat: NOW, exp: NOW + 60 })
      expect((await register({ ...WEB, software_statement: statement })).status).toBe(201)
    }
  })

  it.each<[string, () => unknown, error?: string]>([
    ['signed by another key', () => signed(CLAIMS, 3)],
    ['expired', () => signed({ ...CLAIMS, exp: NOW - 1 })],
    ['not valid yet', () => signed({ ...CLAIMS, nbf: NOW + 600 })],
    ['for another server', () => signed({ ...CLAIMS, aud: 'https://other.example' })],
    ['without iss', () => signed({ ...CLAIMS, iss: undefined } as unknown as JWTPayload)],
    ['of a foreign issuer', () => signed({ ...CLAIMS, iss: 'https://evil.example' }), UNAPPROVED],
    ['unsigned', async () => `${part({ alg: 'none' })}.${(await signed(CLAIMS)).split('.')[1]}.`],
    ['no JWT', () => 'abc'],
    ['no text', () => ({ iss: STATED })],
    ['very long', () => signed({ ...CLAIMS, x: 'x'.repeat(20_000) })],
  ])('is refused when it is %s', async (_, make, error = 'invalid_software_statement') => {
    const { register } = registrationLab({ statementIssuers })
    expectError(await register({ ...WEB, software_statement: await make() }), 400, error)
  })

  it('brings no faulty values in', async () => {
    const { register } = registrationLab({ statementIssuers })
    const statement = await signed({ ...CLAIMS, redirect_uris: ['javascript:alert(1)'] })
    expectError(await register({ ...WEB, software_statement: statement }), 400, 'invalid_redirect_uri')
  })

  it('is refused by a server that trusts no issuer', async () => {
    const { register } = registrationLab()
    const response = await register({ ...WEB, software_statement: await signed(CLAIMS) })
    expectError(response, 400, 'unapproved_software_statement')
  })
})
