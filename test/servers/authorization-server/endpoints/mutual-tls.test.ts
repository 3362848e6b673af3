import { X509Certificate } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { KeyedCertificate } from '../../../../src/lab/certificates/authority.js'
import {
  type AlternativeName,
  ensureClientAuthority,
  makeClientCertificate,
  publicJwk,
} from '../../../../src/lab/certificates/client-authority.js'
import { judgeCertificate } from '../../../../src/lab/certificates/client-certificates.js'
import { memoryState } from '../../../../src/lab/state/memory-state.js'
import { bytes, type ClientCertificate } from '../../../../src/protocol/http/message.js'
import type { Client } from '../../../../src/protocol/oauth/client.js'
import { parseDistinguishedName } from '../../../../src/protocol/oauth/distinguished-name.js'
import { certificateThumbprint } from '../../../../src/protocol/tokens/confirmation.js'
import {
  basic,
  CALLBACK,
  claimsOf,
  client,
  expectError,
  FORM,
  json,
  lab,
  type Parameters,
  query,
  SECRET,
  settings,
} from '../support.js'

const MTLS = 'https://localhost:8449'
const home = memoryState()
let ca: KeyedCertificate
const pems: Record<string, KeyedCertificate> = {}

async function make(
  subject: string,
  names: readonly AlternativeName[] = [],
  { from = ca, now = Date.now() }: { from?: KeyedCertificate | 'itself'; now?: number } = {},
): Promise<KeyedCertificate> {
  const read = parseDistinguishedName(subject)
  if ('problem' in read) throw new Error(read.problem)
  return makeClientCertificate(
    { subject: read.name, names, days: 30 },
    from === 'itself' ? undefined : from,
    now,
  )
}

const DAY = 86_400_000
beforeAll(async () => {
  ca = await ensureClientAuthority(home)
  const other = memoryState()
  const otherCa = await ensureClientAuthority(other)
  other.remove()
  pems.shop = await make('CN=Shop\\, Ltd,O=Example,C=PT')
  pems.alternative = await make('CN=any', [
    { type: 'dns', value: 'shop.example' },
    { type: 'url', value: 'https://shop.example/client' },
    { type: 'email', value: 'Ops@shop.example' },
    { type: 'ip', value: '2001:db8::7' },
    { type: 'ip', value: '192.0.2.7' },
  ])
  pems.self = await make('CN=self', [], { from: 'itself' })
  pems.otherSelf = await make('CN=self', [], { from: 'itself' })
  pems.expired = await make('CN=Shop\\, Ltd,O=Example,C=PT', [], { now: Date.now() - 60 * DAY })
  pems.early = await make('CN=Shop\\, Ltd,O=Example,C=PT', [], { now: Date.now() + 60 * DAY })
  pems.otherCa = await make('CN=Shop\\, Ltd,O=Example,C=PT', [], { from: otherCa })
})
afterAll(() => home.remove())

function shown(name: keyof typeof pems | undefined): ClientCertificate | undefined {
  if (name === undefined) return undefined
  const parsed = new X509Certificate(pems[name]!.certPem)
  return judgeCertificate(parsed, new X509Certificate(ca.certPem), Date.now())
}

const thumbprint = (name: keyof typeof pems) => certificateThumbprint(shown(name)!)

const shop = (more: Partial<Client> = {}): Client =>
  client('shop', {
    token_endpoint_auth_method: 'tls_client_auth',
    tls_client_auth_subject_dn: 'CN=shop\\2C ltd, O=example, C=pt',
    grant_types: ['client_credentials'],
    ...more,
  })

function server(clients: readonly Client[]) {
  const made = lab({ clients: [...clients, ...settings.clients], mtlsUrl: () => MTLS })
  /** Sends a form with a certificate to the listener that asks for one. */
  const certified = (
    path: string,
    form: Parameters,
    certificate?: keyof typeof pems,
    headers: readonly (readonly [string, string])[] = [],
  ) => {
    const connection = certificate === undefined ? {} : { certificate: shown(certificate)! }
    return made.handle({
      method: 'POST',
      url: MTLS + path,
      headers: [FORM, ...headers],
      body: bytes(query(form)),
      ...connection,
    })
  }
  const service = (certificate?: keyof typeof pems, more: Parameters = {}) =>
    certified('/token', { grant_type: 'client_credentials', client_id: 'shop', ...more }, certificate)
  return { ...made, certified, service }
}

