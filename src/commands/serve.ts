import { Command } from 'commander'
import { readGlobals, withGlobals } from './program/globals.js'
import { wordList } from './program/list-options.js'
import { withHost } from './serve/listen-options.js'
import type { ServeFlags } from './serve/serve-flags.js'
import { withClusterOptions, withDnsOptions, withModeOptions } from './serve/serve-options.js'
import { readPorts, withPorts } from './serve/serve-ports.js'
import { withWeakOptions } from './serve/weak-options.js'

const examples = `
Examples:
  oauth-lab serve
  oauth-lab serve --port 0 --http-port 0 --json
  oauth-lab serve --config oauth-lab.yaml --san lab.example
  oauth-lab serve --host 0.0.0.0 --san 192.0.2.7
  oauth-lab serve --redirect-uri http://localhost:9876/callback
  oauth-lab serve --client-port 8448
  oauth-lab serve --stage shared-secret
  oauth-lab serve --host 0.0.0.0 --registration open
  oauth-lab serve --profile reference --explain
  oauth-lab serve --fail token:invalid_grant:once --fail authorization:temporarily_unavailable
  oauth-lab serve --rate-limit 5/10s
  oauth-lab serve --weak redirect-any,no-iss
  oauth-lab serve --seed 7 --now 2030-01-01T12:00:00Z
`

async function serve(flags: ServeFlags, command: Command): Promise<void> {
  const { runServe } = await import('./serve/serve-run.js')
  process.exitCode = await runServe(flags, readPorts(command), readGlobals(command))
}

/** `oauth-lab serve`: runs the lab until a signal ends it. */
export function serveCommand(): Command {
  const command = new Command('serve')
    .description('start the servers of the lab, and print what happens on them')
    .option(
      '--san <names>',
      'further names and addresses of the certificate; repeat it or use commas',
      wordList,
    )
    .option('--self-signed', 'use a self-signed certificate instead of one signed by the lab’s CA')
    .option('--plain', 'print one line for each event')
    .option('--screen-reader', 'print sentences for each event; r repeats the last one, d reads its details')
  const listening = withHost(withPorts(withGlobals(command)))
  return withDnsOptions(withClusterOptions(withWeakOptions(withModeOptions(listening))))
    .addHelpText('after', examples)
    .action(serve)
}
