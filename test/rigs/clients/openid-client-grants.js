// openid-client 6 through every grant of the token endpoint: node openid-client-grants.js ISSUER FOLDER. FOLDER holds
// the private keys signer.json and idp.json. Prints what it got as JSON.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { importJWK, SignJWT } from 'jose'
import * as client from 'openid-client'
import { logIn } from '../../programs/clients/log-in.js'

const [issuer = '', folder = ''] = process.argv.slice(2)
const server = new URL(issuer)
const key = name => importJWK(JSON.parse(readFileSync(join(folder, name), 'utf8')), 'ES256')
const redirect_uri = 'http://127.0.0.1:7000/callback'

/** The code flow of a client, with PKCE; `dpop` binds its tokens. */
async function codeFlow(config, options) {
  const pkceCodeVerifier = client.randomPKCECodeVerifier()
  const expectedState = client.randomState()
  const url = client.buildAuthorizationUrl(config, {
    redirect_uri,
    scope: 'openid records:read records:write',
    code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
    state: expectedState,
  })
  const checks = { pkceCodeVerifier, expectedState, idTokenExpected: true }
  return client.authorizationCodeGrant(config, await logIn(url), checks, undefined, options)
}

const refused = async promise => {
  const error = await promise.then(
    () => undefined,
    error => error,
  )
  return error === undefined ? 'granted' : `${error.status} ${error.error}`
}

const web = await client.discovery(server, 'web', 'web-secret')
const tokens = await codeFlow(web)
const refreshed = await client.refreshTokenGrant(web, tokens.refresh_token, { scope: 'records:read' })
const introspected = await client.tokenIntrospection(web, refreshed.access_token)
await client.tokenRevocation(web, refreshed.refresh_token)
const afterwards = await client.tokenIntrospection(web, refreshed.access_token)
const dead = await refused(client.refreshTokenGrant(web, refreshed.refresh_token))

const signer = await client.discovery(
  server,
  'signer',
  undefined,
  client.PrivateKeyJwt(await key('signer.json')),
)
const own = await client.clientCredentialsGrant(signer, {
  scope: 'records:write',
  resource: 'https://api.example/',
})

const password = await client.genericGrantRequest(web, 'password', {
  username: 'alice',
  password: 'wonderland',
})
const assertion = await new SignJWT({})
  .setProtectedHeader({ alg: 'ES256', kid: 'idp' })
  .setIssuer('https://idp.example')
  .setSubject('alice')
  .setAudience(issuer)
  .setIssuedAt()
  .setExpirationTime('1m')
  .sign(await key('idp.json'))
const jwtBearer = 'urn:ietf:params:oauth:grant-type:jwt-bearer'
const asserted = await client.genericGrantRequest(web, jwtBearer, { assertion })
const again = await refused(client.genericGrantRequest(web, jwtBearer, { assertion }))
const exchanged = await client.genericGrantRequest(web, 'urn:ietf:params:oauth:grant-type:token-exchange', {
  subject_token: password.access_token,
  subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
  audience: 'urn:example:records',
})

const spa = await client.discovery(server, 'spa', { dpop_bound_access_tokens: true }, client.None())
const DPoP = client.getDPoPHandle(spa, await client.randomDPoPKeyPair())
const bound = await codeFlow(spa, { DPoP })
const { sub } = await client.fetchUserInfo(spa, bound.access_token, bound.claims().sub, { DPoP })
const stolen = await refused(client.refreshTokenGrant(spa, bound.refresh_token))
const kept = await client.refreshTokenGrant(spa, bound.refresh_token, undefined, { DPoP })

console.log(
  JSON.stringify({
    refreshed: { scope: refreshed.scope, rotated: refreshed.refresh_token !== tokens.refresh_token },
    introspected: [introspected.active, introspected.sub, introspected.scope],
    revoked: [afterwards.active, dead],
    own: [own.scope, own.refresh_token ?? null],
    password: password.scope,
    asserted: [asserted.scope, again],
    exchanged: exchanged.issued_token_type,
    dpop: [bound.token_type, sub, stolen, kept.token_type],
  }),
)
