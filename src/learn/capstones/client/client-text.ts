import type { FaultName } from './faults.js'

type Has = (fault: FaultName) => boolean

const HEAD = [
  '// Notes: a web client that logs people in with OpenID Connect, and shows their records.',
  '//',
  '//   GET /login?next=/notes   begins a login; next is the page that follows it',
  '//   GET /callback            the redirect address',
  '//   GET /notes               name and records of the person who is logged in; 401 for everybody else',
  '//',
  '// It prints the address at which it listens. PORT=0 takes a free one. To try it, with oauth-lab serve in another terminal:',
  '//   CLIENT_SECRET=demo-secret-0123456789abcdef0123456789 NODE_EXTRA_CA_CERTS=$(oauth-lab ca path) node capstone-client.mjs',
  "import { createHash, createPublicKey, randomBytes, verify } from 'node:crypto'",
  "import { createServer } from 'node:http'",
  '',
  "const { ISSUER = 'https://localhost:8443', RESOURCE = 'https://localhost:8444' } = process.env",
  "const { CLIENT_ID = 'demo', CLIENT_SECRET = '', PORT = '0' } = process.env",
  '',
  'const jsonAt = url => fetch(url).then(response => response.json())',
  "const metadata = await jsonAt(ISSUER + '/.well-known/openid-configuration')",
  'const { keys } = await jsonAt(metadata.jwks_uri)',
  '',
  "const random = () => randomBytes(32).toString('base64url')",
  "const hashOf = text => createHash('sha256').update(text).digest('base64url')",
  '',
  '// Logins that were begun, and people who are logged in, by the cookies of their browsers.',
  'const logins = new Map()',
  'const sessions = new Map()',
  '',
  'function cookieOf(request, name) {',
  "  const pairs = (request.headers.cookie ?? '').split(/; */).map(pair => pair.split('='))",
  '  return pairs.find(([key]) => key === name)?.[1]',
  '}',
  '',
  'function redirect(response, location, cookie) {',
  "  const cookies = cookie === undefined ? {} : { 'set-cookie': cookie + '; Path=/; HttpOnly; SameSite=Lax' }",
  '  response.writeHead(302, { location, ...cookies }).end()',
  '}',
  '',
  'async function askForTokens(fields) {',
  '  const sent = fetch(metadata.token_endpoint, {',
  "    method: 'POST',",
  "    headers: { authorization: 'Basic ' + btoa(CLIENT_ID + ':' + CLIENT_SECRET) },",
  '    body: new URLSearchParams(fields),',
  '  })',
  '  const response = await sent',
  '  const answer = await response.json()',
  '  if (!response.ok) throw new Error(answer.error)',
  '  return answer',
  '}',
]

const idToken = (has: Has): string[] => [
  '',
  'function claimsOf(token, nonce) {',
  "  const [head, body, signature] = token.split('.')",
  "  const read = part => JSON.parse(Buffer.from(part, 'base64url').toString())",
  ...(has('id-token-unchecked')
    ? ['  const claims = read(body)']
    : [
        '  const { alg, kid } = read(head)',
        '  const jwk = keys.find(key => key.kid === kid)',
        "  if (alg !== 'RS256' || jwk === undefined) throw new Error('the key of the ID token is not known')",
        "  const key = createPublicKey({ key: jwk, format: 'jwk' })",
        "  const signed = verify('sha256', Buffer.from(head + '.' + body), key, Buffer.from(signature, 'base64url'))",
        "  if (!signed) throw new Error('the signature of the ID token is wrong')",
        '  const claims = read(body)',
      ]),
  "  if (claims.iss !== ISSUER) throw new Error('the ID token is of another server')",
  ...(has('id-token-unchecked')
    ? []
    : [
        "  if (![claims.aud].flat().includes(CLIENT_ID)) throw new Error('the ID token is for another client')",
      ]),
  "  if (claims.exp * 1000 < Date.now()) throw new Error('the ID token has expired')",
  ...(has('nonce-ignored')
    ? []
    : ["  if (claims.nonce !== nonce) throw new Error('the ID token is of another login')"]),
  '  return claims',
  '}',
]

