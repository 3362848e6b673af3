// oauth4webapi registers itself, logs alice in with DPoP, and calls tools of an MCP server by JSON-RPC.
// node dpop-oauth4webapi.js MCP   Prints what the server answered as JSON.
import * as oauth from 'oauth4webapi'
import { logIn } from '../../programs/clients/log-in.js'

const mcp = new URL(process.argv[2] ?? '')
const redirectUri = 'http://127.0.0.1:7000/callback'
const about = await oauth.processResourceDiscoveryResponse(mcp, await oauth.resourceDiscoveryRequest(mcp))
const issuer = new URL(about.authorization_servers[0])
const discovered = await oauth.discoveryRequest(issuer, { algorithm: 'oauth2' })
const server = await oauth.processDiscoveryResponse(issuer, discovered)
const client = await oauth.processDynamicClientRegistrationResponse(
  await oauth.dynamicClientRegistrationRequest(server, {
    redirect_uris: [redirectUri],
    token_endpoint_auth_method: 'none',
    dpop_bound_access_tokens: true,
  }),
)
const verifier = oauth.generateRandomCodeVerifier()
const state = oauth.generateRandomState()
const url = new URL(server.authorization_endpoint)
url.search = new URLSearchParams({
  client_id: client.client_id,
  redirect_uri: redirectUri,
  response_type: 'code',
  scope: 'records:read',
  resource: about.resource,
  code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
  code_challenge_method: 'S256',
  state,
}).toString()
const parameters = oauth.validateAuthResponse(server, client, await logIn(url), state)
const DPoP = oauth.DPoP(client, await oauth.generateKeyPair('ES256'))
const redeemed = await oauth.authorizationCodeGrantRequest(
  ...[server, client, oauth.None(), parameters, redirectUri, verifier],
  { DPoP, additionalParameters: { resource: about.resource } },
)
const tokens = await oauth.processAuthorizationCodeResponse(server, client, redeemed)

/** Calls a tool with a proof of a key. Returns the status, and the result or the challenge. */
async function call(tool, options) {
  const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: tool, arguments: {} } }
  const headers = new Headers({
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': '2025-11-25',
  })
  const what = [tokens.access_token, 'POST', mcp, headers, JSON.stringify(body), options]
  try {
    const answer = await oauth.protectedResourceRequest(...what)
    return { status: answer.status, result: (await answer.json()).result.structuredContent }
  } catch (error) {
    const [{ scheme, parameters: challenge }] = error.cause
    return { status: error.status, scheme, error: challenge.error, scope: challenge.scope }
  }
}

const another = oauth.DPoP(client, await oauth.generateKeyPair('ES256'))
const result = {
  type: tokens.token_type,
  whoami: await call('whoami', { DPoP }),
  records: await call('records', { DPoP }),
  otherKey: await call('whoami', { DPoP: another }),
  asBearer: await call('whoami', {}),
  stepUp: await call('write_record', { DPoP }),
}
console.log(JSON.stringify(result))
