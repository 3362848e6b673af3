// openid-client 6 with JARM: node openid-client-jarm.js ISSUER KEYS. Prints results as JSON.
import { readFileSync } from 'node:fs'
import * as client from 'openid-client'
import { logIn } from '../../programs/clients/log-in.js'

const [issuer = '', file = ''] = process.argv.slice(2)
const { secret, ec } = JSON.parse(readFileSync(file, 'utf8'))
const ecdh = { name: 'ECDH', namedCurve: 'P-256' }

async function opened(id, extra = {}, metadata = {}) {
  const config = await client.discovery(new URL(issuer), id, { client_secret: secret, ...metadata })
  client.useJwtResponseMode(config)
  if (id === 'sealed') {
    const key = await crypto.subtle.importKey('jwk', ec, ecdh, false, ['deriveBits'])
    client.enableDecryptingResponses(config, ['A256GCM'], { key, kid: ec.kid, alg: 'ECDH-ES' })
  }
  const pkceCodeVerifier = client.randomPKCECodeVerifier()
  const expectedState = client.randomState()
  const url = client.buildAuthorizationUrl(config, {
    redirect_uri: 'http://127.0.0.1:7000/callback',
    scope: 'openid',
    state: expectedState,
    code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
    ...extra,
  })
  const landed = extra.prompt
    ? new URL((await fetch(url, { redirect: 'manual' })).headers.get('location'))
    : await logIn(url)
  const names = [...landed.searchParams.keys()]
  try {
    const checks = { pkceCodeVerifier, expectedState }
    const tokens = await client.authorizationCodeGrant(config, landed, checks)
    return { names, sub: tokens.claims().sub }
  } catch (error) {
    return { names, error: error.error ?? error.code, reason: error.error ? undefined : error.message }
  }
}

console.log(
  JSON.stringify({
    signed: await opened('signed'),
    es256: await opened('es256', {}, { authorization_signed_response_alg: 'ES256' }),
    other: await opened('es256', {}, { authorization_signed_response_alg: 'RS256' }),
    sealed: await opened('sealed'),
    refused: await opened('signed', { prompt: 'none' }),
    sealedError: await opened('sealed', { prompt: 'none' }),
  }),
)