describe('tls_client_auth', () => {
  it('accepts the registered subject, however it is written', async () => {
    const { service } = server([shop()])
    const answer = await service('shop')
    expect([answer.status, json(answer).token_type]).toEqual([200, 'Bearer'])
    expect(claimsOf(json(answer).access_token).cnf).toBeUndefined()
  })

  it.each([
    ['tls_client_auth_san_dns', 'SHOP.example', 'shop.exampl'],
    ['tls_client_auth_san_uri', 'https://shop.example/client', 'https://shop.example/Client'],
    ['tls_client_auth_san_email', 'Ops@SHOP.example', 'ops@shop.example'],
    ['tls_client_auth_san_ip', '2001:0db8:0::0007', '2001:db8::8'],
    ['tls_client_auth_san_ip', '192.0.2.7', '192.0.2.8'],
  ] as const)('%s: accepts %s, and not %s', async (member, right, wrong) => {
    const registered = { ...shop(), [member]: right }
    const { tls_client_auth_subject_dn: _, ...entry } = registered
    expect((await server([entry]).service('alternative')).status).toBe(200)
    expectError(await server([{ ...entry, [member]: wrong }]).service('alternative'), 400, 'invalid_client')
    expectError(await server([entry]).service('shop'), 400, 'invalid_client')
  })

  it.each([
    ['none', undefined, '', /no client certificate/],
    ['one that signs itself', 'self', '.1', /signs itself/],
    ['one of another CA', 'otherCa', '.1', /not issued by/],
    ['an expired one', 'expired', '.1', /expired/],
    ['one of the future', 'early', '.1', /not valid yet/],
    ['one of another subject', 'alternative', '.1', /not the registered tls_client_auth_subject_dn/],
  ] as const)('refuses %s, and says why', async (_, certificate, section, description) => {
    const { service, events } = server([shop()])
    const answer = await service(certificate)
    expectError(answer, 400, 'invalid_client')
    expect(json(answer).error_description).toMatch(description)
    const rule = `RFC 8705 §2${section}`
    expect(events.at(-1)).toMatchObject({ type: 'token.refused', rule, error: 'invalid_client' })
  })

  it('names the subject of a wrong certificate in the event, and the order of a reversed name', async () => {
    const { service, events } = server([
      shop({ tls_client_auth_subject_dn: 'C=PT,O=Example,CN=Shop\\, Ltd' }),
    ])
    expectError(await service('shop'), 400, 'invalid_client')
    expect(events.at(-1)).toMatchObject({
      evidence: expect.stringMatching(/^subject: CN=Shop\\, Ltd,O=Example,C=PT; .* wrong order/),
    })
  })

  it('tells clients of the other listener where to send the request', async () => {
    const { token } = server([shop()])
    const answer = await token({ grant_type: 'client_credentials', client_id: 'shop' }, [])
    expectError(answer, 400, 'invalid_client')
    expect(json(answer).error_description).toContain(`${MTLS}/token`)
  })

  it('takes no secret, no other client and no disabled one', async () => {
    const { service } = server([shop(), client('off', { ...shop(), client_id: 'off', enabled: false })])
    for (const more of [{ client_secret: 'guess' }, { client_id: 'off' }, { client_id: 'demo' }])
      expectError(await service('shop', more), 400, 'invalid_client')
  })

  it('authenticates at each endpoint that takes clients', async () => {
    const { certified, service } = server([shop()])
    const { access_token: token } = json(await service('shop'))
    const form = { client_id: 'shop', token: String(token) }
    expect(json(await certified('/introspection', form, 'shop'))).toMatchObject({ active: true })
    expectError(await certified('/introspection', form), 401, 'invalid_client')
    expect((await certified('/revocation', form, 'shop')).status).toBe(200)
    expect(json(await certified('/introspection', form, 'shop'))).toEqual({ active: false })
  })
})

describe('self_signed_tls_client_auth', () => {
  const self = (keys: readonly Record<string, unknown>[]) =>
    client('shop', {
      token_endpoint_auth_method: 'self_signed_tls_client_auth',
      jwks: { keys },
      grant_types: ['client_credentials'],
    })

  it('accepts the certificate of a registered key, also without x5c, among others', async () => {
    const { x5c: _, ...key } = publicJwk(pems.self!.certPem)
    const { service } = server([self([publicJwk(pems.otherSelf!.certPem), key])])
    expect((await service('self')).status).toBe(200)
  })

  it.each([
    ['another key', 'otherSelf', /not among the keys/],
    ['no certificate', undefined, /no client certificate/],
    ['one of the CA', 'shop', /not among the keys/],
  ] as const)('refuses %s', async (_, certificate, description) => {
    const { service } = server([self([publicJwk(pems.self!.certPem)])])
    const answer = await service(certificate)
    expectError(answer, 400, 'invalid_client')
    expect(json(answer).error_description).toMatch(description)
  })
})

