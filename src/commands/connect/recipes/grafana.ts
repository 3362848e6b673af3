import { lines } from './lines.js'
import type { Recipe } from './recipe.js'

/** Grafana with the lab as its generic OAuth provider, set by environment variables. */
export const grafana: Recipe = {
  name: 'grafana',
  title: 'Grafana: a login by generic OAuth',
  checked: { version: 'Grafana 12', by: 'documentation' },
  needs: ['Grafana'],
  secret: true,
  labFile: {
    redirect_uris: ['http://localhost:3000/login/generic_oauth'],
    grant_types: ['authorization_code', 'refresh_token'],
  },
  lines: ({ issuer, ca, clientId, secretCommand }) => [
    {
      kind: 'file',
      file: 'grafana.ini',
      lines: lines`
        [server]
        http_addr = 127.0.0.1
        root_url = http://localhost:3000/

        [auth.generic_oauth]
        enabled = true
        name = oauth-lab
        client_id = ${clientId}
        client_secret = $__env{OAUTH_LAB_CLIENT_SECRET}
        scopes = openid profile email offline_access
        auth_url = ${issuer}/authorization
        token_url = ${issuer}/token
        api_url = ${issuer}/userinfo
        auth_style = InHeader
        use_pkce = true
        use_refresh_token = true
        tls_client_ca = ${ca}
        login_attribute_path = sub
        allow_sign_up = true
      `,
    },
    {
      kind: 'run',
      lines: [
        `export OAUTH_LAB_CLIENT_SECRET="$(${secretCommand})"`,
        'grafana server --homepath /usr/share/grafana --config grafana.ini',
      ],
    },
  ],
  notes: [
    'Then open http://localhost:3000/login',
    'A new user is a Viewer; role_attribute_path gives other roles by a claim.',
  ],
}
