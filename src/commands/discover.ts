import { Command } from 'commander'
import { withGlobals } from './program/globals.js'
import { lazilyExiting } from './program/lazily.js'
import { withTarget } from './program/target-option.js'

const examples = `
Examples:
  oauth-lab discover
  oauth-lab discover https://id.example
  oauth-lab discover https://id.example --json | jq '.differences[].name'

Exit codes:
  0  a client can use the metadata
  1  no document is there, or one breaks a rule
  3  the server cannot be reached
`

/** `oauth-lab discover`: the metadata of a server (OpenID Connect Discovery, RFC 8414). */
export function discoverCommand(): Command {
  return withTarget(withGlobals(new Command('discover')))
    .description('show both metadata documents of a server side by side, checked by the rules of the flows')
    .argument('[issuer]', 'the issuer, as its clients know it (default: the lab in use)')
    .addHelpText('after', examples)
    .action(lazilyExiting(async () => (await import('./endpoints/discover-run.js')).discover))
}
