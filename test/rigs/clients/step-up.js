// openid-client 6 and oauth4webapi ask for logins: max_age, a step up at the resource server (RFC 9470), a pairwise client.
// node step-up.js ISSUER RESOURCE CODE   CODE is a one-time code of alice. Prints what they got as JSON.
import { setTimeout as sleep } from 'node:timers/promises'
import * as oauth from 'oauth4webapi'
import * as client from 'openid-client'
import { logIn } from '../../programs/clients/log-in.js'

const [issuer = '', resource = '', code = ''] = process.argv.slice(2)
const redirectUri = 'http://127.0.0.1:7000/callback'
const secret = id => `${id}-secret-0123456789abcdef0123456789`

/** Logs alice in by password and code, as a browser without scripts would. */
async function logInTwice(url) {
  const jar = new Map()
  const visit = async (address, form) => {
    const cookie = [...jar].map(each => each.join('=')).join('; ')
    const how = form === undefined ? {} : { method: 'POST', body: new URLSearchParams(form) }
    const answer = await fetch(address, { ...how, redirect: 'manual', headers: { cookie } })
    for (const line of answer.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)
      jar.set(name, value)
    }
    return answer
  }
  const field = (html, name) => new RegExp(`name="${name}" value="([^"]*)"`).exec(html)?.[1]
  const page = await (await visit(url)).text()
  const second = await visit(url, { username: 'alice', password: 'wonderland', csrf: field(page, 'csrf') })
  const html = await second.text()
  const form = { otp: code, csrf: field(html, 'csrf'), second_factor: field(html, 'second_factor') }
  return new URL((await visit(url, form)).headers.get('location'))
}

/** Walks the code flow of openid-client. */
async function tokensFor(config, parameters, login, maxAge) {
  const pkceCodeVerifier = client.randomPKCECodeVerifier()
  const [expectedState, expectedNonce] = [client.randomState(), client.randomNonce()]
  const url = client.buildAuthorizationUrl(config, {
    redirect_uri: redirectUri,
    scope: 'openid',
    code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
    state: expectedState,
    nonce: expectedNonce,
    ...parameters,
  })
  return client.authorizationCodeGrant(config, await login(url), {
    pkceCodeVerifier,
    expectedState,
    expectedNonce,
    ...(maxAge !== undefined && { maxAge }),
  })
}

const configFor = id => client.discovery(new URL(issuer), id, secret(id))
const config = await configFor('demo')
const vault = new URL('/vault', resource)
const show = token => client.fetchProtectedResource(config, token, vault, 'GET')

const first = await tokensFor(config, { max_age: '60' }, logIn, 60)
const [challenge] = await show(first.access_token).then(
  () => [],
  error => error.cause,
)
const { error, acr_values, max_age } = challenge.parameters
const second = await tokensFor(config, { acr_values, max_age }, logInTwice, Number(max_age))
const introspected = await client.tokenIntrospection(config, second.access_token)
const opened = await show(second.access_token)

const pairConfig = await configFor('pair')
const pair = await tokensFor(pairConfig, { scope: 'openid email' }, logIn)
const { sub } = pair.claims()
const known = await client.fetchUserInfo(pairConfig, pair.access_token, sub)

/** The error of oauth4webapi for a login that is older than max_age when its code is redeemed. */
async function tooOld() {
  const server = await oauth.processDiscoveryResponse(
    new URL(issuer),
    await oauth.discoveryRequest(new URL(issuer)),
  )
  const demo = { client_id: 'demo', [oauth.clockTolerance]: 0 }
  const url = new URL(server.authorization_endpoint)
  const request = { client_id: 'demo', redirect_uri: redirectUri, response_type: 'code', scope: 'openid' }
  url.search = new URLSearchParams({ ...request, max_age: '1' })
  const parameters = oauth.validateAuthResponse(server, demo, await logIn(url), oauth.expectNoState)
  await sleep(3000)
  const how = [server, demo, oauth.ClientSecretBasic(secret('demo')), parameters, redirectUri]
  const answer = await oauth.authorizationCodeGrantRequest(...how, oauth.nopkce)
  return oauth.processAuthorizationCodeResponse(server, demo, answer, { maxAge: 1 }).then(
    () => 'accepted',
    error => error.message,
  )
}

process.stdout.write(
  JSON.stringify({
    acr: first.claims().acr,
    challenge: { scheme: challenge.scheme, error, acr_values, max_age },
    stronger: { acr: second.claims().acr, amr: second.claims().amr, status: opened.status },
    introspected: { acr: introspected.acr, auth_time: typeof introspected.auth_time },
    pair: { opaque: /^[\w-]{43}$/.test(sub), email: known.email },
    subjects: config.serverMetadata().subject_types_supported,
    tooOld: await tooOld(),
  }),
)
