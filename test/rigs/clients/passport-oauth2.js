// passport-oauth2 in a small web application of its own: node passport-oauth2.js ISSUER. A browser without scripts
// logs in there. Prints whom the application then knows, as JSON.
import { createServer } from 'node:http'
import OAuth2Strategy from 'passport-oauth2'
import { logIn } from '../../programs/clients/log-in.js'

const [issuer = ''] = process.argv.slice(2)

class LabStrategy extends OAuth2Strategy {
  userProfile(accessToken, done) {
    this._oauth2.useAuthorizationHeaderforGET(true)
    this._oauth2.get(`${issuer}/userinfo`, accessToken, (error, body) =>
      error ? done(error) : done(null, JSON.parse(body)),
    )
  }
}

/** What passport does with a strategy: gives a request session and query, and the strategy ways to answer. */
function authenticate(strategy, session, request, response) {
  const query = Object.fromEntries(new URL(request.url, 'http://127.0.0.1').searchParams)
  const answer = (status, body, headers = {}) => {
    response.writeHead(status, headers)
    response.end(JSON.stringify(body))
  }
  const acting = Object.assign(Object.create(strategy), {
    redirect: location => answer(302, {}, { location }),
    success: user => answer(200, user),
    fail: (challenge, status) => answer(status ?? 401, challenge),
    error: ({ message, code }) => answer(500, { message, code }),
  })
  acting.authenticate(Object.assign(request, { session, query }))
}

/** One person's visit, all requests of which share a session. */
async function visit(options) {
  const session = {}
  const server = createServer((request, response) => authenticate(strategy, session, request, response))
  await new Promise(done => server.listen(0, '127.0.0.1', done))
  const origin = `http://127.0.0.1:${server.address().port}`
  const strategy = new LabStrategy(
    {
      authorizationURL: `${issuer}/authorization`,
      tokenURL: `${issuer}/token`,
      clientID: 'demo',
      clientSecret: 'demo-secret-0123456789abcdef0123456789',
      callbackURL: `${origin}/callback`,
      scope: ['openid', 'profile'],
      ...options,
    },
    (_accessToken, refreshToken, { sub, name }, done) =>
      done(null, { sub, name, refreshable: refreshToken !== undefined }),
  )
  try {
    const started = await fetch(`${origin}/login`, { redirect: 'manual' })
    const landed = await logIn(new URL(started.headers.get('location')))
    const user = await (await fetch(landed)).json()
    const again = await fetch(landed)
    return { user, again: [again.status, (await again.json()).code ?? null] }
  } finally {
    server.close()
  }
}

const withPkce = await visit({ state: true, pkce: true })
const bare = await visit({})
console.log(JSON.stringify({ withPkce, bare }))
