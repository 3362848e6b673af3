import { lines } from './lines.js'
import { LISTEN } from './python-loopback.js'
import type { Recipe } from './recipe.js'

/** requests-oauthlib: a program that logs a person in, and calls the lab with the token. */
export const requestsOauthlib: Recipe = {
  name: 'requests-oauthlib',
  aliases: ['oauthlib'],
  title: 'requests-oauthlib: a Python program that logs a person in',
  checked: { version: 'requests-oauthlib 2.0.0', by: 'test' },
  needs: ['Python 3.9'],
  builtIn: 'demo',
  secret: true,
  labFile: {
    application_type: 'native',
    redirect_uris: ['http://127.0.0.1/callback'],
    grant_types: ['authorization_code', 'refresh_token'],
  },
  lines: ({ issuer, ca, clientId, secretCommand, word }) => [
    { kind: 'install', lines: ['python3 -m pip install requests-oauthlib==2.0.0'] },
    {
      kind: 'file',
      file: 'login.py',
      lines: lines`
        import os
        from http.server import BaseHTTPRequestHandler, HTTPServer

        from requests_oauthlib import OAuth2Session

        # The redirect comes to this computer by http (RFC 8252 §7.3), which oauthlib refuses otherwise.
        os.environ["OAUTHLIB_INSECURE_TRANSPORT"] = "1"

        ${LISTEN}

        scope = ["openid", "profile", "email"]
        client = OAuth2Session(${JSON.stringify(clientId)}, redirect_uri=redirect_uri, scope=scope, pkce="S256")
        metadata = client.request(
            "GET", ${JSON.stringify(`${issuer}/.well-known/openid-configuration`)}, withhold_token=True
        ).json()
        url, _ = client.authorization_url(metadata["authorization_endpoint"])
        print("Open", url, flush=True)

        server.handle_request()
        client.fetch_token(
            metadata["token_endpoint"],
            authorization_response=server.landed,
            client_secret=os.environ["CLIENT_SECRET"],
        )
        user = client.get(metadata["userinfo_endpoint"]).json()
        print("Logged in as", user["sub"])
      `,
    },
    {
      kind: 'run',
      lines: [
        `export REQUESTS_CA_BUNDLE=${word(ca)}`,
        `CLIENT_SECRET="$(${secretCommand})" python3 login.py`,
      ],
    },
  ],
  notes: [
    'The library checks state, but no ID token. It refuses a token whose scope is not the one it asked for.',
  ],
}
