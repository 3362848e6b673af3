// openid-client 6 beyond the code flow: a pushed request with resources, an id_token from the authorization endpoint,
// single claims, the addresses to log out at. node openid-more.js ISSUER. Prints what it got as JSON.
import * as client from 'openid-client'
// Named otherwise, since it is no hook of React's.
import {
  useCodeIdTokenResponseType as expectBoth,
  useIdTokenResponseType as expectIdToken,
} from 'openid-client'
import { logIn } from '../../programs/clients/log-in.js'

const [issuer = ''] = process.argv.slice(2)
const redirectUri = 'http://127.0.0.1:7000/callback'
const secret = 'demo-secret-0123456789abcdef0123456789'
const discover = async (id, how) => {
  const config = await client.discovery(new URL(issuer), id, how && secret, how)
  client.enableNonRepudiationChecks(config)
  return config
}

async function pushed() {
  const config = await discover('demo', client.ClientSecretBasic(secret))
  const pkceCodeVerifier = client.randomPKCECodeVerifier()
  const expectedState = client.randomState()
  const url = await client.buildAuthorizationUrlWithPAR(config, {
    redirect_uri: redirectUri,
    scope: 'openid records:read',
    resource: 'https://api.example/',
    code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
    state: expectedState,
  })
  const landed = await logIn(url)
  const again = await fetch(url)
  const tokens = await client.authorizationCodeGrant(config, landed, { pkceCodeVerifier, expectedState })
  return {
    asked: [...url.searchParams.keys()],
    again: again.status,
    aud: JSON.parse(Buffer.from(tokens.access_token.split('.')[1], 'base64url')).aud,
    logout: client.buildEndSessionUrl(config, { id_token_hint: tokens.id_token }).pathname,
  }
}

async function implicit() {
  const config = await discover('demo-spa')
  expectIdToken(config)
  const nonce = client.randomNonce()
  const state = client.randomState()
  const url = client.buildAuthorizationUrl(config, {
    redirect_uri: redirectUri,
    scope: 'openid email',
    nonce,
    state,
  })
  const claims = await client.implicitAuthentication(config, await logIn(url), nonce, {
    expectedState: state,
  })
  return { sub: claims.sub, email: claims.email }
}

/** A code and an id_token in one response (OpenID Connect Core §3.3), in the fragment. */
async function hybrid() {
  const config = await discover('demo', client.ClientSecretBasic(secret))
  expectBoth(config)
  const pkceCodeVerifier = client.randomPKCECodeVerifier()
  const [expectedState, expectedNonce] = [client.randomState(), client.randomNonce()]
  const url = client.buildAuthorizationUrl(config, {
    redirect_uri: redirectUri,
    scope: 'openid',
    nonce: expectedNonce,
    state: expectedState,
    code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
  })
  const checks = { pkceCodeVerifier, expectedState, expectedNonce }
  const tokens = await client.authorizationCodeGrant(config, await logIn(url), checks)
  return { asked: url.searchParams.get('response_type'), sub: tokens.claims().sub }
}

/** Single claims instead of scopes (OpenID Connect Core §5.5). */
async function claims() {
  const config = await discover('demo', client.ClientSecretPost(secret))
  const pkceCodeVerifier = client.randomPKCECodeVerifier()
  const expectedState = client.randomState()
  const url = client.buildAuthorizationUrl(config, {
    redirect_uri: redirectUri,
    scope: 'openid',
    claims: JSON.stringify({ userinfo: { email: { essential: true } }, id_token: { name: null } }),
    code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
    state: expectedState,
  })
  const tokens = await client.authorizationCodeGrant(config, await logIn(url), {
    pkceCodeVerifier,
    expectedState,
  })
  const userinfo = await client.fetchUserInfo(config, tokens.access_token, tokens.claims().sub)
  return {
    supported: config.serverMetadata().claims_parameter_supported,
    idToken: tokens.claims().name,
    userinfo,
  }
}

const found = {
  pushed: await pushed(),
  implicit: await implicit(),
  hybrid: await hybrid(),
  claims: await claims(),
}
console.log(JSON.stringify(found))
