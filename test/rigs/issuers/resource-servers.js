// Resource servers as others write them, in front of the lab: told the issuer and an audience, nothing else.
// node resource-servers.js jose|express ISSUER AUDIENCE TOKEN…   prints one JSON object a token
import { createServer } from 'node:http'
import { auth } from 'express-oauth2-jwt-bearer'
import { createRemoteJWKSet, jwtVerify } from 'jose'

const [kind, issuer, audience, ...tokens] = process.argv.slice(2)

/** A handler with jose: discovery by hand, keys and claims by the library. */
async function withJose() {
  const metadata = await (await fetch(`${issuer}/.well-known/openid-configuration`)).json()
  const keys = createRemoteJWKSet(new URL(metadata.jwks_uri))
  return async (request, response) => {
    const [, token = ''] = /^Bearer (.+)$/.exec(request.headers.authorization ?? '') ?? []
    try {
      const { payload } = await jwtVerify(token, keys, { issuer, audience, algorithms: ['RS256'] })
      response.end(JSON.stringify(payload))
    } catch (error) {
      response.writeHead(401).end(JSON.stringify({ error: error.code, claim: error.claim }))
    }
  }
}

/** express-oauth2-jwt-bearer is a function of request, response and next; of express it needs these members. */
function withExpress() {
  const check = auth({ issuerBaseURL: issuer, audience })
  return (request, response) => {
    const { host } = request.headers
    const ofExpress = { protocol: 'http', host, originalUrl: request.url, get: () => host, is: () => false }
    Object.assign(request, ofExpress)
    check(request, response, error => {
      if (error === undefined) response.end(JSON.stringify(request.auth.payload))
      else response.writeHead(error.status ?? 500).end(JSON.stringify({ error: error.code ?? error.message }))
    })
  }
}

const server = createServer(kind === 'jose' ? await withJose() : withExpress())
await new Promise(resolve => server.listen(0, '127.0.0.1', resolve))
for (const token of tokens) {
  const headers = { authorization: `Bearer ${token}` }
  const answer = await fetch(`http://127.0.0.1:${server.address().port}/`, { headers })
  const { sub, scope, error, claim } = await answer.json()
  process.stdout.write(`${JSON.stringify({ status: answer.status, sub, scope, error, claim })}\n`)
}
server.close()
server.closeAllConnections()
