import { describe, expect, it } from 'vitest'
import { claimSources } from '../../../src/flows/answers/claim-sources.js'
import { bytes, type HttpResponse, header, jsonResponse } from '../../../src/protocol/http/message.js'
import { ecKey, makeJwt } from '../../protocol/tokens/jwt-maker.js'
import { NOW } from '../support/network.js'
import { stepsOf } from '../support/records.js'
import { issued, jwks, type Script, token, walk } from '../support/scripted.js'

const bank = ecKey('bank')
const seconds = NOW / 1000
const said = { iss: 'https://bank.test', iat: seconds, exp: seconds + 60, credit_score: 650, other: 'x' }
const statement = (changes: object = {}, by = bank) => makeJwt(by, { kid: 'bank' }, { ...said, ...changes })
const jwt = (body: string, type = 'application/jwt'): HttpResponse => ({
  status: 200,
  headers: [['content-type', type]],
  body: bytes(body),
})

/** The steps of sources, after a login whose userinfo has these sources for the claim `credit_score`. */
async function sources(source: unknown, script: Script = {}) {
  const claims = { sub: 'alice', _claim_names: { credit_score: 'a' }, _claim_sources: { a: source } }
  const known: Script = {
    'GET /.well-known/openid-configuration': jsonResponse(200, {
      issuer: 'https://bank.test',
      authorization_endpoint: 'https://bank.test/a',
      token_endpoint: 'https://bank.test/t',
      jwks_uri: 'https://bank.test/bank-keys',
    }),
    'GET /bank-keys': jsonResponse(200, { keys: [{ ...bank.publicJwk, alg: bank.alg }] }),
    'GET /k': jsonResponse(200, jwks),
    'GET /u': jsonResponse(200, claims),
    'POST /t': () => issued({ id_token: token({ nonce: sentNonce }), scope: 'openid' }),
  }
  let sentNonce: string | undefined
  const { records, sent, outcome } = await walk('code', {
    wanted: { scope: 'openid' },
    script: { ...known, ...script },
    ports: {
      userAgent: {
        async *authorize({ request: { redirectUri, state, nonce } }) {
          sentNonce = nonce
          yield {
            name: 'authorization_response',
            landed: `${redirectUri}?code=c&state=${state}&iss=https://as.test`,
          }
        },
      },
    },
  })
  const steps = stepsOf(records).filter(({ name }) => name === 'claims_request')
  return { step: steps[0], steps, sent, outcome }
}

describe('aggregated claims (OpenID Connect Core §5.6.2)', () => {
  it('are verified with the keys of their provider, and shown', async () => {
    const { step, outcome } = await sources({ JWT: statement() })
    expect(outcome.outcome).toBe('granted')
    expect(step).toMatchObject({
      title: 'verify aggregated claims',
      note: 'credit_score=650, verified, by https://bank.test',
    })
    expect(step?.checks?.every(each => each.ok)).toBe(true)
    expect(step?.note).not.toContain('other')
  })

  it('of the provider of the login are verified with its keys', async () => {
    const { step } = await sources({ JWT: token({ credit_score: 1, aud: undefined }) })
    expect(step?.note).toBe('credit_score=1, verified, by https://as.test')
  })

  it.each<[string, string, string]>([
    ['by another key', statement({}, ecKey('bank')), 'the signature of its claims is not good'],
    ['that expired', statement({ exp: seconds - 60 }), 'the exp of its claims is not good'],
    ['for another client', statement({ aud: 'other' }), 'the aud of its claims is not good'],
    ['without issuer', statement({ iss: undefined }), 'the claims name no issuer'],
    ['of an issuer without TLS', statement({ iss: 'http://bank.test' }), 'it is no https address'],
    ['of an issuer that others publish', statement({ iss: 'https://evil.test' }), 'cannot be read'],
    ['about something else', statement({ credit_score: undefined }), 'none of the claims'],
    ['that are no JWT', 'x', 'no signed JWT'],
    [
      'by alg none',
      `${Buffer.from('{"alg":"none"}').toString('base64url')}.${statement().split('.')[1]}.`,
      '',
    ],
  ])('%s are not used, and the login is good', async (_name, text, problem) => {
    const { step, outcome } = await sources({ JWT: text })
    expect(outcome.outcome).toBe('granted')
    expect(step?.note).toBe('credit_score not used')
    const failed = step?.checks?.find(({ name }) => name === 'claims_source')
    expect(failed).toMatchObject({ ok: false, advice: true, detail: expect.stringContaining(problem) })
  })
})

describe('distributed claims', () => {
  const source = { endpoint: 'https://bank.test/claims', access_token: 'secret' }

  it('are fetched with the token of the source, and verified', async () => {
    const { step, sent } = await sources(source, { 'GET /claims': jwt(statement()) })
    expect(step).toMatchObject({
      title: 'GET /claims',
      to: 'resource_server',
      note: 'credit_score=650, verified, by https://bank.test',
    })
    const asked = sent.find(({ url }) => url === source.endpoint)
    expect(asked && header(asked, 'authorization')).toBe('Bearer secret')
  })

  it('may need no token', async () => {
    const { sent } = await sources({ endpoint: source.endpoint }, { 'GET /claims': jwt(statement()) })
    const asked = sent.find(({ url }) => url === source.endpoint)
    expect(asked && header(asked, 'authorization')).toBeUndefined()
  })

  it.each<[string, unknown, Script, string]>([
    ['an address without TLS', { endpoint: 'http://bank.test/claims' }, {}, 'no https address'],
    ['no address', { endpoint: 'x' }, {}, 'no https address'],
    ['no source', {}, {}, 'neither JWT nor endpoint'],
    ['a refusal', source, { 'GET /claims': jsonResponse(401, {}) }, 'answered 401'],
    ['a redirect', source, { 'GET /claims': { status: 302, headers: [], body: bytes('') } }, 'answered 302'],
    ['JSON', source, { 'GET /claims': jsonResponse(200, said) }, 'another type'],
    ['nothing', source, {}, 'does not answer'],
  ])('from %s are not used', async (_name, from, script, problem) => {
    const { step, outcome } = await sources(from, script)
    expect(outcome.outcome).toBe('granted')
    const failed = step?.checks?.find(({ name }) => name === 'claims_source')
    expect(failed).toMatchObject({ ok: false, detail: expect.stringContaining(problem) })
  })
})

describe('claimSources', () => {
  it.each([
    [{}],
    [{ _claim_names: 1, _claim_sources: { a: {} } }],
    [{ _claim_names: { x: 'a' }, _claim_sources: { a: 'text' } }],
    [{ _claim_names: { x: 'toString' }, _claim_sources: {} }],
  ])('finds nothing in %j', claims => expect(claimSources(claims)).toEqual([]))

  it('reads five sources at most', () => {
    const ids = Array.from({ length: 20 }, (_, i) => `s${i}`)
    const claims = {
      _claim_names: Object.fromEntries(ids.map(id => [id, id])),
      _claim_sources: Object.fromEntries(ids.map(id => [id, { JWT: 'x' }])),
    }
    expect(claimSources(claims)).toHaveLength(5)
  })
})
