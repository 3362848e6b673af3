# Authlib registers a client and logs alice in: python registration-authlib.py ISSUER CA
# The registration itself is a plain request: Authlib has the metadata document and the client, and no call for it.
import html
import json
import re
import sys
from authlib.integrations.requests_client import OAuth2Session
from authlib.oidc.registration import ClientMetadataClaims as OpenIDClaims
from authlib.oauth2.rfc7591 import ClientMetadataClaims
import requests

issuer, ca = sys.argv[1:3]
redirect_uri = "http://127.0.0.1:7000/callback"
http = requests.Session()
http.verify = ca
server = http.get(f"{issuer}/.well-known/openid-configuration").json()
metadata = {
    "client_name": "Registered by Authlib",
    "application_type": "native",
    "redirect_uris": [redirect_uri],
    "token_endpoint_auth_method": "client_secret_basic",
    "grant_types": ["authorization_code", "refresh_token"],
    "response_types": ["code"],
    "scope": "openid profile",
}
answer = http.post(server["registration_endpoint"], json=metadata)
client = answer.json()
# Authlib's own rules for the metadata of clients, applied to what the server registered.
for claims in (ClientMetadataClaims, OpenIDClaims):
    claims(client, {}, claims.get_claims_options(server)).validate()

session = OAuth2Session(
    client["client_id"],
    client["client_secret"],
    scope="openid profile",
    redirect_uri=redirect_uri,
    code_challenge_method="S256",
    token_endpoint_auth_method=client["token_endpoint_auth_method"],
)
session.verify = ca
verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
url, state = session.create_authorization_url(server["authorization_endpoint"], code_verifier=verifier)
page = http.get(url)
csrf = html.unescape(re.search(r'name="csrf" value="([^"]*)"', page.text).group(1))
form = {"username": "alice", "password": "wonderland", "csrf": csrf}
landed = http.post(url, data=form, allow_redirects=False).headers["location"]
token = session.fetch_token(
    server["token_endpoint"], authorization_response=landed, state=state, code_verifier=verifier
)
userinfo = session.get(server["userinfo_endpoint"]).json()
refreshed = session.refresh_token(server["token_endpoint"], refresh_token=token["refresh_token"])

manage = {"headers": {"Authorization": f"Bearer {client['registration_access_token']}"}}
where = client["registration_client_uri"]
read = http.get(where, **manage).json()
update = {**metadata, "client_id": client["client_id"], "client_name": "New name"}
updated = http.put(where, json=update, **manage).json()
deleted = http.delete(where, **manage)
refused = http.post(server["registration_endpoint"], json={**metadata, "redirect_uris": ["data:,x"]})
print(
    json.dumps(
        {
            "status": answer.status_code,
            "sub": userinfo["sub"],
            "refreshed": refreshed["access_token"] != token["access_token"],
            "same": read == client,
            "updated": updated["client_name"],
            "deleted": deleted.status_code,
            "refused": [refused.status_code, refused.json()["error"]],
        }
    )
)
