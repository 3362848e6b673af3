import { lines } from './lines.js'
import type { Recipe } from './recipe.js'

/** Auth.js: the provider of an application, here in Express. */
export const authjs: Recipe = {
  name: 'authjs',
  aliases: ['auth.js', 'next-auth', 'nextauth', '@auth/core', '@auth/express'],
  title: 'Auth.js: a provider, here in an Express application',
  checked: { version: '@auth/express 0.12.3, @auth/core 0.41.3 and express 4.22.3', by: 'test' },
  needs: ['Node.js 20'],
  secret: true,
  labFile: {
    redirect_uris: ['http://127.0.0.1/auth/callback/oauth-lab'],
    grant_types: ['authorization_code'],
    // Auth.js reads the person's name and address in the ID token.
    id_token_claims: true,
  },
  lines: ({ issuer, ca, clientId, secretCommand, word }) => [
    { kind: 'install', lines: ['npm install @auth/express@0.12.3 express@4.22.3'] },
    {
      kind: 'file',
      file: 'app.mjs',
      lines: lines`
        import { ExpressAuth, getSession } from '@auth/express'
        import express from 'express'

        const provider = {
          id: 'oauth-lab',
          name: 'oauth-lab',
          type: 'oidc',
          issuer: ${JSON.stringify(issuer)},
          clientId: ${JSON.stringify(clientId)},
          clientSecret: process.env.AUTH_OAUTH_LAB_SECRET,
          checks: ['pkce', 'state', 'nonce'],
        }
        const config = { providers: [provider], trustHost: true }

        const app = express()
        app.use('/auth/*', ExpressAuth(config))
        app.get('/', async (request, response) => {
          const session = await getSession(request, config)
          const text = session ? 'Logged in as ' + session.user.name : 'Nobody is logged in; open /auth/signin'
          response.type('text').send(text)
        })
        const port = Number(process.env.PORT ?? 3000)
        app.listen(port, '127.0.0.1', () => console.log('Open http://127.0.0.1:' + port + '/auth/signin'))
      `,
    },
    {
      kind: 'run',
      lines: [
        `export NODE_EXTRA_CA_CERTS=${word(ca)}`,
        'export AUTH_SECRET="$(openssl rand -hex 32)"',
        `export AUTH_OAUTH_LAB_SECRET="$(${secretCommand})"`,
        'node app.mjs',
      ],
    },
  ],
  notes: [
    'In Next.js the same provider stands in auth.ts. Its redirect_uri is http://localhost:3000/api/auth/callback/oauth-lab.',
  ],
}
