import { describe, expect, it } from 'vitest'
import { codeFlow } from '../../src/flows/code.js'
import { givenStep } from '../../src/flows/steps/given-step.js'
import { authorizationRequest } from '../../src/protocol/oauth/authorization-request.js'
import { authorizationResponse } from '../../src/protocol/oauth/authorization-response.js'
import { collect, ISSUER, outcomeIn, stepOf, world } from './support/world.js'

const uncompared = (name: string, about: string) =>
  expect.objectContaining({ name, ok: false, advice: true, detail: expect.stringContaining(about) })

/** The code flow of a client that was not told the issuer. */
async function flow(scope?: string) {
  const { ports, wanted } = await world(scope === undefined ? {} : { scope })
  const { audience: _, ...rest } = wanted
  const { issuer: _issuer, ...metadata } = wanted.metadata
  return collect(codeFlow(ports, { ...rest, metadata, foreignAccessTokens: true }))
}

describe('a client that does not know the issuer', () => {
  it('points out iss in the answer, and goes on', async () => {
    const records = await flow()
    expect(outcomeIn(records).outcome).toBe('granted')
    expect(stepOf(records, 'authorization_response').checks).toContainEqual(uncompared('iss', ISSUER))
  })

  it('points out iss of the id_token, and verifies all the rest', async () => {
    const records = await flow('openid')
    expect(outcomeIn(records).outcome).toBe('granted')
    const { tokens = [] } = stepOf(records, 'keys_request')
    const [id] = tokens
    expect(id?.checks).toContainEqual(uncompared('iss', ISSUER))
    const passed = id?.checks.filter(({ ok }) => ok).map(({ name }) => name)
    expect(passed).toEqual(expect.arrayContaining(['signature', 'aud', 'exp', 'nonce']))
  })

  it('refuses an answer without the iss that the metadata promise', () => {
    const request = authorizationRequest({
      endpoint: `${ISSUER}/authorization`,
      responseType: 'code',
      clientId: 'demo',
      redirectUri: 'http://127.0.0.1/callback',
      state: 's',
      issPromised: true,
    })
    const landed = 'http://127.0.0.1/callback?code=c&state=s'
    expect(() => authorizationResponse(landed, request)).toThrow(/promises iss/)
    const { checks } = authorizationResponse(`${landed}&iss=https%3A%2F%2Fa.example`, request)
    expect(checks).toContainEqual(uncompared('iss', 'https://a.example'))
  })
})

describe('the step of given metadata', () => {
  it('says what cannot be checked, and why', () => {
    const { checks, note } = givenStep({}, { source: 'slack.json', hasKeys: false })
    expect(note).toBe('not known: issuer, keys, pkce')
    expect(checks).toContainEqual(uncompared('issuer', 'mix-up'))
    expect(checks).toContainEqual(uncompared('keys', '--jwks URL|FILE'))
  })

  it('has nothing to say where all is known', () => {
    const known = {
      issuer: 'https://a.example',
      jwks_uri: 'https://a.example/k',
      code_challenge_methods_supported: ['S256'],
    }
    expect(givenStep(known, { source: 'a.json', hasKeys: false }).note).toBe('nothing was fetched')
  })
})
