import { Command, Option } from 'commander'
import { withGlobals } from './program/globals.js'
import { lazilyExiting } from './program/lazily.js'

const examples = `
Examples:
  oauth-lab jwk create -o client.jwk               a key for private_key_jwt, for you alone to read
  oauth-lab jwk public client.jwk                  its public half, for the jwks of the client
  oauth-lab jwk thumbprint client.jwk
  oauth-lab jwk convert server.pem -o server.jwk
  curl -s https://id.example/jwks | oauth-lab jwk convert - --kid 2026-11
`

const FILE = 'a JWK, a JWK Set or PEM; - or nothing reads stdin'

const createExamples = `
Examples:
  oauth-lab jwk create -o client.jwk
  oauth-lab jwk create --alg RS256 --bits 3072 --pem -o server.pem
`

const publicExamples = `
Examples:
  oauth-lab jwk public client.jwk
  oauth-lab jwk public --pem < client.jwk
`

const thumbprintExamples = `
Examples:
  oauth-lab jwk thumbprint client.jwk
  oauth-lab jwk thumbprint --uri server.pem
`

const convertExamples = `
Examples:
  oauth-lab jwk convert server.pem -o server.jwk
  oauth-lab jwk convert keys.json --kid 2026-11
  oauth-lab jwk convert server.pem --to set
`

/** `oauth-lab jwk`: keys made, read and converted. */
export function jwkCommand(): Command {
  const create = withGlobals(new Command('create'))
    .description('make a key: its private JWK, with kid, use and alg')
    .option('--alg <name>', 'the algorithm that it is for, such as RS256, EdDSA or ECDH-ES', 'ES256')
    .option('--bits <count>', 'size of an RSA key (default: 2048)')
    .option('--kid <id>', 'its name (default: its thumbprint)')
    .option('--pem', 'write PKCS #8 PEM')
    .option('-o, --output <file>', 'a new file that only you can read (default: stdout)')
    .addHelpText('after', createExamples)
    .action(lazilyExiting(async () => (await import('./jose/jwk-run.js')).createKey))
  const publish = withGlobals(new Command('public'))
    .description('print the public half of a key, or of each key of a set')
    .argument('[file]', FILE)
    .option('--pem', 'write PEM')
    .addHelpText('after', publicExamples)
    .action(lazilyExiting(async () => (await import('./jose/jwk-run.js')).publicKey))
  const thumbprint = withGlobals(new Command('thumbprint'))
    .description('print the thumbprint of each key')
    .argument('[file]', FILE)
    .addOption(
      new Option('--hash <name>', 'the hash').choices(['sha256', 'sha384', 'sha512']).default('sha256'),
    )
    .option('--uri', 'write it as a URN')
    .addHelpText('after', thumbprintExamples)
    .action(lazilyExiting(async () => (await import('./jose/jwk-run.js')).printThumbprints))
  const convert = withGlobals(new Command('convert'))
    .description('write a key in another form: PEM as JWK, and JWK as PEM')
    .argument('[file]', FILE)
    .addOption(
      new Option('--to <form>', 'the form (default: jwk for PEM, else pem)').choices(['jwk', 'set', 'pem']),
    )
    .option('--kid <id>', 'the key of a set; the name of a key that had none')
    .option('-o, --output <file>', 'a new file that only you can read (default: stdout)')
    .addHelpText('after', convertExamples)
    .action(lazilyExiting(async () => (await import('./jose/jwk-run.js')).convertKey))
  const command = new Command('jwk').description('make keys, and write them in other forms')
  for (const each of [create, publish, thumbprint, convert]) command.addCommand(each)
  return command.addHelpText('after', examples)
}
