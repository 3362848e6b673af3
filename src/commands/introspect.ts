import { Command } from 'commander'
import { withGlobals } from './program/globals.js'
import { lazilyExiting } from './program/lazily.js'
import { withTarget } from './program/target-option.js'

const examples = `
Examples:
  oauth-lab flow code -o token | oauth-lab introspect
  oauth-lab introspect "$TOKEN" --signed
  oauth-lab introspect - --hint refresh_token --json < token.txt
  oauth-lab introspect "$TOKEN" --issuer https://id.example --client-id api --client-secret-file secret.txt

Exit codes:
  0  the token is active
  1  it is not active, or the server refuses the question
`

/** `oauth-lab introspect`: the server's word on a token (RFC 7662). */
export function introspectCommand(): Command {
  return withTarget(withGlobals(new Command('introspect')))
    .description('ask the server if a token is active, and what is in it (RFC 7662)')
    .argument('[token]', 'the token; - or nothing reads stdin')
    .option('--hint <type>', 'its type, such as access_token or refresh_token (token_type_hint)')
    .option('--signed', 'ask for an answer that the server signed (RFC 9701)')
    .addHelpText('after', examples)
    .action(lazilyExiting(async () => (await import('./endpoints/introspect-run.js')).introspect))
}
