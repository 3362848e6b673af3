import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { loadLabConfig } from '../../../src/lab/lab-file/config.js'
import { loadAssertionIssuers } from '../../../src/lab/sites/assertion-issuers.js'
import { UsageError } from '../../../src/protocol/errors.js'
import { ecKey } from '../../protocol/tokens/jwt-maker.js'
import { identityProvider } from '../../servers/authorization-server/assertions/saml-maker.js'
import { sharedFolder } from '../../support/shared.js'

const { path: folder } = sharedFolder()

function write(name: string, content: string): string {
  const file = join(folder, name)
  writeFileSync(file, content)
  return file
}

const key = ecKey('one')
const { certificatePem, privateKeyPem } = identityProvider('https://idp.example')

async function complaint(kind: 'jwksFile' | 'certificateFile', file: string): Promise<string> {
  const error = await loadAssertionIssuers([{ issuer: 'https://idp.example', [kind]: file }]).catch(
    error => error,
  )
  expect(error).toBeInstanceOf(UsageError)
  expect((error as UsageError).hints).toHaveLength(1)
  return (error as UsageError).message
}

describe('assertion issuers of a lab file', () => {
  it('are read from files beside it', async () => {
    write('idp.json', JSON.stringify({ keys: [key.publicJwk] }))
    write('idp.pem', certificatePem)
    const file = write(
      'lab.yaml',
      'assertion_issuers:\n  - { issuer: https://idp.example, jwks_file: idp.json, certificate_file: idp.pem }\n  - { issuer: b, jwks_file: idp.json }\n',
    )
    const { assertionIssuerFiles } = await loadLabConfig(file)
    expect(await loadAssertionIssuers(assertionIssuerFiles)).toEqual([
      { issuer: 'https://idp.example', jwks: { keys: [key.publicJwk] }, certificatePem },
      { issuer: 'b', jwks: { keys: [key.publicJwk] } },
    ])
  })

  it('are none unless the file names some', async () => {
    expect(await loadAssertionIssuers((await loadLabConfig(null)).assertionIssuerFiles)).toEqual([])
  })

  it.each([
    ['no JSON', 'x', 'it is not JSON'],
    ['null', 'null', 'it is not a JWK Set'],
    ['no keys', '{}', 'it is not a JWK Set'],
    ['an empty set', '{"keys":[]}', 'it is not a JWK Set'],
    ['a key that is none', '{"keys":[1]}', 'key 1 is no JWK'],
    ['a shared secret', '{"keys":[{"kty":"oct","k":"AA"}]}', 'key 1 is a secret'],
    ['a private key', '{"keys":[{"kty":"RSA","n":"AQ","e":"AQAB","d":"AQ"}]}', 'key 1 is a secret'],
  ])('are refused with a jwks_file of %s', async (_name, content, why) => {
    const file = write('bad.json', content)
    expect(await complaint('jwksFile', file)).toMatch(new RegExp(`^jwks_file ${file}: ${why}`))
  })

  it.each([
    ['no PEM', 'x', 'it is no PEM certificate'],
    ['a private key', privateKeyPem, 'it is a private key; the certificate of it is wanted'],
    [
      'an empty certificate',
      '-----BEGIN CERTIFICATE-----\n-----END CERTIFICATE-----\n',
      'it is no PEM certificate',
    ],
  ])('are refused with a certificate_file of %s', async (_name, content, why) => {
    const file = write('bad.pem', content)
    expect(await complaint('certificateFile', file)).toBe(`certificate_file ${file}: ${why}`)
  })

  it('are refused with files that cannot be read', async () => {
    const missing = join(folder, 'missing')
    expect(await complaint('jwksFile', missing)).toBe(`jwks_file ${missing}: there is no such file`)
    expect(await complaint('certificateFile', folder)).toBe(`certificate_file ${folder}: it is a folder`)
  })
})

describe('dpop_nonce of a lab file', () => {
  it.each([
    ['dpop_nonce: required\n', true],
    ['dpop_nonce: off\n', false],
    ['{}\n', false],
  ])('%j', async (content, expected) => {
    expect((await loadLabConfig(write('nonce.yaml', content))).dpopNonceRequired).toBe(expected)
  })
})
