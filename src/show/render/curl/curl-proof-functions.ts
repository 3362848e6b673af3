/** The parts of a request that a replay signs again. */
export type Proof = 'dpop' | 'client_assertion' | 'request_object' | 'mac'

const signing = `base64url() {
  openssl base64 -A | tr '+/' '-_' | tr -d '='
}

rs256() {
  openssl dgst -sha256 -sign "$1"
}

ps256() {
  openssl dgst -sha256 -sign "$1" -sigopt rsa_padding_mode:pss -sigopt rsa_pss_saltlen:digest
}

# openssl reads what Ed25519 signs from a file alone.
eddsa() {
  cat >"$work/signed" && openssl pkeyutl -sign -rawin -inkey "$1" -in "$work/signed"
}

hs256() {
  openssl dgst -sha256 -hmac "$1" -binary
}

unsigned() {
  cat >/dev/null
}

# es256 KEY: both numbers of the signature one behind the other (RFC 7518, section 3.4).
es256() {
  octal=$(openssl dgst -sha256 -sign "$1" | openssl asn1parse -inform DER | sed -n 's/.*INTEGER *://p' | awk '{
    hex = tolower($0)
    while (length(hex) < 64) hex = "0" hex
    for (i = 1; i < 64; i += 2)
      printf "\\\\0%03o", (index("0123456789abcdef", substr(hex, i, 1)) - 1) * 16 + index("0123456789abcdef", substr(hex, i + 1, 1)) - 1
  }')
  printf %b "$octal"
}

# sign_jwt HEADER CLAIMS SIGNER KEY
sign_jwt() {
  input=$(printf %s "$1" | base64url).$(printf %s "$2" | base64url)
  printf '%s.%s' "$input" "$(printf %s "$input" | "$3" "$4" | base64url)"
}`

const dpop = `# dpop_proof METHOD URL TOKEN NONCE: a proof is good for one request (RFC 9449, section 4.2).
dpop_proof() {
  claims="{\\"jti\\":\\"$(openssl rand -hex 16)\\",\\"htm\\":\\"$1\\",\\"htu\\":\\"$2\\",\\"iat\\":$(date +%s)"
  [ -z "\${3-}" ] || claims="$claims,\\"ath\\":\\"$(printf %s "$3" | openssl dgst -sha256 -binary | base64url)\\""
  [ -z "\${4-}" ] || claims="$claims,\\"nonce\\":\\"$4\\""
  sign_jwt "{\\"typ\\":\\"dpop+jwt\\",\\"alg\\":\\"ES256\\",\\"jwk\\":$dpop_jwk}" "$claims}" es256 "$work/dpop.pem"
}

# A key for this replay alone, and its thumbprint.
openssl ecparam -name prime256v1 -genkey -noout -out "$work/dpop.pem"
openssl ec -in "$work/dpop.pem" -pubout -outform DER 2>/dev/null | tail -c 64 >"$work/dpop.xy"
dpop_jwk="{\\"crv\\":\\"P-256\\",\\"kty\\":\\"EC\\",\\"x\\":\\"$(head -c 32 "$work/dpop.xy" | base64url)\\",\\"y\\":\\"$(tail -c 32 "$work/dpop.xy" | base64url)\\"}"
dpop_jkt=$(printf %s "$dpop_jwk" | openssl dgst -sha256 -binary | base64url)`

const clientAssertion = `# client_assertion SIGNER HEADER CLAIMS: good for one request (RFC 7523, section 3).
client_assertion() {
  now=$(date +%s)
  sign_jwt "$2" "$3,\\"jti\\":\\"$(openssl rand -hex 16)\\",\\"iat\\":$now,\\"exp\\":$((now + 60))}" "$1" "$OAUTH_CLIENT_KEY"
}`

const requestObject = `# request_object SIGNER HEADER CLAIMS: a request as a JWT, for five minutes (RFC 9101).
request_object() {
  now=$(date +%s)
  signing_key=\${OAUTH_CLIENT_KEY-}
  [ "$1" != hs256 ] || signing_key=$OAUTH_CLIENT_SECRET
  sign_jwt "$2" "$3,\\"jti\\":\\"$(openssl rand -hex 16)\\",\\"iat\\":$now,\\"nbf\\":$now,\\"exp\\":$((now + 300))}" "$1" "$signing_key"
}`

/** The lines that turn a JWK into the PEM that openssl reads. */
export const keyLines = `# openssl reads PEM. A key that is a JWK is converted by Node.js.
if [ "$(head -c 1 "$OAUTH_CLIENT_KEY")" = '{' ]; then
  node -e 'const { createPrivateKey } = require("node:crypto"), { readFileSync } = require("node:fs")
process.stdout.write(createPrivateKey({ key: JSON.parse(readFileSync(process.argv[1])), format: "jwk" }).export({ type: "pkcs8", format: "pem" }))' \\
    "$OAUTH_CLIENT_KEY" >"$work/client-key.pem" || fail 'the client key cannot be read'
  OAUTH_CLIENT_KEY=$work/client-key.pem
fi`

const mac = `# mac_authorization ID KEY METHOD PATH HOST PORT: its nonce is good for one request.
mac_authorization() {
  nonce=0:$(openssl rand -hex 16)
  mac=$(printf '%s\\n' "$nonce" "$3" "$4" "$5" "$6" '' '' | openssl dgst -sha256 -hmac "$2" -binary | openssl base64 -A)
  printf 'MAC id="%s", nonce="%s", mac="%s"' "$1" "$nonce" "$mac"
}`

/** The functions of a script that make proofs, and the key for DPoP. */
export function proofFunctions(used: ReadonlySet<Proof>): string[] {
  const signs = used.has('dpop') || used.has('client_assertion') || used.has('request_object')
  return [
    ...(signs ? [signing] : []),
    ...(used.has('client_assertion') ? [clientAssertion] : []),
    ...(used.has('request_object') ? [requestObject] : []),
    ...(used.has('dpop') ? [dpop] : []),
    ...(used.has('mac') ? [mac] : []),
  ]
}
