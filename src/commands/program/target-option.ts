import { type Command, Option } from 'commander'
import { repeated } from './list-options.js'

const GROUP = 'Another server:'
const NETWORK = 'The way to the server:'

/** The methods by which a client may authenticate (OpenID Connect Core §9). */
const METHODS = [
  'client_secret_basic',
  'client_secret_post',
  'client_secret_jwt',
  'private_key_jwt',
  'tls_client_auth',
  'self_signed_tls_client_auth',
  'none',
]

/** Options that name a server, or what is known about it. */
const NAMES_SERVER = ['client', 'issuer', 'metadata', 'authorizationEndpoint', 'tokenEndpoint', 'jwks']

/** Adds the options that change how requests reach the server. `-H` is left out for a command with one of its own. */
export function withNetwork(command: Command, { header = true } = {}): Command {
  const reach = (flags: string, meaning: string) => new Option(flags, meaning).helpGroup(NETWORK)
  if (header) {
    command.addOption(
      reach('-H, --header <name: value>', 'add a header field for this server alone; repeat it').argParser(
        repeated,
      ),
    )
  }
  return command
    .addOption(reach('--insecure', 'check no certificate, with a warning in each run'))
    .addOption(
      reach('--resolve <host:port:address>', 'connect to this address, as with curl; repeat it').argParser(
        repeated,
      ),
    )
}

/**
 * Adds the options that say which server a flow goes to, as which client, and how.
 * @param own false for `header` in a command whose `-H` is about something else
 */
export function withTarget(command: Command, own: { readonly header?: boolean } = {}): Command {
  const other = (flags: string, meaning: string) => new Option(flags, meaning).helpGroup(GROUP)
  const shared = command
    .option('--client <name>', 'client of the lab file', 'demo')
    .addOption(
      other('--issuer <url>', 'any authorization server, by its discovery document').conflicts('client'),
    )
    .addOption(
      other('--at <name>', 'a server of the lab file, by its name under servers').conflicts(NAMES_SERVER),
    )
    .addOption(
      other('--metadata <file>', 'its metadata as JSON, where it publishes none').conflicts('client'),
    )
    .addOption(
      other('--authorization-endpoint <url>', 'its address, where it publishes none').conflicts('client'),
    )
    .addOption(other('--token-endpoint <url>', 'its address, where it publishes none').conflicts('client'))
    .addOption(other('--jwks <url|file>', 'its keys, in place of published ones').conflicts('client'))
    .addOption(other('--client-id <id>', 'client that is registered there'))
    .addOption(other('--client-secret-file <file>', 'its secret [OAUTH_LAB_CLIENT_SECRET]'))
    .addOption(other('--client-secret-stdin', 'its secret is the first line of stdin'))
  return withNetwork(withClientMeans(shared), own)
    .addOption(
      new Option(
        '--profile <name>',
        'what the client insists on: FAPI 2.0, as its clauses for clients say',
      ).choices(['fapi2']),
    )
    .option('--param <[token:]name=value>', 'one more parameter of the request; repeat it', repeated)
}

/** Adds the options that say how a client authenticates, what it binds its tokens to, and how it asks. */
export function withClientMeans(command: Command): Command {
  return command
    .addOption(
      new Option('--auth <method>', 'how the client authenticates (default: as registered)').choices(METHODS),
    )
    .option('--client-key <file>', 'private key for private_key_jwt and encrypted answers: PKCS#8 PEM or JWK')
    .option('--cert <file>', 'client certificate for mutual TLS, PEM (RFC 8705)')
    .option('--cert-key <file>', 'its private key, PEM')
    .option('--dpop', 'bind tokens to a key made for this run (RFC 9449)')
    .option('--par', 'push the authorization request beforehand (RFC 9126)')
    .addOption(
      new Option('--request-object <kind>', 'send the authorization request as a JWT (RFC 9101)').choices([
        ...['signed', 'unsigned', 'encrypted'],
      ]),
    )
}
