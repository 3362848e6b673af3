import type { Exchange } from '../../../protocol/http/exchange.js'
import { readPairs } from '../../../protocol/http/form.js'
import { header, splitUrl } from '../../../protocol/http/message.js'
import { joined, type Piece, shellComment, shellWord } from '../../../protocol/safe-output/shell.js'
import { decodeIfJwt } from '../../../protocol/tokens/decode.js'
import { addressPieces, type ServerVariable, type Source } from './curl.js'

/** The parts of a request that a replay signs again. */
type Proof = 'dpop' | 'client_assertion' | 'request_object' | 'mac'

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
function proofFunctions(used: ReadonlySet<Proof>): string[] {
  const signs = used.has('dpop') || used.has('client_assertion') || used.has('request_object')
  return [
    ...(signs ? [signing] : []),
    ...(used.has('client_assertion') ? [clientAssertion] : []),
    ...(used.has('request_object') ? [requestObject] : []),
    ...(used.has('dpop') ? [dpop] : []),
    ...(used.has('mac') ? [mac] : []),
  ]
}

/** The sources of values that a script knows. */
export interface ProofContext {
  readonly source: (name: string, value: string) => Source | undefined
  /** A name for a variable that is not taken yet. */
  readonly variable: (name: string) => string
  /** Variables for the beginnings of addresses. */
  readonly servers: readonly ServerVariable[]
  /** The JWT inside an encrypted request object, as its step shows it. */
  readonly requestObject?: string | undefined
}

/** Everything in a run that is good for one request, and so is signed again for a replay. */
export interface Proofs {
  /** The lines before a request that make its proofs. */
  before(exchange: Exchange): string[]
  /** The variable that holds a proof that was recorded. */
  source(value: string): Source | undefined
  /** The lines that the script needs once, for all requested proofs. */
  beginning(): string[]
  /** Environment variables that name keys. */
  secrets(): string[]
}

function parameter(body: string, wanted: string): string | undefined {
  return readPairs(body).find(([name]) => name === wanted)?.[1]
}

/** The signers of the script, by `alg`. */
const signers: Readonly<Record<string, string>> = {
  ES256: 'es256',
  RS256: 'rs256',
  PS256: 'ps256',
  EdDSA: 'eddsa',
  Ed25519: 'eddsa',
  HS256: 'hs256',
  none: 'unsigned',
}

/** The signers that need the private key of the client. */
const WITH_KEY: readonly string[] = ['es256', 'rs256', 'ps256', 'eddsa']

/** Claims of a request object that are made again for each one. */
const FRESH = ['jti', 'iat', 'nbf', 'exp']

