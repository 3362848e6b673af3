import { Command, Option } from 'commander'
import type { ConnectFlags } from './connect/connect-lab.js'
import { examples } from './program/examples.js'
import { withGlobals } from './program/globals.js'
import { lazily, lazilyExiting } from './program/lazily.js'

const EXAMPLES = examples([
  'oauth-lab connect list',
  'oauth-lab connect openid-client                lines to paste, for the lab that runs',
  'oauth-lab connect grafana --apply              writes the client of Grafana into the lab file',
  'oauth-lab connect oauth2c --client demo-native',
  'oauth-lab connect openid-client --secret       the secret alone, for $(…) in a shell',
  'oauth-lab connect authlib --json | jq -r .client.client_id',
])

/** `oauth-lab connect`: the settings with which other programs log in to the lab. */
export function connectCommand(): Command {
  return withGlobals(new Command('connect'))
    .description('the exact settings with which another program logs in to the lab')
    .argument('[tool]', 'a program of connect list')
    .option('--client <name>', 'client of the lab file that the program is (default: one that fits)')
    .option('--apply', 'write the client that the program needs into the lab file')
    .addOption(
      new Option('--secret', 'print the secret of the client alone, for $(…) in a shell').conflicts('apply'),
    )
    .option('-o, --output <file>', 'write the lines, or the collection of Postman or Bruno, into a new file')
    .addHelpText('after', EXAMPLES)
    .action(
      lazilyExiting<[string | undefined, ConnectFlags]>(
        async () => (await import('./connect/connect-run.js')).runConnect,
      ),
    )
    .addCommand(
      withGlobals(new Command('list'))
        .description('list the programs: what each one does, and how its lines were checked')
        .addHelpText('after', examples(["oauth-lab connect list --json | jq -r '.name'"]))
        .action(lazily(async () => (await import('./connect/connect-run.js')).listRecipes)),
    )
}
