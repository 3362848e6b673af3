import { describe, expect, it } from 'vitest'
import { endpoint } from '../../../src/flows/metadata/endpoint.js'

describe('an endpoint that a flow requires', () => {
  it('is the address in the metadata', () => {
    const metadata = { token_endpoint: 'https://id.example/token?tenant=1' }
    expect(endpoint(metadata, 'token_endpoint')).toBe('https://id.example/token?tenant=1')
  })

  it('is refused where the metadata lack it (RFC 8414 §2)', () => {
    expect(() => endpoint({}, 'token_endpoint')).toThrow(
      expect.objectContaining({ code: 'invalid_metadata', description: 'token_endpoint is missing' }),
    )
  })

  it.each([
    ['authorization_endpoint', 'RFC 6749 §3.1'],
    ['token_endpoint', 'RFC 6749 §3.2'],
  ] as const)('is refused with a fragment: %s (%s)', (name, rule) => {
    for (const url of ['https://id.example/x#y', 'https://id.example/#', 'https://id.example?a=b#c']) {
      expect(() => endpoint({ [name]: url }, name)).toThrow(
        expect.objectContaining({ description: `${name} has a fragment`, rule, evidence: url }),
      )
    }
  })
})
