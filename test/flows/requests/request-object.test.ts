import { generateKeyPairSync } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { codeFlow } from '../../../src/flows/code.js'
import { hybridFlow } from '../../../src/flows/hybrid.js'
import type { FlowOptions } from '../../../src/flows/options.js'
import type { Client } from '../../../src/protocol/oauth/client.js'
import { loadClientKey } from '../../../src/protocol/tokens/client-assertion.js'
import { decodeJwt } from '../../../src/protocol/tokens/decode.js'
import { everything } from '../support/everything.js'
import { collect, ISSUER, outcomeIn, stepOf, stepsOf, world } from '../support/world.js'

const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const key = loadClientKey(privateKey.export({ type: 'pkcs8', format: 'pem' }).toString())
const secret = 'x'.repeat(32)
const client: Client = {
  ...everything,
  client_secret: secret,
  response_types: ['code', 'code id_token'],
  jwks: { keys: [publicKey.export({ format: 'jwk' }) as Record<string, unknown>] },
}

async function walk(wanted: Partial<FlowOptions>, more: Partial<Client> = {}, flow = codeFlow) {
  const options = { clientSecret: secret, ...wanted }
  const at = await world({ client: { ...client, ...more }, scope: 'openid', wanted: options })
  const records = await collect(flow(at.ports, at.wanted))
  return { records, accepted: at.events.find(({ type }) => type === 'request_object.accepted') }
}

const sent = (records: Awaited<ReturnType<typeof walk>>['records']) =>
  new URL(stepOf(records, 'authorization_request').url ?? '').searchParams

describe('a flow with a request object', () => {
  it.each([
    ['by a key', { key }, 'ES256'],
    ['by the secret', { secret }, 'HS256'],
  ])('signed %s is granted, and shows the object', async (_name, signer, alg) => {
    const { records, accepted } = await walk({ requestObject: { kind: 'signed', ...signer } })
    expect(outcomeIn(records).outcome).toBe('granted')
    expect(accepted).toMatchObject({ alg, delivery: 'value' })
    const { token } = stepOf(records, 'request_object')
    const { header, claims } = decodeJwt(token?.value ?? '')
    expect(header).toMatchObject({ typ: 'oauth-authz-req+jwt', alg })
    expect(claims).toMatchObject({ iss: 'demo', aud: ISSUER, client_id: 'demo', scope: 'openid' })
    expect(claims).not.toHaveProperty('sub')
    expect(Number(claims.exp) - Number(claims.nbf)).toBe(300)
    expect([...sent(records).keys()]).toEqual(['response_type', 'client_id', 'scope', 'request'])
    expect(sent(records).get('request')).toBe(token?.value)
  })

  it.each([
    ['a published key', { request_object_encryption_alg: 'ECDH-ES' }, 'ECDH-ES A256GCM'],
    ['the secret', {}, 'dir A256GCM'],
  ] as const)('encrypted to %s is granted', async (_name, more, encryption) => {
    const { records, accepted } = await walk({ requestObject: { kind: 'encrypted', key, secret } }, more)
    expect(outcomeIn(records).outcome).toBe('granted')
    expect(accepted).toMatchObject({ alg: 'ES256', encryption })
    expect(sent(records).get('request')?.split('.')).toHaveLength(5)
    expect(stepOf(records, 'request_object').exchange?.request.url).toContain('jwks.json')
  })

  it('unsigned is granted in a login, and refused elsewhere', async () => {
    const requestObject = { kind: 'unsigned' } as const
    const { records, accepted } = await walk({ requestObject })
    expect(outcomeIn(records).outcome).toBe('granted')
    expect(accepted).toMatchObject({ alg: 'none' })
    const refused = await walk({ requestObject, scope: 'records:read' })
    expect(outcomeIn(refused.records).outcome).toBe('refused')
  })

  it('needs only client_id beside it without openid', async () => {
    const { records } = await walk({ requestObject: { kind: 'signed', key }, scope: 'records:read' })
    expect(outcomeIn(records).outcome).toBe('granted')
    expect([...sent(records).keys()]).toEqual(['client_id', 'request'])
  })

  it('is pushed alone', async () => {
    const { records, accepted } = await walk({ requestObject: { kind: 'signed', key }, push: true })
    expect(outcomeIn(records).outcome).toBe('granted')
    expect(accepted).toMatchObject({ delivery: 'pushed' })
    const names = stepsOf(records).map(each => each.name)
    expect(names.slice(0, 3)).toEqual([
      ...['request_object', 'pushed_authorization_request', 'authorization_request'],
    ])
    expect([...sent(records).keys()]).toEqual(['client_id', 'request_uri'])
  })

  it('works in the hybrid flow', async () => {
    const wanted = { requestObject: { kind: 'signed', key }, responseType: 'code id_token' } as const
    expect(outcomeIn((await walk(wanted, {}, hybridFlow)).records).outcome).toBe('granted')
  })

  it.each([
    [{ kind: 'signed', key }, 'signed by the client, for five minutes'],
    [{ kind: 'unsigned' }, 'not signed: anyone can change it'],
    [{ kind: 'encrypted', key, secret }, 'signed by the client, then encrypted to the server'],
  ] as const)('says of %j who can read and change it', async (requestObject, note) => {
    expect(stepOf((await walk({ requestObject })).records, 'request_object')).toMatchObject({
      note,
      token: { kind: 'request_object' },
    })
  })

  it.each([
    ['max_age', 'soon'],
    ['max_age', '60s'],
    ['max_age', '-60'],
    ['display', '60'],
    ['claims', '{"id_token"'],
    ['login_hint', '{"sub":1}'],
  ])('has %s %s as the text that was given', async (name, value) => {
    const authorizationParameters = [[name, value]] as const
    const { records } = await walk({ requestObject: { kind: 'signed', key }, authorizationParameters })
    expect(decodeJwt(stepOf(records, 'request_object').token?.value ?? '').claims[name]).toBe(value)
  })

  it('has authorization details as JSON', async () => {
    const authorizationDetails = [{ type: 'payment' }]
    const { records } = await walk({ requestObject: { kind: 'signed', key }, authorizationDetails })
    const { claims } = decodeJwt(stepOf(records, 'request_object').token?.value ?? '')
    expect(claims.authorization_details).toEqual(authorizationDetails)
  })

  it('has numbers, JSON and lists as such', async () => {
    const authorizationParameters = [
      ['max_age', '60'],
      ['claims', '{"id_token":{"name":null}}'],
      ['resource', 'https://a.test'],
      ['resource', 'https://b.test'],
    ] as const
    const { records } = await walk({ requestObject: { kind: 'signed', key }, authorizationParameters })
    expect(decodeJwt(stepOf(records, 'request_object').token?.value ?? '').claims).toMatchObject({
      max_age: 60,
      claims: { id_token: { name: null } },
      resource: ['https://a.test', 'https://b.test'],
    })
  })

  it('ends where the server has no way to encrypt', async () => {
    const { records } = await walk({ requestObject: { kind: 'encrypted', key } })
    expect(outcomeIn(records).error).toMatchObject({
      error: 'invalid_metadata',
      rule: 'OpenID Connect Core §10.2',
    })
  })
})
