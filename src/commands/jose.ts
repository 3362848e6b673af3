import { parseInstant } from '../lab/clock.js'
import { option, repeated } from '../session/options/option.js'
import { network } from '../session/options/table.js'
import { argument, command } from './program/command.js'
import { everywhere } from './program/globals.js'

const exits = `
Exit codes:
  0  the token can be read; with verify: it is accepted; with sign: here it is
  1  the token is refused; with decrypt: the key does not fit
  2  the text is no JWT, so that there is nothing to judge; or an option is wrong
`

const jwt = argument('[token]', 'the JWT, or @FILE; - or nothing reads stdin')
const hmac = option('--secret-stdin', 'use HMAC with the secret on stdin, without its last line end')

/** `oauth-lab jwt`: tokens taken apart, verified, signed and decrypted. */
export const jwtCommand = command('jwt', {
  description: 'decode, verify, sign or decrypt a token',
  help: `
Examples:
  oauth-lab flow code --json | jq -r 'select(.outcome).tokens.access_token' | oauth-lab jwt decode
  oauth-lab jwt verify "$TOKEN" --jwks keys.json --audience demo
  oauth-lab jwt sign '{"sub":"alice"}' --key key.jwk --expires-in 10m
${exits}`,
  below: [
    command('decode', {
      description:
        'print header and claims with their meaning, and remarks; verifies nothing, and needs no network',
      words: [jwt],
      options: [
        ...everywhere,
        option('--audience <name>', 'the audience that reads it; a token for another one is refused'),
      ],
      help: `
Examples:
  oauth-lab jwt decode eyJhbGciOiJSUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiJhbGljZSJ9.c2ln
  oauth-lab flow code --json | jq -r 'select(.outcome).tokens.access_token' | oauth-lab jwt decode
  pbpaste | oauth-lab jwt decode - --json | jq .claims
${exits}`,
      run: async () => (await import('./jose/jwt-decode.js')).decodeToken,
    }),
    command('verify', {
      description:
        'verify signature, lifetime and audience; only --issuer and the address of --jwks need the network',
      words: [jwt],
      options: [
        ...everywhere,
        ...network,
        option('--issuer <url>', 'use the published keys of this issuer, which the token must name'),
        option('--at <name>', 'use the keys and the issuer of a server of the lab file'),
        option('--jwks <url|file>', 'use a JWK Set, or a single JWK'),
        option('--key <file>', 'use a key: PEM, a certificate, or a JWK, also one of a shared secret'),
        hmac,
        option('--audience <name>', 'the audience that it must name'),
        option('--nonce <value>', 'the nonce that it must hold'),
      ],
      help: `
Examples:
  oauth-lab jwt verify "$TOKEN" --issuer https://localhost:8443 --audience demo
  oauth-lab jwt verify - --jwks keys.json < token.txt
  oauth-lab jwt verify "$TOKEN" --jwks https://id.example/jwks
  oauth-lab jwt verify "$TOKEN" --at work
  oauth-lab jwt verify "$TOKEN" --key public.pem
  printf %s "$SECRET" | oauth-lab jwt verify "$TOKEN" --secret-stdin
${exits}`,
      run: async () => (await import('./jose/jwt-verify.js')).verifyToken,
    }),
    command('sign', {
      description: 'sign claims as they are given',
      words: [argument('[claims]', 'JSON, or @FILE; - or nothing reads stdin')],
      options: [
        ...everywhere,
        option('--key <file>', 'a private key: a JWK, a JWK Set or PEM'),
        hmac,
        option('--alg <name>', 'the algorithm (default: that of the key)'),
        option('--kid <id>', 'the key of a set; in the header (default: the kid of the key)'),
        option('--typ <type>', 'the type in the header; an empty one leaves it out', { fallback: 'JWT' }),
        option('--header <json>', 'more members of the header'),
        option('--issuer <url>', 'the claim iss'),
        option('--subject <name>', 'the claim sub'),
        option('--audience <name>', 'the claim aud; repeat it for a list', { parse: repeated }),
        option('--expires-in <duration>', 'the claims iat, now, and exp, such as 10m'),
      ],
      help: `
Examples:
  oauth-lab jwk create -o key.jwk
  oauth-lab jwt sign '{"sub":"alice"}' --key key.jwk --audience api --expires-in 10m
  oauth-lab jwt sign @claims.json --key key.pem --alg PS256 --typ at+jwt
  printf %s "$SECRET" | oauth-lab jwt sign '{"sub":"alice"}' --secret-stdin
${exits}`,
      run: async () => (await import('./jose/jwt-sign.js')).signToken,
    }),
    command('decrypt', {
      description: 'print the text inside an encrypted token',
      words: [argument('[token]', 'the JWE, or @FILE; - or nothing reads stdin')],
      options: [
        ...everywhere,
        option('--key <file>', 'the private key or secret: a JWK, a JWK Set or PEM'),
        option('--kid <id>', 'the key of a set (default: the one that the token names)'),
        option('--secret-stdin', 'use the secret on stdin, without its last line end'),
      ],
      help: `
Examples:
  oauth-lab jwt decrypt "$TOKEN" --key client.pem | oauth-lab jwt decode
  printf %s "$SECRET" | oauth-lab jwt decrypt "$TOKEN" --secret-stdin
${exits}`,
      run: async () => (await import('./jose/jwt-verify.js')).decryptToken,
    }),
  ],
})

