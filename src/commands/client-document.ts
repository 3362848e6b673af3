import { option, repeated } from '../session/options/option.js'
import { command } from './program/command.js'
import { everywhere } from './program/globals.js'
import { host, portOption } from './serve/listen-options.js'

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
