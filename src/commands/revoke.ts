import { Command } from 'commander'
import { withGlobals } from './program/globals.js'
import { lazilyExiting } from './program/lazily.js'
import { withTarget } from './program/target-option.js'

const examples = `
Examples:
  oauth-lab revoke "$TOKEN"
  oauth-lab flow code --json | jq -r 'select(.outcome).tokens.refresh_token' | oauth-lab revoke --hint refresh_token
  oauth-lab revoke - --issuer https://id.example --client-id web --client-secret-file secret.txt < token.txt

Exit codes:
  0  the token is revoked, or was never good
  1  the server refused; the token may still be good
`

/** `oauth-lab revoke`: the end of a token (RFC 7009). */
export function revokeCommand(): Command {
  return withTarget(withGlobals(new Command('revoke')))
    .description('end an access token or a refresh token at its server (RFC 7009)')
    .argument('[token]', 'the token; - or nothing reads stdin')
    .option('--hint <type>', 'its type, such as access_token or refresh_token (token_type_hint)')
    .addHelpText('after', examples)
    .action(lazilyExiting(async () => (await import('./endpoints/revoke-run.js')).revoke))
}
