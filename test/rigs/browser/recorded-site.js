// A web application that logs people in by openid-client: node recorded-site.js ISSUER PORT MISTAKE. It ends after a callback.
import { createServer } from 'node:http'
import * as client from 'openid-client'

const [issuer = '', port = '', mistake = ''] = process.argv.slice(2)
const origin = `http://127.0.0.1:${port}`
const config = await client.discovery(new URL(issuer), 'demo', 'demo-secret-0123456789abcdef0123456789')
const redirect_uri = `${origin}/callback`
const pkceCodeVerifier = client.randomPKCECodeVerifier()
const expectedState = client.randomState()

async function callback(url) {
  const sent = mistake === 'verifier' ? `${pkceCodeVerifier}x` : pkceCodeVerifier
  const checks = { pkceCodeVerifier: sent, expectedState }
  const tokens = await client.authorizationCodeGrant(config, url, checks)
  return client.fetchUserInfo(config, tokens.access_token, tokens.claims().sub)
}

const server = createServer(async (request, response) => {
  const url = new URL(request.url, origin)
  if (url.pathname === '/') {
    const asked = client.buildAuthorizationUrl(config, {
      redirect_uri,
      scope: 'openid profile',
      state: expectedState,
      code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: 'S256',
    })
    response.writeHead(302, { location: asked.href }).end()
  } else if (url.pathname === '/callback') {
    const said = await callback(url).then(JSON.stringify, error => error.error ?? error.message)
    response
      .setHeader('content-type', 'text/html')
      .end(`<!doctype html><title>done</title><output>${said}</output>`)
    console.log(said)
  } else if (url.pathname === '/end') {
    response.end('bye', () => process.exit(4))
  } else response.writeHead(404).end()
})
server.listen(Number(port), '127.0.0.1')
