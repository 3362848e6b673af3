import { describe, expect, it } from 'vitest'
import { withMtlsAliases } from '../../../src/protocol/oauth/metadata.js'

describe('the endpoints of a client with a certificate (RFC 8705 §5)', () => {
  const metadata = {
    issuer: 'https://id.example',
    token_endpoint: 'https://id.example/token',
    revocation_endpoint: 'https://id.example/revoke',
    introspection_endpoint: 'https://id.example/introspect',
  }

  it('are the aliases, where there is one', () => {
    const aliases = {
      token_endpoint: 'https://mtls.id.example/token',
      jwks_uri: 'https://mtls.id.example/keys',
    }
    expect(withMtlsAliases({ ...metadata, mtls_endpoint_aliases: aliases })).toEqual({
      ...metadata,
      mtls_endpoint_aliases: aliases,
      token_endpoint: 'https://mtls.id.example/token',
    })
  })

  it.each([[undefined], ['http://mtls.id.example/token'], [7], ['/token'], [null]])(
    'are the usual ones where the alias is %j',
    alias => {
      expect(
        withMtlsAliases({ ...metadata, mtls_endpoint_aliases: { token_endpoint: alias } }),
      ).toMatchObject({ token_endpoint: metadata.token_endpoint })
    },
  )
})
