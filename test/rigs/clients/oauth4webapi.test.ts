import { expect, it } from 'vitest'
import { verifyDpopProof } from '../../../src/protocol/tokens/dpop.js'
import { createReplayGuard } from '../../../src/protocol/tokens/replay-guard.js'
import {
  assertedClientId,
  verifyClientAssertion,
} from '../../../src/servers/authorization-server/assertions/jwt.js'
import { describeWith, rigs } from '../../support/requires.js'

/** The present time and a memory, which every check of this file uses. */
function now() {
  const at = Date.now()
  return { now: at, replay: createReplayGuard({ now: () => at }), owner: 'app', clientId: 'app' }
}

describeWith([rigs], 'messages of oauth4webapi', () => {
  it('contain a client assertion (private_key_jwt) that is accepted', async () => {
    const oauth = await import('oauth4webapi')
    const pair = await oauth.generateKeyPair('ES256', { extractable: true })
    const publicJwk = { ...(await crypto.subtle.exportKey('jwk', pair.publicKey)), kid: 'own' }
    let sent: URLSearchParams | undefined
    await oauth.clientCredentialsGrantRequest(
      { issuer: 'https://as.example', token_endpoint: 'https://as.example/token' },
      { client_id: 'web' },
      oauth.PrivateKeyJwt({ key: pair.privateKey, kid: 'own' }),
      {},
      {
        [oauth.customFetch]: async (_url: string, request: { body: unknown }) => {
          sent = new URLSearchParams(String(request.body))
          return new Response('{}')
        },
      },
    )
    const assertion = sent?.get('client_assertion') ?? ''
    expect(assertedClientId(assertion)).toBe('web')
    const verified = await verifyClientAssertion(assertion, {
      client: { client_id: 'web', jwks: { keys: [] } },
      keysOf: async () => ({ keys: [publicJwk] }),
      audiences: ['https://as.example', 'https://as.example/token'],
      ...now(),
    })
    expect(verified.subject).toBe('web')
  })

  it('contain a DPoP proof that is accepted', async () => {
    const oauth = await import('oauth4webapi')
    const DPoP = oauth.DPoP({}, await oauth.generateKeyPair('ES256'))
    let proof = ''
    await oauth.protectedResourceRequest(
      'abc',
      'GET',
      new URL('https://rs.example/records?x=1'),
      undefined,
      undefined,
      {
        DPoP,
        [oauth.customFetch]: async (_url: string, request: { headers: Record<string, string> }) => {
          proof = new Headers(request.headers).get('dpop') ?? ''
          return new Response('{}')
        },
      },
    )
    const request = { method: 'GET', url: 'https://rs.example/records', accessToken: 'abc' }
    expect(await verifyDpopProof(proof, { ...request, ...now() })).toEqual({
      jkt: await DPoP.calculateThumbprint(),
    })
  })
})
