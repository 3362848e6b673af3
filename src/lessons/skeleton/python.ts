import type { Parts } from './parts.js'

/** The client in Python, with its standard library alone. */
export const python: Parts = ({ state, pkce }) => [
  '# A client of the authorization code grant: three steps, and one more check with each lesson.',
  '# SSL_CERT_FILE names the CA of the lab; oauth-lab ca env prints the line.',
  `import base64, ${pkce ? 'hashlib, ' : ''}json, os, ${state || pkce ? 'secrets, ' : ''}sys, urllib.parse, urllib.request`,
  '',
  "issuer = os.environ.get('ISSUER', 'https://localhost:8443')",
  "client_id = os.environ.get('CLIENT_ID', 'demo')",
  "client_secret = os.environ.get('CLIENT_SECRET', '')",
  "redirect_uri = 'http://127.0.0.1/callback'",
  '',
  '# 1. Send the browser to the authorization server.',
  "request = {'response_type': 'code', 'client_id': client_id, 'redirect_uri': redirect_uri}",
  ...(state ? ['state = secrets.token_urlsafe(16)', "request['state'] = state"] : []),
  ...(pkce
    ? [
        'verifier = secrets.token_urlsafe(32)',
        'digest = hashlib.sha256(verifier.encode()).digest()',
        "request['code_challenge'] = base64.urlsafe_b64encode(digest).decode().rstrip('=')",
        "request['code_challenge_method'] = 'S256'",
      ]
    : []),
  "print('Open', issuer + '/authorization?' + urllib.parse.urlencode(request), flush=True)",
  '',
  '# 2. Read the address that the browser was sent back to.',
  'query = urllib.parse.urlsplit(sys.stdin.readline().strip()).query',
  'answer = dict(urllib.parse.parse_qsl(query))',
  ...(state
    ? ["if answer.get('state') != state:", "    sys.exit('this is the answer to another login')"]
    : []),
  '',
  '# 3. Redeem the code.',
  "fields = {'grant_type': 'authorization_code', 'code': answer['code'], 'redirect_uri': redirect_uri}",
  ...(pkce ? ["fields['code_verifier'] = verifier"] : []),
  "basic = base64.b64encode(f'{client_id}:{client_secret}'.encode()).decode()",
  'token = urllib.request.Request(',
  "    issuer + '/token', urllib.parse.urlencode(fields).encode(), {'Authorization': f'Basic {basic}'}",
  ')',
  'with urllib.request.urlopen(token) as response:',
  '    print(response.status, list(json.load(response)))',
]
