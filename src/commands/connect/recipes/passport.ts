import { lines } from './lines.js'
import type { Recipe } from './recipe.js'

/** Passport with the strategy of openid-client: a web application with a session. */
export const passport: Recipe = {
  name: 'passport',
  title: 'Passport: an Express application with a login',
  checked: { version: 'passport 0.7.0, openid-client 6.8.9 and express 4.22.3', by: 'test' },
  needs: ['Node.js 20'],
  builtIn: 'demo',
  secret: true,
  labFile: {
    redirect_uris: ['http://127.0.0.1/callback'],
    grant_types: ['authorization_code'],
  },
  lines: ({ issuer, ca, clientId, secretCommand, word }) => [
    {
      kind: 'install',
      lines: ['npm install passport@0.7.0 openid-client@6.8.9 express@4.22.3 express-session@1.19.0'],
    },
    {
      kind: 'file',
      file: 'app.mjs',
      lines: lines`
        import { randomBytes } from 'node:crypto'
        import express from 'express'
        import session from 'express-session'
        import * as client from 'openid-client'
        import { Strategy } from 'openid-client/passport'
        import passport from 'passport'

        const port = Number(process.env.PORT ?? 3000)
        const origin = 'http://127.0.0.1:' + port
        const issuer = new URL(${JSON.stringify(issuer)})
        const config = await client.discovery(issuer, ${JSON.stringify(clientId)}, process.env.CLIENT_SECRET)

        const options = { config, scope: 'openid profile email', callbackURL: origin + '/callback' }
        const strategy = new Strategy(options, async (tokens, done) => {
          const user = await client.fetchUserInfo(config, tokens.access_token, tokens.claims().sub)
          done(null, { sub: user.sub, name: user.name })
        })
        passport.use('lab', strategy)
        passport.serializeUser((user, done) => done(null, user))
        passport.deserializeUser((user, done) => done(null, user))

        const app = express()
        const secret = randomBytes(32).toString('hex')
        app.use(session({ secret, resave: false, saveUninitialized: false }))
        app.use(passport.session())
        app.get('/login', passport.authenticate('lab'))
        app.get('/callback', passport.authenticate('lab', { successRedirect: '/' }))
        app.get('/', (request, response) => {
          const text = request.user ? 'Logged in as ' + request.user.sub : 'Nobody is logged in; open /login'
          response.type('text').send(text)
        })
        app.listen(port, '127.0.0.1', () => console.log('Open ' + origin + '/login'))
      `,
    },
    {
      kind: 'run',
      lines: [`export NODE_EXTRA_CA_CERTS=${word(ca)}`, `CLIENT_SECRET="$(${secretCommand})" node app.mjs`],
    },
  ],
  notes: [
    'passport-openidconnect and passport-oauth2 send the secret in the body, which the lab accepts; the first one sends no PKCE challenge.',
  ],
}