/** Finds the parts that have to be signed again, and writes how. */
export function createProofs({ source, variable, servers, requestObject }: ProofContext): Proofs {
  const used = new Set<Proof>()
  const made = new Map<string, string>()
  const needed = new Set<string>()

  const address = (url: string): Piece[] => addressPieces(url, servers)

  /** A variable for a recorded value; undefined where it has one: the very same proof is sent again. */
  const making = (value: string, name: string): string | undefined => {
    if (made.has(value)) return undefined
    const free = variable(name)
    made.set(value, free)
    return free
  }

  const word = (found: Source | undefined, otherwise: string): string =>
    found ? shellWord({ variable: found.variable }) : shellWord(otherwise)

  const dpop = ({ request }: Exchange): string[] => {
    const proof = header(request, 'dpop')
    const { claims } = (proof !== undefined && decodeIfJwt(proof)) || {}
    const name = proof !== undefined && claims && making(proof, 'dpop_proof')
    if (!name || !claims) return []
    used.add('dpop')
    const token = header(request, 'authorization')?.replace(/^\S+\s+/, '') ?? ''
    const { nonce } = claims
    const words = [
      shellWord(request.method),
      shellWord(...address(request.url.split(/[?#]/, 1)[0] ?? '')),
      ...(claims.ath === undefined ? ["''"] : [word(source('access_token', token), token)]),
      ...(typeof nonce === 'string' ? [word(source('dpop_nonce', nonce), nonce)] : []),
    ]
    return [`${name}=$(dpop_proof ${words.join(' ')})`]
  }

  const clientAssertion = ({ request }: Exchange): string[] => {
    const value = parameter(request.body, 'client_assertion')
    const jwt = value === undefined ? undefined : decodeIfJwt(value)
    const signer = typeof jwt?.header.alg === 'string' ? signers[jwt.header.alg] : undefined
    if (value === undefined || !jwt || signer === undefined) return []
    const name = making(value, 'client_assertion')
    if (name === undefined) return []
    used.add('client_assertion')
    needed.add('OAUTH_CLIENT_KEY')
    const { iss, sub, aud } = jwt.claims
    const known = JSON.stringify({ iss, sub }).slice(0, -1)
    const audience = typeof aud === 'string' ? aud : ''
    const claims = shellWord(`${known},"aud":"`, ...address(audience), '"')
    return [`${name}=$(client_assertion ${signer} ${shellWord(JSON.stringify(jwt.header))} ${claims})`]
  }

  /** Signs a request object with the values of this replay: its PKCE challenge and its DPoP key. */
  const requestObjectOf = ({ request }: Exchange): string[] => {
    const value = parameter(request.body, 'request') ?? parameter(splitUrl(request.url).query, 'request')
    const direct = value === undefined ? undefined : decodeIfJwt(value)
    const jwt = direct ?? (value !== undefined && requestObject ? decodeIfJwt(requestObject) : undefined)
    const signer = typeof jwt?.header.alg === 'string' ? signers[jwt.header.alg] : undefined
    if (value === undefined || !jwt || signer === undefined) return []
    const name = making(value, 'request_object')
    if (name === undefined) return []
    used.add('request_object')
    if (WITH_KEY.includes(signer)) needed.add('OAUTH_CLIENT_KEY')
    if (signer === 'hs256') needed.add('OAUTH_CLIENT_SECRET')
    const claims = Object.entries(jwt.claims).filter(([claim]) => !FRESH.includes(claim))
    const pieces = claims.flatMap(([claim, content], i): Piece[] => {
      const before = `${i === 0 ? '{' : ','}${JSON.stringify(claim)}:`
      const text = typeof content === 'string' ? content : undefined
      const found = text === undefined ? undefined : source(claim, text)
      if (found !== undefined) return [`${before}"`, { variable: found.variable }, '"']
      if (claim === 'aud' && text !== undefined) return [`${before}"`, ...address(text), '"']
      return [`${before}${JSON.stringify(content)}`]
    })
    const note = 'The recorded request object was encrypted too; this one is signed alone.'
    return [
      ...(direct === undefined ? [shellComment(note)] : []),
      `${name}=$(request_object ${signer} ${shellWord(JSON.stringify(jwt.header))} ${shellWord(...joined(pieces))})`,
    ]
  }

  const mac = ({ request }: Exchange): string[] => {
    const value = header(request, 'authorization')
    if (value === undefined || !/^MAC /i.test(value)) return []
    const id = /\bid="([^"]*)"/.exec(value)?.[1] ?? ''
    const [token, key] = [source('access_token', id), source('mac_key', id)]
    const name = making(value, 'mac_authorization')
    if (name === undefined) return []
    if (!token || !key || request.body !== '') {
      return [
        shellComment('A MAC is good for one request, and cannot be made again from this recording.'),
        `fail 'no key for the MAC'`,
        `${name}=`,
      ]
    }
    used.add('mac')
    const { origin } = splitUrl(request.url)
    const { hostname, port, protocol } = new URL(origin)
    const words = [
      shellWord({ variable: token.variable }),
      shellWord({ variable: key.variable }),
      shellWord(request.method),
      shellWord(request.url.slice(origin.length).split('#', 1)[0] || '/'),
      shellWord(hostname),
      port || (protocol === 'http:' ? '80' : '443'),
    ]
    return [`${name}=$(mac_authorization ${words.join(' ')})`]
  }

  return {
    before: exchange => [
      ...requestObjectOf(exchange),
      ...dpop(exchange),
      ...clientAssertion(exchange),
      ...mac(exchange),
    ],
    source: value => {
      const name = made.get(value)
      return name === undefined ? undefined : { variable: name, encoded: false }
    },
    beginning: () => (used.size === 0 ? [] : proofFunctions(used)),
    secrets: () => [...needed],
  }
}
