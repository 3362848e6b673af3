import { generateKeyPairSync } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { codeFlow } from '../../../src/flows/code.js'
import type { ClientExtras } from '../../../src/flows/middleware/client-middleware.js'
import type { FlowOptions } from '../../../src/flows/options.js'
import { loadClientKey } from '../../../src/protocol/tokens/client-assertion.js'
import { generateDpopKey } from '../../../src/protocol/tokens/dpop.js'
import { checkClientProfile, underFapi2 } from '../../../src/session/client/profile.js'
import { collect, outcomeIn, world } from '../../flows/support/world.js'

const pem = (made: { privateKey: { export(as: object): string | Buffer } }) =>
  String(made.privateKey.export({ type: 'pkcs8', format: 'pem' }))
const key = loadClientKey(pem(generateKeyPairSync('ec', { namedCurve: 'P-256' })))
const rsa = loadClientKey(pem(generateKeyPairSync('rsa', { modulusLength: 2048 })))
const dpop = await generateDpopKey()
const shown = { thumbprint: 'x', authenticates: false }
const ALLOWED = ['PS256', 'ES256', 'EdDSA', 'Ed25519']

const metadata = {
  issuer: 'https://bank.example',
  pushed_authorization_request_endpoint: 'https://bank.example/par',
  authorization_response_iss_parameter_supported: true,
}
const clause = (number: string) => `(FAPI 2.0 Security Profile §${number})`

describe('--profile fapi2 refuses before anything is sent', () => {
  it.each([
    ['implicit', {}, '5.3.3.2-1'],
    ['hybrid', {}, '5.3.3.2-1'],
    ['password', {}, '5.3.3.2-1'],
    ['code', { pkce: false }, '5.3.3.2-3'],
    ['resource', { tokenType: 'mac' }, '5.3.3.1-1'],
  ] as const)('flow %s with %j', (name, options, number) => {
    expect(() => checkClientProfile(name, { profile: 'fapi2', ...options })).toThrow(clause(number))
    expect(() => checkClientProfile(name, options)).not.toThrow()
  })

  it.each(['code', 'refresh', 'client-credentials', 'resource'] as const)('and takes flow %s', name => {
    expect(() => checkClientProfile(name, { profile: 'fapi2', pkce: true })).not.toThrow()
  })
})

describe('a client that insists on FAPI 2.0', () => {
  const signer: ClientExtras = { clientId: 'bank', key, dpop }

  it.each<[string, ClientExtras]>([
    ['signs, and binds by DPoP', signer],
    ['signs, and shows a certificate', { clientId: 'bank', key, certificate: shown }],
    [
      'authenticates by its certificate',
      { clientId: 'bank', certificate: { ...shown, authenticates: true } },
    ],
  ])('%s', (_name, extras) => {
    const registeredAlgorithms = { idToken: 'RS256', userinfo: 'ES256' }
    const { options } = underFapi2({ extras, options: { push: false, registeredAlgorithms } }, metadata)
    // A registration does not allow what the profile forbids.
    expect(options).toEqual({
      push: true,
      registeredAlgorithms: { idToken: ALLOWED, userinfo: 'ES256', authorization: ALLOWED },
      requiresDpop: extras.dpop !== undefined,
    })
  })

  it.each<[string, ClientExtras, object, string]>([
    ['sends a secret', { clientId: 'bank', dpop }, metadata, '5.3.3.1-2'],
    [
      'shows a certificate that proves nothing',
      { clientId: 'bank', certificate: shown },
      metadata,
      '5.3.3.1-2',
    ],
    ['binds no tokens', { clientId: 'bank', key }, metadata, '5.3.3.1-1'],
    ['signs by RS256', { clientId: 'bank', key: rsa, dpop }, metadata, '5.4.1-1'],
    ['cannot push', signer, { ...metadata, pushed_authorization_request_endpoint: undefined }, '5.3.3.2-2'],
    [
      'is promised no iss',
      signer,
      { ...metadata, authorization_response_iss_parameter_supported: undefined },
      '5.3.3.2-5',
    ],
  ])('is refused where it %s', (_name, extras, server, number) => {
    expect(() => underFapi2({ extras, options: {} }, server as typeof metadata)).toThrow(clause(number))
  })

  it('discards an access token that is bound to no key', async () => {
    const { ports, wanted } = await world()
    const records = await collect(codeFlow(ports, { ...wanted, requiresDpop: true }))
    expect(outcomeIn(records)).toMatchObject({
      outcome: 'refused',
      error: { error: 'invalid_response', rule: 'FAPI 2.0 Security Profile §5.3.3.1-1' },
    })
    const usual = await world()
    expect(outcomeIn(await collect(codeFlow(usual.ports, usual.wanted))).outcome).toBe('granted')
  })

  it('accepts no id_token by RS256, which the server announces', async () => {
    const { ports, wanted } = await world({ scope: 'openid' })
    const { options } = underFapi2<Partial<FlowOptions>>({ extras: signer, options: {} }, wanted.metadata)
    const registeredAlgorithms = options.registeredAlgorithms!
    const records = await collect(codeFlow(ports, { ...wanted, registeredAlgorithms }))
    expect(outcomeIn(records)).toMatchObject({
      outcome: 'refused',
      error: { error: 'invalid_token', rule: 'FAPI 2.0 Security Profile §5.4.1-1' },
    })
  })
})
