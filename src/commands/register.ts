import { Command } from 'commander'
import { withGlobals } from './program/globals.js'
import { lazilyExiting } from './program/lazily.js'
import { repeated } from './program/list-options.js'
import { withNetwork, withTarget } from './program/target-option.js'

const examples = `
Examples:
  oauth-lab register --redirect-uri http://127.0.0.1/callback --name "My app"
  oauth-lab register client.json --issuer https://id.example --initial-token-file token.txt
  oauth-lab register read 3f2a9c

Exit codes:
  0  the client is registered
  1  the server refuses
`

const readExamples = `
Examples:
  oauth-lab register read 3f2a9c
  oauth-lab register read 3f2a9c --json | jq .client.redirect_uris
`

const updateExamples = `
Examples:
  oauth-lab register update 3f2a9c --redirect-uri https://app.example/cb --redirect-uri https://app.example/cb2
  oauth-lab register update 3f2a9c client.json
`

const deleteExamples = `
Examples:
  oauth-lab register delete 3f2a9c
`

/** Hands the options of the command above along: it has some of the same names, and takes their values for itself. */
const withAbove =
  <Given extends unknown[]>(act: (...given: Given) => Promise<void>) =>
  (...given: Given): Promise<void> => {
    const command = given.at(-1) as Command
    return act(...([...given.slice(0, -2), command.optsWithGlobals(), command] as Given))
  }

const managing = (name: string, description: string): Command =>
  withNetwork(withGlobals(new Command(name)))
    .description(description)
    .argument('<client-id>', 'a client that oauth-lab register registered on this computer')
    .option('--issuer <url>', 'its server, where several have a client of this name')

const withMetadata = (command: Command): Command =>
  command
    .option('--redirect-uri <uri>', 'an address of the client; repeat it', repeated)
    .option('--name <name>', 'the name of the client, for people')

/** `oauth-lab register`: dynamic client registration (RFC 7591) and its management (RFC 7592). */
export function registerCommand(): Command {
  return (
    withMetadata(withTarget(withGlobals(new Command('register'))))
      // Options after the name of a command below are its own.
      .enablePositionalOptions()
      .description('register a client at a server (RFC 7591); read, update and delete it (RFC 7592)')
      .argument('[file]', 'the metadata of the client as JSON; - reads stdin')
      .option('--initial-token-file <file>', 'the initial access token, for a server that asks for one')
      .addHelpText('after', examples)
      .action(lazilyExiting(async () => (await import('./endpoints/register-run.js')).register))
      .addCommand(
        managing('read', 'show the registration of a client as its server has it')
          .addHelpText('after', readExamples)
          .action(
            withAbove(lazilyExiting(async () => (await import('./endpoints/register-run.js')).readClient)),
          ),
      )
      .addCommand(
        withMetadata(
          managing('update', 'change what options name, or replace all metadata by those of a file'),
        )
          .argument('[file]', 'all metadata of the client as JSON; - reads stdin')
          .addHelpText('after', updateExamples)
          .action(
            withAbove(lazilyExiting(async () => (await import('./endpoints/register-run.js')).updateClient)),
          ),
      )
      .addCommand(
        managing('delete', 'end a client, its codes and its tokens')
          .addHelpText('after', deleteExamples)
          .action(
            withAbove(lazilyExiting(async () => (await import('./endpoints/register-run.js')).deleteClient)),
          ),
      )
  )
}
