import { lines } from './lines.js'
import type { Recipe } from './recipe.js'

/** google-auth with google-auth-oauthlib: the login of an installed program, then requests that refresh their token. */
export const googleAuth: Recipe = {
  name: 'google-auth',
  aliases: ['google-auth-oauthlib'],
  title: 'google-auth: a Python program that logs a person in and refreshes its token',
  checked: { version: 'google-auth 2.62.2 and google-auth-oauthlib 1.5.0', by: 'test' },
  needs: ['Python 3.9'],
  secret: true,
  labFile: {
    application_type: 'native',
    redirect_uris: ['http://127.0.0.1/'],
    grant_types: ['authorization_code', 'refresh_token'],
  },
  lines: ({ issuer, ca, clientId, secretCommand, word }) => [
    {
      kind: 'install',
      lines: ['python3 -m pip install google-auth==2.62.2 google-auth-oauthlib==1.5.0 requests==2.32.5'],
    },
    {
      kind: 'file',
      file: 'login.py',
      lines: lines`
        import os

        import requests
        from google.auth.transport.requests import AuthorizedSession, Request
        from google_auth_oauthlib.flow import InstalledAppFlow

        metadata = requests.get(${JSON.stringify(`${issuer}/.well-known/openid-configuration`)}, timeout=30).json()
        installed = {
            "client_id": ${JSON.stringify(clientId)},
            "client_secret": os.environ["CLIENT_SECRET"],
            "auth_uri": metadata["authorization_endpoint"],
            "token_uri": metadata["token_endpoint"],
        }
        scopes = ["openid", "profile", "email", "offline_access"]
        flow = InstalledAppFlow.from_client_config({"installed": installed}, scopes)
        credentials = flow.run_local_server(
            host="127.0.0.1",
            port=0,
            open_browser=False,
            authorization_prompt_message="Open {url}",
        )
        credentials.refresh(Request())
        user = AuthorizedSession(credentials).get(metadata["userinfo_endpoint"]).json()
        print("Logged in as", user["sub"])
      `,
    },
    {
      kind: 'run',
      lines: [
        `export REQUESTS_CA_BUNDLE=${word(ca)}`,
        `PYTHONUNBUFFERED=1 CLIENT_SECRET="$(${secretCommand})" python3 login.py`,
      ],
    },
  ],
  notes: ['The library verifies ID tokens of Google alone: read them with a library for JWTs.'],
}
