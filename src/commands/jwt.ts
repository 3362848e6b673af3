import { Command } from 'commander'
import { withGlobals } from './globals.js'
import { lazilyExiting } from './lazily.js'

const exits = `
Exit codes:
  0  the token can be read; with verify: it is accepted
  1  the token is refused
  2  the text is no JWT, so that there is nothing to judge; or an option is wrong
`

const examples = `
Examples:
  oauth-lab flow code --json | jq -r 'select(.outcome).tokens.access_token' | oauth-lab jwt decode
  oauth-lab jwt verify "$TOKEN" --jwks keys.json --audience demo
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
  oauth-lab jwt verify "$TOKEN" --key public.pem
  printf %s "$SECRET" | oauth-lab jwt verify "$TOKEN" --secret-stdin
`

/** `oauth-lab jwt`: tokens taken apart and verified. */
export function jwtCommand(): Command {
  return new Command('jwt')
    .description('decode a token, or verify it')
    .addHelpText('after', examples + exits)
    .addCommand(
      withGlobals(new Command('decode'))
        .description(
          'print header and claims with their meaning, and remarks; verifies nothing, and needs no network',
        )
        .argument('[token]', 'the JWT; - or nothing reads stdin')
        .option('--audience <name>', 'the audience that reads it; a token for another one is refused')
        .addHelpText('after', decodeExamples + exits)
        .action(lazilyExiting(async () => (await import('./jwt-decode.js')).decodeToken)),
    )
    .addCommand(
      withGlobals(new Command('verify'))
        .description('verify signature, lifetime and audience; only --issuer needs the network')
        .argument('[token]', 'the JWT; - or nothing reads stdin')
        .option('--issuer <url>', 'use the published keys of this issuer, which the token must name')
        .option('--jwks <file>', 'use a JWK Set, or a single JWK')
        .option('--key <file>', 'use a public key or certificate in PEM')
        .option('--secret-stdin', 'use HMAC with the secret on stdin, without its last line end')
        .option('--audience <name>', 'the audience that it must name')
        .addHelpText('after', verifyExamples + exits)
        .action(lazilyExiting(async () => (await import('./jwt-verify.js')).verifyToken)),
    )
}
