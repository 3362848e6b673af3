// A web client on openid-client 6 with the addresses of the client of the capstone: /login, /callback and /notes.
import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import * as client from 'openid-client'

const { ISSUER = '', RESOURCE = '', CLIENT_ID = '', CLIENT_SECRET = '' } = process.env
const config = await client.discovery(new URL(ISSUER), CLIENT_ID, CLIENT_SECRET)

const logins = new Map()
const sessions = new Map()
const cookie = (request, name) => new RegExp(`${name}=([\\w-]+)`).exec(request.headers.cookie ?? '')?.[1]
const redirect = (response, location, set) =>
  response.writeHead(302, { location, 'set-cookie': `${set}; Path=/; HttpOnly` }).end()

async function begin(response) {
  const pkceCodeVerifier = client.randomPKCECodeVerifier()
  const checks = {
    pkceCodeVerifier,
    expectedState: client.randomState(),
    expectedNonce: client.randomNonce(),
  }
  const id = randomUUID()
  logins.set(id, checks)
  const url = client.buildAuthorizationUrl(config, {
    redirect_uri: `${own}/callback`,
    scope: 'openid records:read',
    code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
    state: checks.expectedState,
    nonce: checks.expectedNonce,
  })
  redirect(response, url.href, `login=${id}`)
}

async function finish(request, response) {
  const id = cookie(request, 'login')
  const checks = logins.get(id)
  logins.delete(id)
  if (checks === undefined) throw new Error('no login was begun here')
  const tokens = await client.authorizationCodeGrant(config, new URL(request.url, own), {
    ...checks,
    idTokenExpected: true,
  })
  const session = randomUUID()
  sessions.set(session, { name: tokens.claims().sub, ...tokens })
  redirect(response, '/notes', `session=${session}`)
}

async function notes(request, response) {
  const session = sessions.get(cookie(request, 'session'))
  if (session === undefined) return response.writeHead(401).end()
  const read = () =>
    client.fetchProtectedResource(config, session.access_token, new URL(`${RESOURCE}/records`), 'GET')
  const records = await read().catch(async () => {
    Object.assign(session, await client.refreshTokenGrant(config, session.refresh_token))
    return read()
  })
  response.end(`Notes of ${session.name}\n${await records.text()}\n`)
}

const server = createServer((request, response) => {
  const { pathname } = new URL(request.url, own)
  const answer = { '/login': () => begin(response), '/callback': () => finish(request, response) }[pathname]
  Promise.resolve()
    .then(answer ?? (() => notes(request, response)))
    .catch(() => response.writeHead(401).end())
})
await new Promise(resolve => server.listen(0, '127.0.0.1', resolve))
const own = `http://127.0.0.1:${server.address().port}`
process.stdout.write(`Listening on ${own}\n`)
