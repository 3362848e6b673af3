import { describe, expect, it } from 'vitest'
import { metadataIn, readDeletion, readRegistration } from '../../../src/flows/answers/registration-answer.js'
import type { Exchange } from '../../../src/protocol/http/exchange.js'
import type { HeaderList } from '../../../src/protocol/http/message.js'

const answer = (
  status: number,
  body: unknown,
  headers: HeaderList = [['content-type', 'application/json']],
) =>
  ({
    request: { method: 'POST', url: 'https://as.test/register', headers: [], body: '' },
    response: { status, headers, body: typeof body === 'string' ? body : JSON.stringify(body) },
  }) as unknown as Exchange

/** The example of RFC 7591 §3.2.1. */
const example = {
  client_id: 's6BhdRkqt3',
  client_secret: 'cf136dc3c1fc93f31185e5885805d',
  client_id_issued_at: 2893256800,
  client_secret_expires_at: 2893276800,
  redirect_uris: ['https://client.example.org/callback', 'https://client.example.org/callback2'],
  registration_client_uri: 'https://as.test/register/s6BhdRkqt3',
  registration_access_token: 'reg-23410913-abewfq.123483',
}
const sent = { redirect_uris: [example.redirect_uris[0]] }
const read = (body: unknown, status = 201) => readRegistration(answer(status, body), sent, { expected: 201 })
const remarks = (body: object, status?: number) =>
  read(body, status)
    .checks.filter(({ ok }) => !ok)
    .map(({ name }) => name)

describe('readRegistration', () => {
  it('reads the example of RFC 7591 §3.2.1, with its management', () => {
    const { clientId, management, checks } = read(example)
    expect(clientId).toBe('s6BhdRkqt3')
    expect(management).toEqual({
      url: example.registration_client_uri,
      token: example.registration_access_token,
    })
    expect(checks.every(({ ok }) => ok)).toBe(true)
  })

  it.each([
    [{ redirect_uris: [] }, 201, ['redirect_uris']],
    [{ client_secret_expires_at: undefined }, 201, ['client_secret_expires_at']],
    [{ registration_client_uri: undefined }, 201, ['management']],
    [{ registration_client_uri: 'https://evil.test/register/x' }, 201, ['management']],
    [{ registration_client_uri: 'http://as.test/register/x' }, 201, ['management']],
    [{}, 200, ['status']],
  ])('remarks on %j with %d: %j', (change, status, names) => {
    expect(remarks({ ...example, ...change }, status)).toEqual(names)
  })

  it('keeps no token for another origin', () => {
    expect(read({ ...example, registration_client_uri: 'https://evil.test/' }).management).toBeUndefined()
  })

  it.each([
    [{ ...example, client_id: undefined }, 201, 'no client_id'],
    [{ error: 'invalid_redirect_uri' }, 400, 'invalid_redirect_uri'],
    [[], 201, 'no JSON object'],
  ])('refuses %j with %d: %s', (body, status, problem) => {
    expect(() => read(body, status)).toThrow(problem)
  })

  it('names the refusal of the token', () => {
    const challenged = answer(401, '', [
      ['www-authenticate', 'Bearer error="invalid_token", error_description="gone"'],
    ])
    expect(() => readRegistration(challenged, {}, { expected: 200 })).toThrow('invalid_token: gone')
  })

  it('keeps the token so far where an answer repeats none (RFC 7592 §3)', () => {
    const before = { url: 'https://as.test/register/x', token: 'old' }
    const { management } = readRegistration(answer(200, { client_id: 'x' }), {}, { before, expected: 200 })
    expect(management).toEqual(before)
  })
})

describe('an update and a deletion', () => {
  it('an update leaves out the members of the server (RFC 7592 §2.2)', () => {
    expect(Object.keys(metadataIn(example))).toEqual(['client_id', 'client_secret', 'redirect_uris'])
  })

  it('a deletion is a 204', () => {
    expect(readDeletion(answer(204, ''))).toMatchObject([{ ok: true }])
    expect(readDeletion(answer(200, ''))).toMatchObject([{ ok: false, advice: true }])
    expect(() => readDeletion(answer(403, { error: 'access_denied' }))).toThrow('access_denied')
  })
})
