import type { Parts } from './parts.js'

/** The client as lines of a POSIX shell with curl. */
export const shell: Parts = ({ state, pkce }) => [
  '#!/bin/sh',
  '# A client of the authorization code grant: three steps, and one more check with each lesson.',
  '# CA names the CA file of the lab; oauth-lab ca path prints it.',
  '[ -n "$ISSUER" ] || ISSUER=https://localhost:8443 CLIENT_ID=demo',
  'redirect=http://127.0.0.1/callback',
  ...(state || pkce ? ["random() { head -c 32 /dev/urandom | od -An -tx1 | tr -d ' \\n'; }"] : []),
  '',
  '# 1. Send the browser to the authorization server.',
  'url="$ISSUER/authorization?response_type=code&client_id=$CLIENT_ID&redirect_uri=$redirect"',
  ...(state ? ['state=$(random)', 'url="$url&state=$state"'] : []),
  ...(pkce
    ? [
        'verifier=$(random)',
        "challenge=$(printf %s \"$verifier\" | openssl dgst -sha256 -binary | openssl base64 -A | tr '+/' '-_' | tr -d =)",
        'url="$url&code_challenge=$challenge&code_challenge_method=S256"',
      ]
    : []),
  'echo "Open $url"',
  '',
  '# 2. Read the address that the browser was sent back to.',
  'read -r answer',
  "parameter() { printf '%s' \"$answer\" | tr '?&' '\\n\\n' | sed -n \"s/^$1=//p\"; }",
  ...(state
    ? ['[ "$(parameter state)" = "$state" ] || { echo "this is the answer to another login" >&2; exit 1; }']
    : []),
  '',
  '# 3. Redeem the code.',
  'curl -s --cacert "$CA" -u "$CLIENT_ID:$CLIENT_SECRET" -d grant_type=authorization_code \\',
  '  -d "code=$(parameter code)" -d "redirect_uri=$redirect" \\',
  ...(pkce ? ['  -d "code_verifier=$verifier" \\'] : []),
  '  -o /dev/null -w \'%{http_code}\\n\' "$ISSUER/token"',
]
