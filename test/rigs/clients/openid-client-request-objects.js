// openid-client 6 with request objects: node openid-client-request-objects.js ISSUER KEY. Prints results as JSON.
import { readFileSync } from 'node:fs'
import * as client from 'openid-client'
import { logIn } from '../../programs/clients/log-in.js'

const [issuer = '', file = ''] = process.argv.slice(2)
const jwk = JSON.parse(readFileSync(file, 'utf8'))
const ec = { name: 'ECDSA', namedCurve: 'P-256' }
const signer = { key: await crypto.subtle.importKey('jwk', jwk, ec, false, ['sign']), kid: jwk.kid }

async function sealing(config) {
  const { keys } = await (await fetch(config.serverMetadata().jwks_uri)).json()
  const found = keys.find(each => each.use === 'enc' && each.kty === 'RSA')
  const { kid } = found
  const rsa = { name: 'RSA-OAEP', hash: 'SHA-256' }
  return { key: await crypto.subtle.importKey('jwk', found, rsa, false, ['encrypt']), kid }
}

async function loggedIn(config, scope, build) {
  const pkceCodeVerifier = client.randomPKCECodeVerifier()
  const state = client.randomState()
  const url = await build({
    redirect_uri: 'http://127.0.0.1:7000/callback',
    scope,
    state,
    code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
  })
  const landed = await logIn(url)
  const tokens = await client.authorizationCodeGrant(config, landed, {
    pkceCodeVerifier,
    expectedState: state,
  })
  return JSON.parse(Buffer.from(tokens.access_token.split('.')[1], 'base64url').toString()).sub
}

const results = {}
for (const id of ['jar', 'sealed', 'signed-only']) {
  const config = await client.discovery(new URL(issuer), id, {}, client.PrivateKeyJwt(signer))
  const signed = parameters => client.buildAuthorizationUrlWithJAR(config, parameters, signer)
  results[id] = {
    plain: await loggedIn(config, 'records:read', signed),
    openid: await loggedIn(config, 'openid', signed),
    pushed: await loggedIn(config, 'openid', async parameters =>
      client.buildAuthorizationUrlWithPAR(
        config,
        Object.fromEntries((await signed(parameters)).searchParams),
      ),
    ),
  }
  if (id !== 'sealed') continue
  const key = await sealing(config)
  results[id].encrypted = await loggedIn(config, 'openid', async parameters => {
    const url = await signed(parameters)
    const { CompactEncrypt } = await import('jose')
    const jwe = await new CompactEncrypt(new TextEncoder().encode(url.searchParams.get('request')))
      .setProtectedHeader({ alg: 'RSA-OAEP-256', enc: 'A256GCM', cty: 'oauth-authz-req+jwt', kid: key.kid })
      .encrypt(key.key)
    url.searchParams.set('request', jwe)
    return url
  })
}
console.log(JSON.stringify(results))
