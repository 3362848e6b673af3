import { lines } from './lines.js'
import type { Recipe } from './recipe.js'

/** dex with the lab as a connector: dex is the issuer of its clients, and asks the lab who the person is. */
export const dex: Recipe = {
  name: 'dex',
  title: 'dex: the lab as a connector of type oidc',
  checked: { version: 'dex 2.45.1', by: 'documentation' },
  needs: ['dex'],
  secret: true,
  labFile: {
    redirect_uris: ['http://127.0.0.1:5556/dex/callback'],
    grant_types: ['authorization_code', 'refresh_token'],
  },
  lines: ({ issuer, ca, clientId, secretCommand }) => [
    {
      kind: 'file',
      file: 'dex.yaml',
      lines: lines`
        issuer: http://127.0.0.1:5556/dex
        storage:
          type: memory
        web:
          http: 127.0.0.1:5556
        connectors:
          - type: oidc
            id: oauth-lab
            name: oauth-lab
            config:
              issuer: ${JSON.stringify(issuer)}
              clientID: ${JSON.stringify(clientId)}
              clientSecret: $OAUTH_LAB_CLIENT_SECRET
              redirectURI: http://127.0.0.1:5556/dex/callback
              rootCAs:
                - ${JSON.stringify(ca)}
              scopes: [profile, email]
              # The claims of the person come from userinfo: the lab puts them into ID tokens on request alone.
              getUserInfo: true
        staticClients:
          - id: example-app
            name: Example
            public: true
            redirectURIs:
              - http://127.0.0.1:5555/callback
      `,
    },
    {
      kind: 'run',
      lines: [`export OAUTH_LAB_CLIENT_SECRET="$(${secretCommand})"`, 'dex serve dex.yaml'],
    },
  ],
  notes: [
    'dex replaces $OAUTH_LAB_CLIENT_SECRET in the configuration of connectors, unless DEX_EXPAND_ENV is false.',
  ],
}
