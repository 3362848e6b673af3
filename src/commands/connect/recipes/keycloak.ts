import { lines } from './lines.js'
import type { Recipe } from './recipe.js'

const realm = 'http://localhost:8080/realms/lab'

/** Keycloak as a broker: the lab is an identity provider of a realm. */
export const keycloak: Recipe = {
  name: 'keycloak',
  title: 'Keycloak: the lab as an identity provider of a realm',
  checked: { version: 'Keycloak 26.4.7', by: 'test' },
  needs: ['Keycloak, in whose folder the lines run'],
  secret: true,
  labFile: {
    redirect_uris: [`${realm}/broker/oauth-lab/endpoint`],
    post_logout_redirect_uris: [`${realm}/broker/oauth-lab/endpoint/logout_response`],
    backchannel_logout_uri: `${realm}/protocol/openid-connect/logout/backchannel-logout`,
    grant_types: ['authorization_code', 'refresh_token'],
  },
  lines: ({ issuer, ca, clientId, secretCommand, word }) => [
    { kind: 'run', lines: ['mkdir -p data/import'] },
    {
      kind: 'file',
      file: 'data/import/lab-realm.json',
      lines: lines`
        {
          "realm": "lab",
          "enabled": true,
          "identityProviders": [
            {
              "alias": "oauth-lab",
              "displayName": "oauth-lab",
              "providerId": "oidc",
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
                "clientSecret": "\${OAUTH_LAB_CLIENT_SECRET}",
                "defaultScope": "openid profile email"
              }
            }
          ]
        }
      `,
    },
    {
      kind: 'run',
      lines: lines`
        export OAUTH_LAB_CLIENT_SECRET="$(${secretCommand})"
        bin/kc.sh start-dev --import-realm --truststore-paths=${word(ca)}
      `,
    },
  ],
  notes: [
    'Then open http://localhost:8080/realms/lab/account and choose oauth-lab.',
    'After a change of the lab stop Keycloak, and import the realm again:   bin/kc.sh import --file data/import/lab-realm.json',
    'Keycloak 26.4 confirms the logout token of the lab, but keeps its session: it does not know the sid of the ID token (keycloak/keycloak#12142).',
    'KC_HTTP_PORT takes another port than 8080; the addresses in the lab file have the port too.',
  ],
}
