import { Command } from 'commander'
import { withGlobals } from './program/globals.js'
import { lazilyExiting } from './program/lazily.js'
import { withTarget } from './program/target-option.js'

const examples = `
Examples:
  oauth-lab logout
  oauth-lab logout "$ID_TOKEN" --open
  oauth-lab logout --issuer https://id.example --client-id web --post-logout-redirect-uri https://app.example/bye
  oauth-lab flow logout                                      every step of a logout, checked
`

/** `oauth-lab logout`: the address of a logout (OpenID Connect RP-Initiated Logout 1.0). */
export function logoutCommand(): Command {
  return withTarget(withGlobals(new Command('logout')))
    .description('print the address at which a browser ends its session, or open it')
    .argument(
      '[id-token]',
      'an ID token of the session; - reads stdin (default: the last one that call keeps)',
    )
    .option('--open', 'open the address in your browser')
    .option('--no-hint', 'send no ID token: the server has to ask first')
    .option('--post-logout-redirect-uri <uri>', 'registered address to return to')
    .option('--state <value>', 'a value that comes back with it')
    .option('--logout-hint <hint>', 'who logs out, in a form that the server knows (logout_hint)')
    .option('--ui-locales <tags>', 'languages for the pages of the logout, the preferred one first')
    .addHelpText('after', examples)
    .action(lazilyExiting(async () => (await import('./endpoints/logout-run.js')).logout))
}
