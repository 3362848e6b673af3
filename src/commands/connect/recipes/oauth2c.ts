import type { Recipe } from './recipe.js'

/** oauth2c: a token by the code flow, for a public client, which has no secret to type. */
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
    'For a confidential client:   --auth-method client_secret_basic   without --client-secret, which others would see. It asks for the secret.',
  ],
}
