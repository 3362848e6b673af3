import { Command, Option } from 'commander'
import { scopes } from './flow/scope-option.js'
import { withGlobals } from './program/globals.js'
import { lazilyExiting } from './program/lazily.js'
import { repeated } from './program/list-options.js'
import { withTarget } from './program/target-option.js'

/** Nothing of a run is loaded for the help, so the choices stand here; a test compares them. */
const GRANTS = ['code', 'client-credentials', 'password', 'device']

const examples = `
Examples:
  oauth-lab call /resource                                   the resource server of the lab
  oauth-lab call https://api.example/records --issuer https://id.example --client-id app --scope records
  oauth-lab call https://api.example/records -X PATCH -d '{"name":"new"}' --dpop
  oauth-lab call https://api.example/upload -d @photo.png -H 'Content-Type: image/png' -i
  oauth-lab token list                                       the tokens that are kept

Exit codes:
  0  the API answered with a status below 400
  1  it answered with a status from 400 on, explained on stderr; or the server gave no token
`

/** `oauth-lab call`: an API request with a token. */
export function callCommand(): Command {
  return withTarget(withGlobals(new Command('call')), { header: false })
    .description('send a request to an API, with a token that is got, kept and renewed as it has to be')
    .argument('<url>', 'https, or on this computer; a path belongs to the resource server of the lab')
    .option('-X, --request <method>', 'the method (default: GET, with -d POST)')
    .option('-d, --data <text|@file|->', 'the body, sent as it is; repeated ones are joined by &', repeated)
    .option('-H, --header <field>', "a header field, such as 'Accept: text/csv'; repeat it", repeated)
    .option('-i, --include', 'print status and header fields before the body')
    .option('-L, --location', 'follow redirects within the origin; a token never goes to another one')
    .addOption(
      new Option(
        '--grant <flow>',
        'the flow that gets the token (default: the one that fits the client)',
      ).choices(GRANTS),
    )
    .option('--user <name[:password]>', 'resource owner of the lab file (default: the first one)')
    .option('--password-stdin', 'read the password from the first line of stdin')
    .option('--otp <code>', 'one-time code for the second factor (default: computed from the lab file)')
    .option('--scope <scope>', 'scope tokens; repeat it, or use spaces or commas', scopes)
    .option('--resource <uri>', 'the resource that the token is for (RFC 8707)')
    .option('--redirect-uri <uri>', 'address for the response (default: a free port of 127.0.0.1)')
    .option('--no-pkce', 'send no code_challenge')
    .option('--browser', 'log in with your own browser', false)
    .option('--no-open', 'print the address for the browser without opening it')
    .addHelpText('after', examples)
    .action(lazilyExiting(async () => (await import('./endpoints/call-run.js')).call))
}
