import { Command, Option } from 'commander'
import type { FlowName } from '../flows/flows.js'
import { RESPONSE_MODES } from '../protocol/oauth/authorization-request.js'
import { tokenTypeNames } from '../protocol/oauth/scope.js'
import type { FlowFlags } from './flow/flow-flags.js'
import { type ListedFlow, listedFlows } from './flow/flow-list.js'
import { flowMcpCommand } from './flow/flow-mcp.js'
import { withRepeatOptions } from './flow/repeat-options.js'
import { scopes } from './flow/scope-option.js'
import { readGlobals, withGlobals } from './program/globals.js'
import { withBrowser, withOutput } from './program/shown-options.js'
import { withTarget } from './program/target-option.js'

const groupExamples = `
Examples:
  oauth-lab flow code --client demo
  oauth-lab flow code -o token | oauth-lab jwt decode       the bare access token
  oauth-lab flow code --help                                 all options of a flow
`

async function run(name: FlowName, flags: Omit<FlowFlags, 'patient'>, command: Command): Promise<void> {
  const globals = readGlobals(command)
  const patient = command.optsWithGlobals().timeout !== undefined || Boolean(process.env.OAUTH_LAB_TIMEOUT)
  const { runFlow } = await import('./flow/flow-run.js')
  const { browser, open } = flags
  const inBrowser = browser || !open || flags.paste === true
  process.exitCode = await runFlow(name, { ...flags, browser: inBrowser, patient }, globals)
}

function flowOptions(command: Command): Command {
  const options = withRepeatOptions(withTarget(withGlobals(command)))
    .option('--user <name[:password]>', 'resource owner of the lab file (default: the first one)')
    .option('--password-stdin', 'read the password from the first line of stdin')
    .option('--scope <scope>', 'scope tokens; repeat it, or use spaces or commas', scopes)
    .option('--redirect-uri <uri>', 'address for the response (default: a free port of 127.0.0.1)')
    .addOption(
      new Option(
        '--response-mode <mode>',
        'how the browser brings the answer; with jwt it is a signed JWT (default: as the grant has it)',
      ).choices(RESPONSE_MODES),
    )
    .option('--no-pkce', 'send no code_challenge')
    .addOption(
      new Option('--paste', 'paste the address at which your browser ends, for any redirect_uri').conflicts([
        'headless',
      ]),
    )
    .option('--callback-cert <file>', 'certificate of an https redirect_uri, PEM (default: the lab’s own)')
    .option('--callback-key <file>', 'its private key, PEM')
    .option('--resource <url>', 'protected resource to ask with the token (default: the one of the lab)')
    .option('--tamper <move>', 'make a wrong move and see it refused (oauth-lab tamper list)')
  return withOutput(withBrowser(options))
}

/** The types of exchanged tokens, for the help. */
const TYPES = `a URI, or ${tokenTypeNames}`

/** The response types of the hybrid flow (OpenID Connect Core §3.3). */
const HYBRID_TYPES = ['code id_token', 'code token', 'code id_token token']

/** Options that only some flows have. */
const moreOptions: Readonly<Record<NonNullable<ListedFlow['takes']>[number], (command: Command) => Command>> =
  {
    'response-type': command =>
      command.addOption(
        new Option('--response-type <types>', 'what the response holds (default: code id_token)').choices(
          HYBRID_TYPES,
        ),
      ),
    'token-type': command =>
      command.addOption(
        new Option('--token-type <type>', 'how to present the token: alone, or by a MAC over each request')
          .choices(['bearer', 'mac'])
          .default('bearer'),
      ),
    token: command =>
      command.option('--token <token>', 'start with this access token; - reads it from stdin'),
    'refresh-token': command =>
      command.option('--refresh-token <-|@file>', 'start with this refresh token, from stdin or a file'),
    exchanged: command =>
      command
        .option('--subject-token <-|@file>', 'exchange this token, from stdin or a file')
        .option('--subject-token-type <type>', `its type: ${TYPES} (default: access_token)`)
        .option('--actor-token <-|@file>', 'token of the party that acts for the subject')
        .option('--actor-token-type <type>', 'its type (default: access_token)'),
    'authorization-details': command =>
      command.option(
        '--authorization-details <json|@file>',
        'what to ask for: a JSON list of objects with a type each (RFC 9396)',
      ),
    login: command =>
      command
        .option('--acr-values <values>', 'authentication context classes to ask for, the preferred one first')
        .option('--max-age <seconds>', 'ask for a login that is no older than this')
        .option('--claims <json|file>', 'claims to ask for one by one (OpenID Connect Core §5.5)')
        .option('--otp <code>', 'one-time code for the second factor (default: computed from the lab file)'),
    logout: command =>
      command
        .option(
          '--post-logout-redirect-uri <uri>',
          'registered address to return to (default: the one of the client in the lab file)',
        )
        .addOption(
          new Option('--logout-method <method>', 'how the browser sends the logout request')
            .choices(['get', 'post'])
            .default('get'),
        )
        .option('--no-hint', 'send no id_token_hint: the server has to ask first')
        .option('--logout-hint <hint>', 'who logs out, in a form that the server knows (logout_hint)')
        .option('--ui-locales <tags>', 'languages for the pages of the logout, the preferred one first'),
    backchannel: command =>
      command
        .option('--login-hint <name>', 'the person who is to log in (default: the one of --user)')
        .option('--id-token-hint <-|@file>', 'an earlier ID token that names the person instead')
        .option('--binding-message <text>', 'a short text that both devices show, for the person to compare')
        .option('--requested-expiry <seconds>', 'how long the request is to wait for the person')
        .option('--acr-values <values>', 'authentication context classes to ask for, the preferred one first')
        .addOption(
          new Option(
            '--mode <mode>',
            'how the client learns of the decision (default: as it is registered)',
          ).choices(['poll', 'ping']),
        )
        .option('--notification-endpoint <url>', 'registered address of this computer for --mode ping')
        .addOption(new Option('--deny', 'the person says no').conflicts('browser'))
        .addOption(new Option('--ignore', 'nobody answers').conflicts('browser')),
    audience: command => command.option('--audience <audience>', 'the audience of the new token'),
    assertion: command =>
      command
        .option('--assertion <-|@file>', 'send this assertion, a JWT or SAML, from stdin or a file')
        .option('--saml', 'send a SAML 2.0 assertion instead of a JWT')
        .option(
          '--issuer-key <file>',
          'private key of a registered assertion issuer (default: the one of the lab)',
        )
        .option('--assertion-issuer <name>', 'its name (default: the registered one)'),
  }

function subcommand({ name, description, examples, takes = [] }: ListedFlow): Command {
  const help = ['', 'Examples:', ...examples.map(each => `  ${each}`), ''].join('\n')
  const command = flowOptions(new Command(name)).description(description).addHelpText('after', help)
  for (const each of takes) moreOptions[each](command)
  return command.action((flags: Omit<FlowFlags, 'patient'>, here: Command) => run(name, flags, here))
}

/** `oauth-lab flow`: a grant, step by step. */
export function flowCommand(): Command {
  const group = new Command('flow')
    .description('step through a grant as its client')
    .addHelpText('after', groupExamples)
  for (const each of listedFlows) group.addCommand(subcommand(each))
  group.addCommand(flowMcpCommand())
  return group
}