const begin = (has: Has): string[] => [
  '',
  'function beginLogin(url, response) {',
  "  const next = url.searchParams.get('next') ?? '/notes'",
  ...(has('open-redirect')
    ? []
    : [
        '  const page = URL.canParse(next, own) ? new URL(next, own) : undefined',
        "  if (page?.origin !== own || !next.startsWith('/')) throw new Error('next is no page of this client')",
      ]),
  `  const login = { ${[
    ...(has('no-state') ? [] : [has('constant-state') ? "state: hashOf('notes')" : 'state: random()']),
    'nonce: random()',
    ...(has('no-pkce') ? [] : ['verifier: random()']),
    'next',
  ].join(', ')} }`,
  '  const browser = random()',
  '  logins.set(browser, login)',
  '  const request = new URL(metadata.authorization_endpoint)',
  '  request.search = new URLSearchParams({',
  "    response_type: 'code',",
  '    client_id: CLIENT_ID,',
  ...(has('secret-in-url') ? ['    client_secret: CLIENT_SECRET,'] : []),
  "    redirect_uri: own + '/callback',",
  "    scope: 'openid records:read',",
  ...(has('no-state') ? [] : ['    state: login.state,']),
  '    nonce: login.nonce,',
  ...(has('no-pkce')
    ? []
    : has('plain-pkce')
      ? ['    code_challenge: login.verifier,', "    code_challenge_method: 'plain',"]
      : ['    code_challenge: hashOf(login.verifier),', "    code_challenge_method: 'S256',"]),
  '  })',
  "  redirect(response, request.href, 'login=' + browser)",
  '}',
]

const finish = (has: Has): string[] => [
  '',
  'async function finishLogin(request, url, response) {',
  '  const answer = url.searchParams',
  "  const browser = cookieOf(request, 'login')",
  '  const login = logins.get(browser)',
  ...(has('code-reused') ? [] : ['  logins.delete(browser)']),
  "  if (login === undefined) throw new Error('no login was begun in this browser')",
  ...(has('no-state')
    ? []
    : ["  if (answer.get('state') !== login.state) throw new Error('this is the answer to another login')"]),
  ...(has('iss-ignored')
    ? []
    : ["  if (answer.get('iss') !== ISSUER) throw new Error('this is the answer of another server')"]),
  '  const tokens = await askForTokens({',
  "    grant_type: 'authorization_code',",
  "    code: answer.get('code'),",
  "    redirect_uri: own + '/callback',",
  ...(has('no-pkce') ? [] : ['    code_verifier: login.verifier,']),
  '  })',
  '  const { sub } = claimsOf(tokens.id_token, login.nonce)',
  '  const session = random()',
  '  sessions.set(session, { name: sub, access: tokens.access_token, refresh: tokens.refresh_token })',
  ...(has('token-in-url')
    ? [
        '  const page = new URL(login.next, own)',
        "  page.searchParams.set('access_token', tokens.access_token)",
        "  redirect(response, page.href, 'session=' + session)",
      ]
    : ["  redirect(response, login.next, 'session=' + session)"]),
  '}',
]

const tail = (has: Has): string[] => [
  '',
  'const recordsOf = session =>',
  "  fetch(RESOURCE + '/records', { headers: { authorization: 'Bearer ' + session.access } })",
  '',
  'async function showNotes(request, response) {',
  "  const session = sessions.get(cookieOf(request, 'session'))",
  "  if (session === undefined) return response.writeHead(401).end('Log in first.\\n')",
  '  let records = await recordsOf(session)',
  '  if (records.status === 401) {',
  '    // The access token has expired.',
  "    const tokens = await askForTokens({ grant_type: 'refresh_token', refresh_token: session.refresh })",
  '    session.access = tokens.access_token',
  ...(has('old-refresh-token') ? [] : ['    session.refresh = tokens.refresh_token ?? session.refresh']),
  '    records = await recordsOf(session)',
  '  }',
  "  if (!records.ok) return response.writeHead(401).end('Log in again.\\n')",
  "  response.setHeader('content-type', 'text/plain; charset=utf-8')",
  "  response.end('Notes of ' + session.name + '\\n' + (await records.text()) + '\\n')",
  '}',
  '',
  'async function answerTo(request, response) {',
  '  const url = new URL(request.url, own)',
  "  if (url.pathname === '/login') return beginLogin(url, response)",
  "  if (url.pathname === '/callback') return finishLogin(request, url, response)",
  "  if (url.pathname === '/notes') return showNotes(request, response)",
  '  response.writeHead(404).end()',
  '}',
  '',
  'const server = createServer((request, response) => {',
  "  answerTo(request, response).catch(error => response.writeHead(401).end(error.message + '\\n'))",
  '})',
  "await new Promise(resolve => server.listen(Number(PORT), '127.0.0.1', resolve))",
  "const own = 'http://127.0.0.1:' + server.address().port",
  "console.log('Listening on ' + own)",
]

/** In JavaScript for Node.js without packages. */
export function clientText(faults: readonly FaultName[]): string {
  const has: Has = fault => faults.includes(fault)
  const lines = [...HEAD, ...idToken(has), ...begin(has), ...finish(has), ...tail(has)]
  return `${lines.join('\n')}\n`
}
