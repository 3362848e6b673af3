// Gives wrong tokens to three libraries that check tokens, and prints what each says: one object of JSON a line.

import { createLocalJWKSet, exportJWK, exportSPKI, generateKeyPair, jwtVerify, SignJWT } from 'jose'
import jsonwebtoken from 'jsonwebtoken'
import * as oauth from 'oauth4webapi'

const issuer = 'https://id.example'
const audience = 'api'
const own = await generateKeyPair('RS256', { extractable: true })
const other = await generateKeyPair('RS256')
const keys = { keys: [{ ...(await exportJWK(own.publicKey)), kid: 'k1', alg: 'RS256', use: 'sig' }] }
const pem = await exportSPKI(own.publicKey)

/** Signs a token that is right but for what is said. */
function signed({ claims = {}, header = {}, key = own.privateKey, exp = '1h' } = {}) {
  return new SignJWT({ client_id: 'web', jti: 'j', ...claims })
    .setProtectedHeader({ alg: 'RS256', kid: 'k1', typ: 'at+jwt', ...header })
    .setIssuer(claims.iss ?? issuer)
    .setAudience(claims.aud ?? audience)
    .setSubject('alice')
    .setIssuedAt()
    .setExpirationTime(exp)
    .sign(key)
}

const tokens = {
  right: await signed(),
  issuer: await signed({ claims: { iss: 'https://other.example' } }),
  audience: await signed({ claims: { aud: 'other' } }),
  clock: await signed({ exp: '-1h' }),
  keys: await signed({ key: other.privateKey }),
  malformed: 'opaque-token-of-another-server',
}

const libraries = {
  jose: token => jwtVerify(token, createLocalJWKSet(keys), { issuer, audience }),
  jsonwebtoken: token => jsonwebtoken.verify(token, pem, { issuer, audience, algorithms: ['RS256'] }),
  oauth4webapi: token =>
    oauth.validateJwtAccessToken(
      { issuer, jwks_uri: `${issuer}/jwks` },
      new Request('https://api.example/', { headers: { authorization: `Bearer ${token}` } }),
      audience,
      { [oauth.customFetch]: async () => Response.json(keys) },
    ),
}

for (const [library, check] of Object.entries(libraries)) {
  for (const [mistake, token] of Object.entries(tokens)) {
    let message = null
    try {
      await check(token)
    } catch (error) {
      message = `${error.name}: ${error.message}`
    }
    console.log(JSON.stringify({ library, mistake, message }))
  }
}
