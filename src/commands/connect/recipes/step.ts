import type { Recipe } from './recipe.js'

/** The command line of smallstep: tokens by the code flow with PKCE. */
export const step: Recipe = {
  name: 'step',
  aliases: ['step-oauth', 'step oauth', 'smallstep'],
  title: 'step oauth: tokens by the code flow with PKCE',
  checked: { version: 'step 0.28.7', by: 'test' },
  needs: ['step'],
  builtIn: 'demo-native',
  secret: false,
  labFile: {
    application_type: 'native',
    redirect_uris: ['http://127.0.0.1/callback'],
    grant_types: ['authorization_code', 'refresh_token'],
  },
  lines: ({ issuer, ca, clientId, word }) => [
    {
      kind: 'run',
      lines: [
        `export SSL_CERT_FILE=${word(ca)}`,
        `step oauth --provider ${word(issuer)} --client-id ${word(clientId)} \\`,
        '  --listen 127.0.0.1:10000 --listen-url http://127.0.0.1:10000/callback \\',
        '  --scope openid --scope profile --scope email',
      ],
    },
  ],
  notes: [
    'Go reads SSL_CERT_FILE on Linux. On macOS and Windows run   oauth-lab ca install   first.',
    'With --bare it prints the access token alone, with --oidc --bare the ID token.',
  ],
}
