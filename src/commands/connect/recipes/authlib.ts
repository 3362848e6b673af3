import { lines } from './lines.js'
import type { Recipe } from './recipe.js'

/** Authlib: a login in a Flask application. */
export const authlib: Recipe = {
  name: 'authlib',
  title: 'Authlib: a Flask application with a login',
  checked: { version: 'Authlib 1.9.9 and Flask 3.1.2', by: 'test' },
  needs: ['Python 3.9'],
  builtIn: 'demo',
  secret: true,
  labFile: {
    redirect_uris: ['http://127.0.0.1/callback'],
    grant_types: ['authorization_code'],
  },
  lines: ({ issuer, ca, clientId, secretCommand, word }) => [
    { kind: 'install', lines: ['python3 -m pip install authlib==1.9.9 flask==3.1.2 requests==2.32.5'] },
    {
      kind: 'file',
      file: 'app.py',
      lines: lines`
        import os
        import secrets

        from authlib.integrations.flask_client import OAuth
        from flask import Flask, redirect, session

        app = Flask(__name__)
        app.secret_key = secrets.token_hex(32)
        port = int(os.environ.get("PORT", "5000"))
        origin = f"http://127.0.0.1:{port}"

        oauth = OAuth(app)
        oauth.register(
            "lab",
            server_metadata_url=${JSON.stringify(`${issuer}/.well-known/openid-configuration`)},
            client_id=${JSON.stringify(clientId)},
            client_secret=os.environ["CLIENT_SECRET"],
            client_kwargs={"scope": "openid profile email", "code_challenge_method": "S256"},
        )


        @app.get("/login")
        def login():
            return oauth.lab.authorize_redirect(f"{origin}/callback")


        @app.get("/callback")
        def callback():
            # Checks state, the signature of the ID token, its issuer, audience, times and nonce.
            session["user"] = oauth.lab.authorize_access_token()["userinfo"]["sub"]
            return redirect("/")


        @app.get("/")
        def index():
            user = session.get("user")
            return f"Logged in as {user}" if user else "Nobody is logged in; open /login"


        print(f"Open {origin}/login", flush=True)
        app.run(host="127.0.0.1", port=port)
      `,
    },
    {
      kind: 'run',
      lines: [`export REQUESTS_CA_BUNDLE=${word(ca)}`, `CLIENT_SECRET="$(${secretCommand})" python3 app.py`],
    },
  ],
  notes: ['With the httpx clients of Authlib, SSL_CERT_FILE takes the place of REQUESTS_CA_BUNDLE.'],
}
