import type { Recipe } from './recipe.js'

/** oauth2c: a token by the code flow. Its flags take secrets alone as arguments, so the client is a public one. */
export const oauth2c: Recipe = {
  name: 'oauth2c',
  title: 'oauth2c: a token by the code flow, printed with every request',
  checked: { version: 'oauth2c 1.17', by: 'documentation' },
  needs: ['oauth2c'],
  builtIn: 'demo-native',
  secret: false,
  labFile: {
    application_type: 'native',
    redirect_uris: ['http://localhost/callback'],
    grant_types: ['authorization_code', 'refresh_token'],
  },
  lines: ({ issuer, ca, clientId, word }) => [
    {
      kind: 'run',
      lines: [
        `oauth2c ${word(issuer)} \\`,
        `  --client-id ${word(clientId)} \\`,
        '  --auth-method none --grant-type authorization_code \\',
        '  --response-types code --response-mode query --pkce \\',
        '  --scopes openid,profile,email,offline_access \\',
        '  --redirect-url http://localhost:9876/callback \\',
        `  --tls-root-ca ${word(ca)}`,
      ],
    },
  ],
  notes: [
    '--tls-root-ca replaces the certificates of the system for this call.',
    'A confidential client needs --client-secret on the command line, where other users of the computer see it.',
  ],
}
