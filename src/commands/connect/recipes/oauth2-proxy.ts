import { lines } from './lines.js'
import type { Recipe } from './recipe.js'

/** oauth2-proxy in front of a site that has no login of its own. */
export const oauth2Proxy: Recipe = {
  name: 'oauth2-proxy',
  title: 'oauth2-proxy: a login in front of a site without one',
  checked: { version: 'oauth2-proxy 7.15.6', by: 'test' },
  needs: ['oauth2-proxy', 'a site on port 8080'],
  secret: true,
  labFile: {
    redirect_uris: ['http://127.0.0.1:4180/oauth2/callback'],
    grant_types: ['authorization_code', 'refresh_token'],
  },
  lines: ({ issuer, ca, clientId, secretCommand }) => [
    {
      kind: 'file',
      file: 'oauth2-proxy.cfg',
      lines: lines`
        provider = "oidc"
        provider_display_name = "oauth-lab"
        oidc_issuer_url = ${JSON.stringify(issuer)}
        provider_ca_files = [${JSON.stringify(ca)}]
        client_id = ${JSON.stringify(clientId)}
        scope = "openid profile email"
        code_challenge_method = "S256"
        redirect_url = "http://127.0.0.1:4180/oauth2/callback"
        http_address = "127.0.0.1:4180"
        upstreams = ["http://127.0.0.1:8080/"]
        email_domains = ["*"]
        # The proxy itself is reached by plain http here.
        cookie_secure = false
      `,
    },
    {
      kind: 'run',
      lines: lines`
        export OAUTH2_PROXY_CLIENT_SECRET="$(${secretCommand})"
        export OAUTH2_PROXY_COOKIE_SECRET="$(openssl rand -hex 16)"
        oauth2-proxy --config oauth2-proxy.cfg
      `,
    },
  ],
  notes: [
    'Then open http://127.0.0.1:4180/',
    'The proxy refuses a person whose email_verified is false; insecure_oidc_allow_unverified_email = true lets them in.',
  ],
}