describe('a bound access token', () => {
  const bound = { tls_client_certificate_bound_access_tokens: true }

  it('names the certificate, in the token, in introspection and in the event', async () => {
    const { service, certified, events } = server([shop(bound)])
    const { access_token: token, token_type: type } = json(await service('shop'))
    const cnf = { 'x5t#S256': thumbprint('shop') }
    expect([type, claimsOf(token).cnf]).toEqual(['Bearer', cnf])
    expect(events.at(-1)).toMatchObject({ type: 'token.issued', certificate: thumbprint('shop') })
    const form = { client_id: 'shop', token: String(token) }
    expect(json(await certified('/introspection', form, 'shop'))).toMatchObject({ token_type: 'Bearer', cnf })
  })

  it('needs a certificate that is valid now, and no DPoP proof', async () => {
    const web = client('web', { client_secret: SECRET, grant_types: ['client_credentials'], ...bound })
    const { certified } = server([web])
    const ask = (certificate?: keyof typeof pems) =>
      certified('/token', { grant_type: 'client_credentials' }, certificate, [basic('web', SECRET)])
    expectError(await ask(), 400, 'invalid_request')
    expectError(await ask('expired'), 400, 'invalid_request')
    expect(claimsOf(json(await ask('otherCa')).access_token).cnf).toEqual({
      'x5t#S256': thumbprint('otherCa'),
    })
  })

  const spa = client('spa', { ...bound, redirect_uris: [CALLBACK] })

  async function granted() {
    const made = server([spa])
    const code = await made.newCode({ client_id: 'spa', scope: 'openid' })
    const form = { grant_type: 'authorization_code', code, redirect_uri: CALLBACK, client_id: 'spa' }
    const answer = json(await made.certified('/token', form, 'self'))
    return { ...made, answer }
  }

  it('of a public client comes with a refresh token that is bound too (RFC 8705 §4)', async () => {
    const { answer, certified, events } = await granted()
    const form = (token: unknown) => ({
      grant_type: 'refresh_token',
      refresh_token: String(token),
      client_id: 'spa',
    })
    const refresh = (token: unknown, certificate?: keyof typeof pems) =>
      certified('/token', form(token), certificate)
    expectError(await refresh(answer.refresh_token, 'otherSelf'), 400, 'invalid_grant')
    expect(events.at(-1)).toMatchObject({ rule: 'RFC 8705 §4' })
    expectError(await refresh(answer.refresh_token), 400, 'invalid_request')
    const second = json(await refresh(answer.refresh_token, 'self'))
    expect(claimsOf(second.access_token).cnf).toEqual({ 'x5t#S256': thumbprint('self') })
    expectError(await refresh(second.refresh_token, 'otherSelf'), 400, 'invalid_grant')
  })

  it('is exchanged with its certificate alone', async () => {
    const grant_type = 'urn:ietf:params:oauth:grant-type:token-exchange'
    const exchanger = client('web', { client_secret: SECRET, grant_types: [grant_type] })
    const { service, certified } = server([shop(bound), exchanger])
    const form = {
      grant_type,
      subject_token: String(json(await service('shop')).access_token),
      subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
    }
    const exchange = (certificate?: keyof typeof pems) =>
      certified('/token', form, certificate, [basic('web', SECRET)])
    expectError(await exchange(), 400, 'invalid_request')
    expectError(await exchange('self'), 400, 'invalid_request')
    expect((await exchange('shop')).status).toBe(200)
  })
})

it('the metadata names the aliases and methods where there is a listener for them, and only there', async () => {
  const { get } = server([])
  const document = json(await get('/.well-known/openid-configuration'))
  expect(document.mtls_endpoint_aliases).toEqual({
    token_endpoint: `${MTLS}/token`,
    userinfo_endpoint: `${MTLS}/userinfo`,
    revocation_endpoint: `${MTLS}/revocation`,
    introspection_endpoint: `${MTLS}/introspection`,
    pushed_authorization_request_endpoint: `${MTLS}/par`,
    device_authorization_endpoint: `${MTLS}/device_authorization`,
    backchannel_authentication_endpoint: `${MTLS}/bc-authorize`,
  })
  expect(document.tls_client_certificate_bound_access_tokens).toBe(true)
  expect(document.token_endpoint_auth_methods_supported).toEqual(
    expect.arrayContaining(['tls_client_auth', 'self_signed_tls_client_auth']),
  )
  const without = json(await lab().get('/.well-known/openid-configuration'))
  expect(Object.keys(without).filter(name => name.includes('tls'))).toEqual([])
  expect(without.token_endpoint_auth_methods_supported).not.toContain('tls_client_auth')
})
