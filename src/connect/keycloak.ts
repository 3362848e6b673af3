import { lines } from './lines.js'
import type { Recipe } from './recipe.js'

/** Keycloak as a broker: the lab is an identity provider of a realm. */
export const keycloak: Recipe = {
  name: 'keycloak',
  title: 'Keycloak: the lab as an identity provider of a realm',
  checked: { version: 'Keycloak 26.4', by: 'documentation' },
  needs: ['Keycloak', 'jq'],
  secret: true,
  labFile: {
    redirect_uris: ['http://localhost:8080/realms/lab/broker/oauth-lab/endpoint'],
    grant_types: ['authorization_code', 'refresh_token'],
  },
  lines: ({ issuer, ca, clientId, secretCommand, word }) => [
    {
      kind: 'file',
      file: 'identity-provider.json',
      lines: lines`
        {
          "alias": "oauth-lab",
          "displayName": "oauth-lab",
          "providerId": "oidc",
          "enabled": true,
          "config": {
            "issuer": ${JSON.stringify(issuer)},
            "authorizationUrl": ${JSON.stringify(`${issuer}/authorization`)},
            "tokenUrl": ${JSON.stringify(`${issuer}/token`)},
            "userInfoUrl": ${JSON.stringify(`${issuer}/userinfo`)},
            "logoutUrl": ${JSON.stringify(`${issuer}/end-session`)},
            "jwksUrl": ${JSON.stringify(`${issuer}/.well-known/jwks.json`)},
            "useJwksUrl": "true",
            "validateSignature": "true",
            "pkceEnabled": "true",
            "pkceMethod": "S256",
            "clientAuthMethod": "client_secret_basic",
            "clientId": ${JSON.stringify(clientId)},
            "defaultScope": "openid profile email"
          }
        }
      `,
    },
    {
      kind: 'run',
      lines: lines`
        # In the folder of Keycloak, in a terminal of its own:
        #   bin/kc.sh start-dev --truststore-paths=${word(ca)}
        bin/kcadm.sh config credentials --server http://localhost:8080 --realm master --user admin
        bin/kcadm.sh create realms -s realm=lab -s enabled=true
        SECRET="$(${secretCommand})" jq '.config.clientSecret = env.SECRET' identity-provider.json |
          bin/kcadm.sh create identity-provider/instances -r lab -f -
      `,
    },
  ],
  notes: [
    'Then open http://localhost:8080/realms/lab/account and choose oauth-lab.',
    'Keycloak asks a new person for what the lab did not give, such as a last name.',
  ],
}
