import { Command } from 'commander'
import { withGlobals } from './program/globals.js'
import { lazilyExiting } from './program/lazily.js'
import { withTarget } from './program/target-option.js'

const examples = `
Examples:
  oauth-lab flow code --scope openid,profile -o token | oauth-lab userinfo
  oauth-lab userinfo "$TOKEN" --subject alice
  oauth-lab userinfo --post - < token.txt
  oauth-lab userinfo - --issuer https://id.example --client-id web --json < token.txt

Exit codes:
  0  the answer is read, and its signature and its subject are right
  1  the server refuses the token, or the answer breaks a rule
`

/** `oauth-lab userinfo`: the claims about a person (OpenID Connect Core §5.3). */
export function userinfoCommand(): Command {
  return withTarget(withGlobals(new Command('userinfo')))
    .description('ask the server about the person of an access token (OpenID Connect Core §5.3)')
    .argument('[token]', 'the access token; - or nothing reads stdin')
    .option('--subject <sub>', 'the sub of the ID token, which the answer has to name')
    .option('--post', 'send the token in a form, and not in a header (RFC 6750 §2.2)')
    .addHelpText('after', examples)
    .action(lazilyExiting(async () => (await import('./endpoints/userinfo-run.js')).userinfo))
}
