import { Command } from 'commander'
import { withGlobals } from './program/globals.js'
import { lazilyExiting } from './program/lazily.js'
import { repeated } from './program/list-options.js'
import { withNetwork } from './program/target-option.js'

const exits = `
Exit codes:
  0  the token can be read; with verify: it is accepted; with sign: here it is
  1  the token is refused; with decrypt: the key does not fit
  2  the text is no JWT, so that there is nothing to judge; or an option is wrong
`

const examples = `
Examples:
  oauth-lab flow code --json | jq -r 'select(.outcome).tokens.access_token' | oauth-lab jwt decode
  oauth-lab jwt verify "$TOKEN" --jwks keys.json --audience demo
  oauth-lab jwt sign '{"sub":"alice"}' --key key.jwk --expires-in 10m
`

const decodeExamples = `
Examples:
  oauth-lab jwt decode eyJhbGciOiJSUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiJhbGljZSJ9.c2ln
  oauth-lab flow code --json | jq -r 'select(.outcome).tokens.access_token' | oauth-lab jwt decode
  pbpaste | oauth-lab jwt decode - --json | jq .claims
`

const verifyExamples = `
Examples:
  oauth-lab jwt verify "$TOKEN" --issuer https://localhost:8443 --audience demo
  oauth-lab jwt verify - --jwks keys.json < token.txt
  oauth-lab jwt verify "$TOKEN" --jwks https://id.example/jwks
  oauth-lab jwt verify "$TOKEN" --at work
  oauth-lab jwt verify "$TOKEN" --key public.pem
  printf %s "$SECRET" | oauth-lab jwt verify "$TOKEN" --secret-stdin
`

const signExamples = `
Examples:
  oauth-lab jwk create -o key.jwk
  oauth-lab jwt sign '{"sub":"alice"}' --key key.jwk --audience api --expires-in 10m
  oauth-lab jwt sign @claims.json --key key.pem --alg PS256 --typ at+jwt
  printf %s "$SECRET" | oauth-lab jwt sign '{"sub":"alice"}' --secret-stdin
`

const decryptExamples = `
Examples:
  oauth-lab jwt decrypt "$TOKEN" --key client.pem | oauth-lab jwt decode
  printf %s "$SECRET" | oauth-lab jwt decrypt "$TOKEN" --secret-stdin
`

/** `oauth-lab jwt`: tokens taken apart, verified, signed and decrypted. */
export function jwtCommand(): Command {
  return new Command('jwt')
    .description('decode, verify, sign or decrypt a token')
    .addHelpText('after', examples + exits)
    .addCommand(
      withGlobals(new Command('decode'))
        .description(
          'print header and claims with their meaning, and remarks; verifies nothing, and needs no network',
        )
        .argument('[token]', 'the JWT, or @FILE; - or nothing reads stdin')
        .option('--audience <name>', 'the audience that reads it; a token for another one is refused')
        .addHelpText('after', decodeExamples + exits)
        .action(lazilyExiting(async () => (await import('./jose/jwt-decode.js')).decodeToken)),
    )
    .addCommand(
      withNetwork(withGlobals(new Command('verify')))
        .description(
          'verify signature, lifetime and audience; only --issuer and the address of --jwks need the network',
        )
        .argument('[token]', 'the JWT, or @FILE; - or nothing reads stdin')
        .option('--issuer <url>', 'use the published keys of this issuer, which the token must name')
        .option('--at <name>', 'use the keys and the issuer of a server of the lab file')
        .option('--jwks <url|file>', 'use a JWK Set, or a single JWK')
        .option('--key <file>', 'use a key: PEM, a certificate, or a JWK, also one of a shared secret')
        .option('--secret-stdin', 'use HMAC with the secret on stdin, without its last line end')
        .option('--audience <name>', 'the audience that it must name')
        .option('--nonce <value>', 'the nonce that it must hold')
        .addHelpText('after', verifyExamples + exits)
        .action(lazilyExiting(async () => (await import('./jose/jwt-verify.js')).verifyToken)),
    )
    .addCommand(
      withGlobals(new Command('sign'))
        .description('sign claims as they are given')
        .argument('[claims]', 'JSON, or @FILE; - or nothing reads stdin')
        .option('--key <file>', 'a private key: a JWK, a JWK Set or PEM')
        .option('--secret-stdin', 'use HMAC with the secret on stdin, without its last line end')
        .option('--alg <name>', 'the algorithm (default: that of the key)')
        .option('--kid <id>', 'the key of a set; in the header (default: the kid of the key)')
        .option('--typ <type>', 'the type in the header; an empty one leaves it out', 'JWT')
        .option('--header <json>', 'more members of the header')
        .option('--issuer <url>', 'the claim iss')
        .option('--subject <name>', 'the claim sub')
        .option('--audience <name>', 'the claim aud; repeat it for a list', repeated)
        .option('--expires-in <duration>', 'the claims iat, now, and exp, such as 10m')
        .addHelpText('after', signExamples + exits)
        .action(lazilyExiting(async () => (await import('./jose/jwt-sign.js')).signToken)),
    )
    .addCommand(
      withGlobals(new Command('decrypt'))
        .description('print the text inside an encrypted token')
        .argument('[token]', 'the JWE, or @FILE; - or nothing reads stdin')
        .option('--key <file>', 'the private key or secret: a JWK, a JWK Set or PEM')
        .option('--kid <id>', 'the key of a set (default: the one that the token names)')
        .option('--secret-stdin', 'use the secret on stdin, without its last line end')
        .addHelpText('after', decryptExamples + exits)
        .action(lazilyExiting(async () => (await import('./jose/jwt-decrypt.js')).decryptToken)),
    )
}
