import { Command } from 'commander'
import { withGlobals } from './program/globals.js'
import { lazilyExiting } from './program/lazily.js'
import { repeated } from './program/list-options.js'
import { portOption, withHost } from './serve/listen-options.js'

const examples = `
Examples:
  oauth-lab client-document --redirect-uri http://127.0.0.1:3000/callback --serve
  oauth-lab client-document --redirect-uri https://app.example/cb --client-id https://app.example/client.json
  oauth-lab client-document --redirect-uri https://app.example/cb --client-id https://app.example/client.json --jwks jwks.json

The client_id is the address of the document. A lab on this computer fetches it from here; other servers fetch it from public addresses alone.
`

/** `oauth-lab client-document`: the document of a client whose id is its address, printed or served. */
export function clientDocumentCommand(): Command {
  return withHost(withGlobals(new Command('client-document')))
    .description('print or serve the document of a client whose client_id is the address of the document')
    .requiredOption('--redirect-uri <uri>', 'an address for answers to the client; repeat it', repeated)
    .option('--name <name>', 'the name that people are shown', 'oauth-lab client')
    .option('--client-id <url>', 'the address of the document (default: the one that --serve serves)')
    .option('--jwks <file>', 'public keys, a JWK or a JWK Set: the client authenticates by private_key_jwt')
    .option('--serve', 'serve the document over https with the certificates of the lab, until a signal comes')
    .addOption(portOption('--port <port>', 'HTTPS port of --serve, 0 for a free one').default(8450))
    .option('--path <path>', 'path of the document that is served', '/client.json')
    .addHelpText('after', examples)
    .action(lazilyExiting(async () => (await import('./serve/client-document-run.js')).runClientDocument))
}
