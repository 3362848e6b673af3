import { Command, Option } from 'commander'
import { withGlobals } from './program/globals.js'
import { lazilyExiting } from './program/lazily.js'

const examples = `
Examples:
  oauth-lab token list
  oauth-lab token show -o token | oauth-lab introspect
  oauth-lab token forget --all
`

const listExamples = `
Examples:
  oauth-lab token list
  oauth-lab token list --json | jq '.tokens[].issuer'
`

const showExamples = `
Examples:
  oauth-lab token show
  oauth-lab token show 3f2a -o token | oauth-lab jwt decode
`

const forgetExamples = `
Examples:
  oauth-lab token forget 3f2a
  oauth-lab token forget --all
`

/** `oauth-lab token`: the tokens that `call` keeps. */
export function tokenCommand(): Command {
  return new Command('token')
    .description('list, show and forget the tokens that oauth-lab call keeps; only you can read their files')
    .addHelpText('after', examples)
    .addCommand(
      withGlobals(new Command('list'))
        .description('list the kept tokens, last used first; no token is printed')
        .addHelpText('after', listExamples)
        .action(lazilyExiting(async () => (await import('./endpoints/token-run.js')).listTokens)),
    )
    .addCommand(
      withGlobals(new Command('show'))
        .description('show one kept token with its claims, masked')
        .argument('[id]', 'its id, or the beginning of it (default: the only one)')
        .addOption(new Option('-o, --output <form>', 'token prints the bare access token').choices(['token']))
        .addHelpText('after', showExamples)
        .action(lazilyExiting(async () => (await import('./endpoints/token-run.js')).showToken)),
    )
    .addCommand(
      withGlobals(new Command('forget'))
        .description('remove kept tokens from this computer; oauth-lab revoke ends them at their server')
        .argument('[id...]', 'their ids, or the beginnings of them')
        .option('--all', 'all of them')
        .addHelpText('after', forgetExamples)
        .action(lazilyExiting(async () => (await import('./endpoints/token-run.js')).forgetTokens)),
    )
}
