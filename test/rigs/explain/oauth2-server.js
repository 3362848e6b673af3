// @node-oauth/oauth2-server for a page in a browser: OAuth without OpenID Connect, without discovery. It runs behind a proxy
// that ends TLS, until stdin ends.
// node oauth2-server.js   prints the address that the proxy forwards to
import OAuth2Server from '@node-oauth/oauth2-server'
import express from 'express'

const { Request, Response } = OAuth2Server
const codes = new Map()
const tokens = new Map()
const client = {
  id: 'page',
  grants: ['authorization_code', 'refresh_token'],
  redirectUris: ['http://127.0.0.1/callback'],
}
const server = new OAuth2Server({
  requireClientAuthentication: { authorization_code: false, refresh_token: false },
  enablePlainPKCE: true,
  model: {
    getClient: id => (id === client.id ? client : undefined),
    validateRedirectUri: uri => /^http:\/\/127\.0\.0\.1:\d+\/callback$/.test(uri),
    validateScope: (_user, _client, scope) => scope?.every(each => each === 'notes') && scope,
    saveAuthorizationCode(code, by, user) {
      codes.set(code.authorizationCode, { ...code, client: by, user })
      return { ...code, client: by, user }
    },
    getAuthorizationCode: code => codes.get(code),
    revokeAuthorizationCode: ({ authorizationCode }) => codes.delete(authorizationCode),
    saveToken(token, by, user) {
      const saved = { ...token, client: by, user }
      tokens.set(token.accessToken, saved).set(token.refreshToken, saved)
      return saved
    },
    getAccessToken: token => tokens.get(token),
    getRefreshToken: token => tokens.get(token),
    revokeToken: ({ refreshToken }) => tokens.delete(refreshToken),
  },
})

/** The person whose password the login page takes. */
const people = {
  handle: ({ body }) => (body.password === 'wonderland' ? { name: body.username } : undefined),
}
const page =
  '<!doctype html><title>Sign in</title><link rel="icon" href="data:,"><form method="post">' +
  '<input name="username"><input name="password" type="password"><button>Sign in</button></form>'

/** Answers as the library decided. */
const answered = work => async (request, response) => {
  const made = new Response(response)
  const error = await work(new Request(request), made).then(
    () => undefined,
    problem => problem,
  )
  response
    .set({ ...made.headers, 'access-control-allow-origin': '*' })
    .status(error?.code ?? made.status ?? 200)
  // A refusal that may not be redirected is shown.
  if (made.headers.location !== undefined) response.status(302).end()
  else if (Object.keys(made.body ?? {}).length > 0) response.send(made.body)
  else
    response.send(error ? { error: error.name, error_description: error.message } : { name: 'Alice Liddell' })
}

const app = express()
app.disable('x-powered-by')
app.use(express.urlencoded({ extended: false }))
app.options('*', (_request, response) => {
  response.set({ 'access-control-allow-origin': '*', 'access-control-allow-headers': 'authorization' }).end()
})
app.get('/authorize', (request, response) => {
  const { client_id, redirect_uri } = request.query
  const known = client_id === client.id && /^http:\/\/127\.0\.0\.1:\d+\/callback$/.test(redirect_uri)
  response
    .status(known ? 200 : 400)
    .send(known ? page : '<!doctype html><title>Error</title><p>Unknown redirect_uri')
})
app.post(
  '/authorize',
  answered((request, response) => server.authorize(request, response, { authenticateHandler: people })),
)
app.post(
  '/token',
  answered((request, response) => server.token(request, response)),
)
app.get(
  '/me',
  answered((request, response) => server.authenticate(request, response)),
)
const listening = app.listen(0, '127.0.0.1', () => {
  process.stdout.write(`http://127.0.0.1:${listening.address().port}\n`)
})
process.stdin.resume().on('end', () => process.exit())
