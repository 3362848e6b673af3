import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type GivenOptions, givenMetadata } from '../../../src/session/targets/given-metadata.js'

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'oauth-lab-given-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

function file(content: unknown, name = 'server.json'): string {
  const path = join(folder, name)
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
  return path
}

const slack = {
  authorizationEndpoint: 'https://slack.example/oauth/v2/authorize',
  tokenEndpoint: 'https://slack.example/api/oauth.v2.access',
}

describe('the metadata that people give', () => {
  it('are none where nothing is given but the issuer', async () => {
    expect(await givenMetadata({ issuer: 'https://id.example' })).toBeUndefined()
  })

  it('stand for a discovery document with endpoints of the code grant', async () => {
    expect(await givenMetadata(slack)).toEqual({
      complete: true,
      source: 'the given addresses',
      members: {
        authorization_endpoint: slack.authorizationEndpoint,
        token_endpoint: slack.tokenEndpoint,
      },
    })
  })

  it('come from a file, whose members options replace', async () => {
    const metadata = file({ issuer: 'https://a.example', token_endpoint: 'https://a.example/t', extra: 1 })
    const given = await givenMetadata({ metadata, tokenEndpoint: 'https://a.example/other' })
    expect(given).toMatchObject({
      complete: true,
      source: metadata,
      members: { issuer: 'https://a.example', token_endpoint: 'https://a.example/other', extra: 1 },
    })
  })

  it('let keys from a file count in place of published ones', async () => {
    const jwks = file({ keys: [] }, 'keys.json')
    const metadata = file({ jwks_uri: 'https://a.example/jwks', token_endpoint: 'https://a.example/t' })
    const given = await givenMetadata({ metadata, jwks })
    expect(given?.members).not.toHaveProperty('jwks_uri')
    expect(given?.carriedKeys).toMatchObject({ keys: { kind: 'jwks', jwks: { keys: [] } } })
    const fetched = await givenMetadata({ metadata, jwks: 'https://b.example/keys' })
    expect(fetched).toMatchObject({ members: { jwks_uri: 'https://b.example/keys' } })
    expect(fetched).not.toHaveProperty('carriedKeys')
  })

  it('add single members to a discovery document', async () => {
    const endpoints = { introspection_endpoint: 'https://id.example/i' }
    const given = await givenMetadata({ issuer: 'https://id.example', endpoints })
    expect(given).toMatchObject({ complete: false, members: { issuer: 'https://id.example', ...endpoints } })
  })

  it.each<[GivenOptions | (() => GivenOptions), RegExp]>([
    [{ tokenEndpoint: 'http://id.example/t' }, /token_endpoint "http:\/\/id\.example\/t" has no TLS/],
    [{ tokenEndpoint: 'token' }, /is no absolute address/],
    [{ tokenEndpoint: 'https://id.example/t', jwks: 'http://id.example/k' }, /jwks_uri .* has no TLS/],
    [{ metadata: '/nowhere/x.json' }, /cannot read the metadata file .*: there is no such file/],
    [() => ({ metadata: file('{') }), /it is no JSON \(RFC 8414/],
    [() => ({ metadata: file('[]') }), /no JSON object/],
    [() => ({ metadata: file({ token_endpoint: 7 }) }), /token_endpoint is not an absolute URL/],
    [() => ({ metadata: file({ issuer: 7 }) }), /issuer is no string/],
    [
      () => ({ metadata: file({ issuer: 'https://a.example' }), issuer: 'https://b.example' }),
      /names the issuer https:\/\/a\.example, and not https:\/\/b\.example/,
    ],
    [() => ({ metadata: file({}), jwks: file('7', 'k.json') }), /holds no JWK Set/],
  ])('refuse %j', async (options, message) => {
    await expect(givenMetadata(typeof options === 'function' ? options() : options)).rejects.toThrow(message)
  })
})
