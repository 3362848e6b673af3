// openid-client 6 with clients of other algorithms: node openid-client-algorithms.js ISSUER CLIENTS_AND_KEYS. Prints results as JSON.
import { readFileSync } from 'node:fs'
import * as client from 'openid-client'
import { logIn } from '../../programs/clients/log-in.js'

const [issuer = '', file = ''] = process.argv.slice(2)
const { clients, keys } = JSON.parse(readFileSync(file, 'utf8'))
const header = jwt => JSON.parse(Buffer.from(jwt.split('.')[0], 'base64url').toString())

const imported = await Promise.all(
  keys.map(async ({ jwk, alg }) => ({
    key: await crypto.subtle.importKey(
      'jwk',
      { ...jwk, key_ops: undefined },
      alg.startsWith('RSA') ? { name: 'RSA-OAEP', hash: 'SHA-256' } : { name: 'ECDH', namedCurve: 'P-256' },
      false,
      alg.startsWith('RSA') ? ['decrypt'] : ['deriveBits'],
    ),
    alg,
    kid: jwk.kid,
  })),
)

async function use({ client_id: id, client_secret: secret, ...metadata }) {
  const config = await client.discovery(new URL(issuer), id, { client_secret: secret, ...metadata })
  client.enableNonRepudiationChecks(config)
  if (metadata.id_token_encrypted_response_alg)
    client.enableDecryptingResponses(config, undefined, ...imported)
  const pkceCodeVerifier = client.randomPKCECodeVerifier()
  const expectedNonce = client.randomNonce()
  const url = client.buildAuthorizationUrl(config, {
    redirect_uri: 'http://127.0.0.1:7000/callback',
    scope: 'openid profile',
    code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
    nonce: expectedNonce,
  })
  const tokens = await client.authorizationCodeGrant(config, await logIn(url), {
    pkceCodeVerifier,
    expectedNonce,
    idTokenExpected: true,
  })
  const userinfo = await client.fetchUserInfo(config, tokens.access_token, tokens.claims().sub)
  const { active } = await client.tokenIntrospection(config, tokens.access_token)
  return {
    id_token: header(tokens.id_token).alg,
    access_token: header(tokens.access_token).alg,
    sub: tokens.claims().sub,
    name: userinfo.name,
    active,
  }
}

const results = {}
for (const each of clients) results[each.client_id] = await use(each)
console.log(JSON.stringify(results))
