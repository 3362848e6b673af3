import { option, wordList } from '../session/options/option.js'
import { command } from './program/command.js'
import { everywhere } from './program/globals.js'
import { host, portOption } from './serve/listen-options.js'

/** `oauth-lab resource`: a resource server in front of any authorization server, until a signal ends it. */
export const resourceCommand = command('resource', {
  description: 'start a resource server that accepts the tokens of an issuer, and print what happens on it',
  options: [
    ...everywhere,
    host,
    option('--issuer <url>', 'the authorization server, exactly as its tokens name it in iss', {
      required: true,
    }),
    option(
      '--audience <names>',
      'accept tokens whose aud holds one of these; repeat it or use commas (default: those of the lab file)',
      { parse: wordList },
    ),
    portOption('--port <port>', 'HTTPS port, 0 for a free one', 8444),
    option(
      '--key <file>',
      'verify with this public key or certificate in PEM, or several in one file, instead of published keys',
    ),
    option('--secret-stdin', 'verify HS256 with the secret on stdin, without its last line end', {
      conflicts: ['key'],
    }),
    option('--mtls', 'ask clients for certificates, which tokens may be bound to (RFC 8705)'),
    option('--plain', 'print one line for each event'),
  ],
  help: `
Examples:
  oauth-lab resource --issuer https://login.example --audience https://api.example
  oauth-lab resource --issuer https://localhost:8443 --audience demo --port 0 --json
  oauth-lab resource --issuer https://localhost:8443 --audience bank --mtls
  oauth-lab keys export --secret | oauth-lab resource --issuer https://localhost:8443 --audience demo --port 0 --secret-stdin

Tokens that are bound to a certificate need --mtls: a client shows its certificate in the handshake.

Paths: /resource shows the claims of an accepted token and each check, /records needs a scope, /public needs nothing.
`,
  run: async () => (await import('./serve/resource-run.js')).runResource,
})
