import { lines } from './lines.js'
import { IMPORTS, LISTEN, WAIT } from './node-loopback.js'
import type { Recipe } from './recipe.js'

/** openid-client 6: a program that logs a person in with their browser. */
export const openidClient: Recipe = {
  name: 'openid-client',
  title: 'openid-client: a Node.js program that logs a person in',
  checked: { version: 'openid-client 6.8.9', by: 'test' },
  needs: ['Node.js 20'],
  builtIn: 'demo',
  secret: true,
  labFile: {
    application_type: 'native',
    redirect_uris: ['http://127.0.0.1/callback'],
    grant_types: ['authorization_code', 'refresh_token'],
  },
  lines: ({ issuer, ca, clientId, secretCommand, word }) => [
    { kind: 'install', lines: ['npm install openid-client@6.8.9'] },
    {
      kind: 'file',
      file: 'login.mjs',
      lines: lines`
        ${IMPORTS}
        import * as client from 'openid-client'

        const issuer = new URL(${JSON.stringify(issuer)})
        const config = await client.discovery(issuer, ${JSON.stringify(clientId)}, process.env.CLIENT_SECRET)
        // Checks the signature of the ID token as well. Without it, TLS alone vouches for the token.
        client.enableNonRepudiationChecks(config)

        ${LISTEN}

        const pkceCodeVerifier = client.randomPKCECodeVerifier()
        const expectedState = client.randomState()
        const expectedNonce = client.randomNonce()
        const url = client.buildAuthorizationUrl(config, {
          redirect_uri: redirectUri,
          scope: 'openid profile email',
          code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
          code_challenge_method: 'S256',
          state: expectedState,
          nonce: expectedNonce,
        })
        console.log('Open ' + url.href)

        ${WAIT}

        const checks = { pkceCodeVerifier, expectedState, expectedNonce, idTokenExpected: true }
        const tokens = await client.authorizationCodeGrant(config, landed, checks)
        const user = await client.fetchUserInfo(config, tokens.access_token, tokens.claims().sub)
        console.log('Logged in as ' + user.sub)
      `,
    },
    {
      kind: 'run',
      lines: [`export NODE_EXTRA_CA_CERTS=${word(ca)}`, `CLIENT_SECRET="$(${secretCommand})" node login.mjs`],
    },
  ],
  notes: ['Node.js reads NODE_EXTRA_CA_CERTS when it starts; a program cannot set it for itself.'],
}
