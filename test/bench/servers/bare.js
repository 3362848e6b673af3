// The least that a token endpoint on node:https can do: read the form, make one RSA signature, answer a token; the least
// that a resource can do: answer a GET; and the least that a login can do: a page, a redirect. The yardstick for the others.
// node bare.js PEM ANSWERS [jose]: a file with certificate and key; a file with answers of a lab by their targets, which are sent
// again; `jose` signs with that library, and not with Node itself.
import { generateKeyPairSync, randomUUID, sign, verify } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:https'
import { portOf } from '../port.js'

const [, , file, answersFile, library] = process.argv
const pem = readFileSync(file, 'utf8')
const answers = JSON.parse(readFileSync(answersFile, 'utf8'))
const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const encode = value => Buffer.from(JSON.stringify(value)).toString('base64url')
const joseHeader = { typ: 'JWT', alg: 'RS256', kid: 'jsd9Gk1cZ6dFTsU0oQ7e0W1rZ2gkTjY8C0tR5Jq3xVY' }
const header = encode(joseHeader)

/** Signs claims with jose. */
async function joseSigner() {
  const { importPKCS8, SignJWT } = await import('jose')
  const key = await importPKCS8(privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(), 'RS256')
  return claims => new SignJWT(claims).setProtectedHeader(joseHeader).sign(key)
}

const signWithJose = library === 'jose' ? await joseSigner() : undefined

function makeToken() {
  const iat = Math.floor(Date.now() / 1000)
  const claims = {
    sub: 'service',
    iat,
    nbf: iat - 30,
    exp: iat + 3600,
    iss: 'https://localhost',
    aud: 'service',
    jti: randomUUID(),
    client_id: 'service',
    scope: 'records:read',
  }
  if (signWithJose) return signWithJose(claims)
  const input = `${header}.${encode(claims)}`
  return `${input}.${sign('sha256', Buffer.from(input), privateKey).toString('base64url')}`
}

const resource = JSON.stringify({ sub: 'service', scope: 'records:read', padding: 'x'.repeat(300) })

// As large as the lab's, which has its style in it.
const page = `<form method="post"><input name="csrf" value="none"></form>${' '.repeat(2800)}`
const landed = 'http://127.0.0.1/callback?code=SplxlOBeZQQYbYS6WxSbIA'

function answerPage(response) {
  response.writeHead(200, { 'content-type': 'text/html', 'content-length': page.length })
  response.end(page)
}

function answer(response, body) {
  response.writeHead(200, {
    'content-type': 'application/json',
    'cache-control': 'no-store',
    'content-length': Buffer.byteLength(body),
  })
  response.end(body)
}

const signed = Buffer.from(`${header}.${encode({ sub: 'alice', padding: 'x'.repeat(300) })}`)
const signature = sign('sha256', signed, privateKey)

function repeat(response, { status, headers, body, verifies }) {
  if (verifies && !verify('sha256', signed, publicKey, signature)) throw new Error('a wrong signature')
  response.writeHead(status, headers)
  response.end(body)
}

const server = createServer({ cert: pem, key: pem }, (request, response) => {
  const login = request.url?.startsWith('/authorization')
  const repeated = answers[request.url ?? '']
  if (request.method === 'GET' && repeated) return repeat(response, repeated)
  if (request.method === 'GET') return login ? answerPage(response) : answer(response, resource)
  const chunks = []
  request.on('data', chunk => chunks.push(chunk))
  request.on('end', async () => {
    const form = new URLSearchParams(Buffer.concat(chunks).toString())
    if (repeated) return repeat(response, repeated)
    if (login) return response.writeHead(302, { location: landed, 'content-length': 0 }).end()
    const scope = form.get('scope')
    const token = signWithJose ? await makeToken() : makeToken()
    // Each client of the bench that has people asks for an id_token.
    const person = form.get('grant_type') !== 'client_credentials'
    const id_token = person ? (signWithJose ? await makeToken() : makeToken()) : undefined
    const refresh_token = form.get('refresh_token') ?? undefined
    const all = {
      access_token: token,
      token_type: 'Bearer',
      expires_in: 3600,
      scope,
      id_token,
      refresh_token,
    }
    const body = JSON.stringify(all)
    answer(response, body)
  })
})
server.listen(0, '127.0.0.1', () => {
  console.log(JSON.stringify({ url: `https://localhost:${portOf(server)}` }))
})
