// A client that logs a person in by discovery, PKCE and an ID token: node login-client.mjs [CHECK=HOW …]
// CHECK is redirect, state, iss, nonce, at_hash, metadata, aud or sub; HOW is none, constant or itself. Left out: the right check.
import { createHash, randomBytes } from 'node:crypto'
import { createInterface } from 'node:readline'

const how = Object.fromEntries(process.argv.slice(2).map(each => each.split('=')))
const { ISSUER, CLIENT_ID, CLIENT_SECRET } = process.env
const redirectUri = 'http://127.0.0.1/callback'
const random = () => randomBytes(32).toString('base64url')

/** Compares as the client was told to. */
function check(name, received, expected) {
  const wanted = how[name] === 'constant' ? 'constant' : how[name] === 'itself' ? received : expected
  if (how[name] !== 'none' && received !== wanted) {
    console.error(`${name}: expected ${wanted}, received ${received}`)
    process.exit(1)
  }
}

const metadata = await (await fetch(`${ISSUER}/.well-known/openid-configuration`)).json()
check('metadata', metadata.issuer, ISSUER)
const state = how.state === 'constant' ? 'constant' : random()
const nonce = how.nonce === 'constant' ? 'constant' : random()
const verifier = random()
const request = new URL(metadata.authorization_endpoint)
request.search = new URLSearchParams({
  response_type: 'code',
  client_id: CLIENT_ID,
  redirect_uri: redirectUri,
  scope: how.scope ?? 'openid',
  state,
  ...(how.nonce !== 'none' && { nonce }),
  code_challenge: createHash('sha256').update(verifier).digest('base64url'),
  code_challenge_method: 'S256',
})
console.log(request.href)
const line = await new Promise(resolve => createInterface({ input: process.stdin }).once('line', resolve))
check('redirect', line.split('?')[0], redirectUri)
const answer = new URL(line).searchParams
check('state', answer.get('state'), state)
check('iss', answer.get('iss'), metadata.issuer)

const response = await fetch(metadata.token_endpoint, {
  method: 'POST',
  headers: { authorization: `Basic ${btoa(`${CLIENT_ID}:${CLIENT_SECRET}`)}` },
  body: new URLSearchParams({
    grant_type: 'authorization_code',
    code: answer.get('code'),
    redirect_uri: redirectUri,
    code_verifier: verifier,
  }),
})
if (!response.ok) process.exit(1)
const tokens = await response.json()
let sub
if (how.aud !== 'none' || tokens.id_token) {
  if (!tokens.id_token) process.exit(1)
  const claims = JSON.parse(Buffer.from(tokens.id_token.split('.')[1], 'base64url').toString())
  sub = claims.sub
  check('aud', claims.aud, CLIENT_ID)
  if (how.nonce !== 'none') check('nonce', claims.nonce, nonce)
  const digest = createHash('sha256').update(tokens.access_token).digest()
  check('at_hash', claims.at_hash, digest.subarray(0, 16).toString('base64url'))
}
const userinfo = await fetch(metadata.userinfo_endpoint, {
  headers: { authorization: `Bearer ${tokens.access_token}` },
})
const person = await userinfo.json()
if (sub !== undefined) check('sub', person.sub, sub)
console.log(`logged in: ${person.sub}`)
process.exit(0)