const key = argument('[file]', 'a JWK, a JWK Set or PEM; - or nothing reads stdin')
const newFile = option('-o, --output <file>', 'a new file that only you can read (default: stdout)')

/** `oauth-lab jwk`: keys made, read and converted. */
export const jwkCommand = command('jwk', {
  description: 'make keys, and write them in other forms',
  help: `
Examples:
  oauth-lab jwk create -o client.jwk               a key for private_key_jwt, for you alone to read
  oauth-lab jwk public client.jwk                  its public half, for the jwks of the client
  oauth-lab jwk thumbprint client.jwk
  oauth-lab jwk convert server.pem -o server.jwk
  curl -s https://id.example/jwks | oauth-lab jwk convert - --kid 2026-11
`,
  below: [
    command('create', {
      description: 'make a key: its private JWK, with kid, use and alg',
      options: [
        ...everywhere,
        option('--alg <name>', 'the algorithm that it is for, such as RS256, EdDSA or ECDH-ES', {
          fallback: 'ES256',
        }),
        option('--bits <count>', 'size of an RSA key (default: 2048)'),
        option('--kid <id>', 'its name (default: its thumbprint)'),
        option('--pem', 'write PKCS #8 PEM'),
        newFile,
      ],
      help: `
Examples:
  oauth-lab jwk create -o client.jwk
  oauth-lab jwk create --alg RS256 --bits 3072 --pem -o server.pem
`,
      run: async () => (await import('./jose/jwk-run.js')).createKey,
    }),
    command('public', {
      description: 'print the public half of a key, or of each key of a set',
      words: [key],
      options: [...everywhere, option('--pem', 'write PEM')],
      help: `
Examples:
  oauth-lab jwk public client.jwk
  oauth-lab jwk public --pem < client.jwk
`,
      run: async () => (await import('./jose/jwk-run.js')).publicKey,
    }),
    command('thumbprint', {
      description: 'print the thumbprint of each key',
      words: [key],
      options: [
        ...everywhere,
        option('--hash <name>', 'the hash', { choices: ['sha256', 'sha384', 'sha512'], fallback: 'sha256' }),
        option('--uri', 'write it as a URN'),
      ],
      help: `
Examples:
  oauth-lab jwk thumbprint client.jwk
  oauth-lab jwk thumbprint --uri server.pem
`,
      run: async () => (await import('./jose/jwk-run.js')).printThumbprints,
    }),
    command('convert', {
      description: 'write a key in another form: PEM as JWK, and JWK as PEM',
      words: [key],
      options: [
        ...everywhere,
        option('--to <form>', 'the form (default: jwk for PEM, else pem)', {
          choices: ['jwk', 'set', 'pem'],
        }),
        option('--kid <id>', 'the key of a set; the name of a key that had none'),
        newFile,
      ],
      help: `
Examples:
  oauth-lab jwk convert server.pem -o server.jwk
  oauth-lab jwk convert keys.json --kid 2026-11
  oauth-lab jwk convert server.pem --to set
`,
      run: async () => (await import('./jose/jwk-run.js')).convertKey,
    }),
  ],
})

const samlHelp = `
Examples:
  oauth-lab saml decode response.txt
  pbpaste | oauth-lab saml decode -
  oauth-lab saml decode response.txt --metadata idp.xml --audience https://app.example/saml --recipient https://app.example/acs
  oauth-lab saml decode response.txt --json | jq .message.assertions

FILE holds XML, the value of SAMLResponse or SAMLRequest, the body of a form, or a URL.

Exit codes:
  0  the message can be read; with --cert or --metadata: it is accepted
  1  the message is refused
  2  the text is no SAML message, or an option is wrong
`

/** `oauth-lab saml`: SAML messages taken apart. */
export const samlCommand = command('saml', {
  description: 'decode a SAML message, and verify its signatures',
  help: samlHelp,
  below: [
    command('decode', {
      description: 'print a response, an assertion or a request with its meaning, and remarks',
      words: [argument('[file]', 'the message; - or nothing reads stdin')],
      options: [
        ...everywhere,
        option('--cert <file>', 'verify the signatures with this certificate or public key, PEM'),
        option('--metadata <file>', 'verify them with the keys in the metadata of the identity provider'),
        option('--audience <name>', 'the service provider that reads it'),
        option('--recipient <url>', 'the address that received it'),
        option('--in-response-to <id>', 'the request that it has to answer'),
        option('--now <time>', 'judge the times at this moment: an ISO date, or seconds since 1970', {
          parse: parseInstant,
        }),
      ],
      help: samlHelp,
      run: async () => (await import('./jose/saml-decode.js')).decodeSamlMessage,
    }),
  ],
})
