import { option, repeated, wordList } from '../session/options/option.js'
import { command } from './program/command.js'
import { everywhere } from './program/globals.js'
import { host, portOption } from './serve/listen-options.js'
import { serveOptions } from './serve/serve-options.js'

/** `oauth-lab serve`: runs the lab until a signal ends it. */
export const serveCommand = command('serve', {
  description: 'start the servers of the lab, and print what happens on them',
  options: serveOptions,
  often: [
    'port',
    'host',
    'stage',
    'profile',
    'registration',
    'redirect-uri',
    'weak',
    'fail',
    'explain',
    'plain',
  ],
  help: `
Examples:
  oauth-lab serve
  oauth-lab serve --port 0 --http-port 0 --json
  oauth-lab serve --config oauth-lab.yaml --san lab.example
  oauth-lab serve --host 0.0.0.0 --san 192.0.2.7
  oauth-lab serve --redirect-uri http://localhost:9876/callback
  oauth-lab serve --client-port 8448
  oauth-lab serve --web
  oauth-lab serve --stage shared-secret
  oauth-lab serve --host 0.0.0.0 --registration open
  oauth-lab serve --profile reference --explain
  oauth-lab serve --fail token:invalid_grant:once --fail authorization:temporarily_unavailable
  oauth-lab serve --rate-limit 5/10s
  oauth-lab serve --weak redirect-any,no-iss
  oauth-lab serve --seed 7 --now 2030-01-01T12:00:00Z
`,
  run: async () => (await import('./serve/serve-run.js')).runServe,
})

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

/** `oauth-lab client-document`: the document of a client whose id is its address, printed or served. */
export const clientDocumentCommand = command('client-document', {
  description: 'print or serve the document of a client whose client_id is the address of the document',
  options: [
    ...everywhere,
    host,
    option('--redirect-uri <uri>', 'an address for answers to the client; repeat it', {
      parse: repeated,
      required: true,
    }),
    option('--name <name>', 'the name that people are shown', { fallback: 'oauth-lab client' }),
    option('--client-id <url>', 'the address of the document (default: the one that --serve serves)'),
    option('--jwks <file>', 'public keys, a JWK or a JWK Set: the client authenticates by private_key_jwt'),
    option('--serve', 'serve the document over https with the certificates of the lab, until a signal comes'),
    portOption('--port <port>', 'HTTPS port of --serve, 0 for a free one', 8450),
    option('--path <path>', 'path of the document that is served', { fallback: '/client.json' }),
  ],
  help: `
Examples:
  oauth-lab client-document --redirect-uri http://127.0.0.1:3000/callback --serve
  oauth-lab client-document --redirect-uri https://app.example/cb --client-id https://app.example/client.json
  oauth-lab client-document --redirect-uri https://app.example/cb --client-id https://app.example/client.json --jwks jwks.json

The client_id is the address of the document. A lab on this computer fetches it from here; other servers fetch it from public addresses alone.
`,
  run: async () => (await import('./serve/client-document-run.js')).runClientDocument,
})
