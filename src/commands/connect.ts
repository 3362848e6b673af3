import { option } from '../session/options/option.js'
import { argument, command } from './program/command.js'
import { everywhere } from './program/globals.js'

/** `oauth-lab connect`: the settings with which other programs log in to the lab. */
export const connectCommand = command('connect', {
  description: 'the exact settings with which another program logs in to the lab',
  words: [argument('[tool]', 'a program of connect list')],
  options: [
    ...everywhere,
    option('--client <name>', 'client of the lab file that the program is (default: one that fits)'),
    option('--apply', 'write the client that the program needs into the lab file'),
    option('--secret', 'print the secret of the client alone, for $(…) in a shell', { conflicts: ['apply'] }),
    option('-o, --output <file>', 'write the lines, or the collection of Postman or Bruno, into a new file'),
  ],
  help: `
Examples:
  oauth-lab connect list
  oauth-lab connect openid-client                lines to paste, for the lab that runs
  oauth-lab connect grafana --apply              writes the client of Grafana into the lab file
  oauth-lab connect oauth2c --client demo-native
  oauth-lab connect openid-client --secret       the secret alone, for $(…) in a shell
  oauth-lab connect authlib --json | jq -r .client.client_id
`,
  run: async () => (await import('./connect/connect-run.js')).runConnect,
  below: [
    command('list', {
      description: 'list the programs: what each one does, and how its lines were checked',
      options: everywhere,
      help: "\nExamples:\n  oauth-lab connect list --json | jq -r '.name'\n",
      run: async () => (await import('./connect/connect-run.js')).listRecipes,
    }),
  ],
})
