import { lines } from './lines.js'
import { LISTEN } from './python-loopback.js'
import type { Recipe } from './recipe.js'

/** MSAL for Python: a confidential client that logs a person in with their browser. */
export const msalPython: Recipe = {
  name: 'msal-python',
  title: 'MSAL for Python: a program that logs a person in',
  checked: { version: 'msal 1.39.0', by: 'test' },
  needs: ['Python 3.9'],
  builtIn: 'demo',
  secret: true,
  labFile: {
    application_type: 'native',
    redirect_uris: ['http://127.0.0.1/callback'],
    grant_types: ['authorization_code', 'refresh_token'],
  },
  lines: ({ issuer, ca, clientId, secretCommand, word }) => [
    { kind: 'install', lines: ['python3 -m pip install msal==1.39.0'] },
    {
      kind: 'file',
      file: 'login.py',
      lines: lines`
        import os
        from http.server import BaseHTTPRequestHandler, HTTPServer
        from urllib.parse import parse_qsl, urlsplit

        import msal

        ${LISTEN}

        app = msal.ConfidentialClientApplication(
            ${JSON.stringify(clientId)},
            client_credential=os.environ["CLIENT_SECRET"],
            # MSAL demands a path, and an issuer at the root of its host has none: /. is the same address.
            oidc_authority=${JSON.stringify(`${issuer}/.`)},
        )
        # MSAL adds openid, profile and offline_access itself.
        flow = app.initiate_auth_code_flow(["email"], redirect_uri=redirect_uri)
        print("Open", flow["auth_uri"], flush=True)

        server.handle_request()
        answer = dict(parse_qsl(urlsplit(server.landed).query))
        result = app.acquire_token_by_auth_code_flow(flow, answer)
        if "error" in result:
            raise SystemExit(result["error_description"])
        print("Logged in as", result["id_token_claims"]["sub"])
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
  notes: ['MSAL adds offline_access to each login, so the client needs the grant type refresh_token.'],
}
