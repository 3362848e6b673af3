import { option, scopes, wordList } from '../session/options/option.js'
import {
  assertionIssuer,
  clientMeans,
  labClient,
  network,
  noOpen,
  passwordStdin,
} from '../session/options/table.js'
import { argument, command } from './program/command.js'
import { everywhere } from './program/globals.js'

/** `oauth-lab doctor`: what an authorization server does wrong. */
export const doctorCommand = command('doctor', {
  description: 'examine an authorization server by the RFCs: its publications, and every wrong move',
  words: [argument('[issuer]', 'the issuer, as its clients know it (default: the lab in use)')],
  often: [
    'client-id',
    'client-secret-file',
    'user',
    'password-stdin',
    'browser',
    'mcp',
    'profile',
    'only',
    'severity',
    'output',
  ],
  options: [
    ...everywhere,
    labClient,
    option('--at <name>', 'a server of the lab file, by its name under servers', { conflicts: ['client'] }),
    option('--client-id <id>', 'client of another server'),
    option('--client-secret-file <file>', 'its secret [OAUTH_LAB_CLIENT_SECRET]'),
    option('--client-secret-stdin', 'its secret is the first line of stdin'),
    option(
      '--second-client-id <id>',
      'another client of another server, for what only a second client can try',
    ),
    option('--second-client-secret-file <file>', 'its secret (default: it is a public client)'),
    ...clientMeans,
    ...network,
    option('--user <name[:password]>', 'user who logs in (default for the lab: the first user)'),
    option(
      '--second-user <name[:password]>',
      'another user, for what takes two (default for the lab: the next user)',
    ),
    passwordStdin,
    option('--redirect-uri <uri>', 'registered address of the client; no request goes there'),
    option(
      '--post-logout-redirect-uri <uri>',
      'registered address for the end of a logout; no request goes there',
    ),
    ...assertionIssuer,
    option('--browser', 'finish in your own browser what cannot be read or filled in from here', {
      fallback: false,
    }),
    noOpen,
    option('--authorization-endpoint <url>', 'its address, for another server without metadata'),
    option('--token-endpoint <url>', 'its address, for another server without metadata'),
    option('--mcp <url>', 'examine this MCP server, and what its authorization server does for it'),
    option('--scope <scope>', 'scope tokens (default: openid, where the server knows it)', { parse: scopes }),
    option(
      '--resource <url>',
      'a protected resource that accepts the tokens, examined too (default: the lab’s)',
    ),
    option(
      '--profile <name>',
      'examine by these rules: OAuth 2.1, FAPI 2.0 (the client insists on it too), OpenID Connect, RFC 9700',
      { choices: ['oauth21', 'fapi2', 'oidc', 'bcp'] },
    ),
    option(
      '--only <group>',
      'only this group: discovery, keys, tls, login, authorization, token, refresh, device, ciba, assertion, par, jar, dpop, introspection, revocation, logout, registration, resource, mcp',
      { parse: wordList },
    ),
    option('--ignore <name>', 'do not count the finding of this name', { parse: wordList }),
    option('--severity <level>', 'the lightest finding that makes the exit code 1', {
      choices: ['fault', 'weakness', 'remark'],
      fallback: 'fault',
    }),
    option('--baseline <file>', 'do not count what an earlier report (--json) names as broken'),
    option('-o, --output <form>', 'form of the report (default: text; json with --json)', {
      choices: ['text', 'json', 'junit', 'sarif'],
    }),
  ],
  help: `
Examples:
  oauth-lab doctor                                             the lab itself
  oauth-lab doctor --profile bcp --baseline known.json         only what is broken since known.json
  oauth-lab doctor --only token --ignore token-no-store --severity weakness
  oauth-lab doctor -o sarif > doctor.sarif                     for code scanning; -o junit for CI
  oauth-lab doctor --json | jq '.findings[] | select(.result == "fault")'
  oauth-lab doctor https://id.example --client-id web --client-secret-file secret.txt \\
    --redirect-uri https://web.example/cb --user alice --password-stdin < password.txt
  oauth-lab doctor --at work --user alice --password-stdin < password.txt    a server of the lab file
  oauth-lab doctor https://id.example --client-id bank --client-key key.pem --par --dpop --user alice:wonderland
  oauth-lab doctor --mcp https://localhost:8444/mcp            an MCP server
  oauth-lab doctor http://localhost:8080                       a mock that asks nobody to log in

Use it on servers that are yours, or that you may test: it logs in, and sends wrong requests.

Exit codes:
  0  nothing is wrong
  1  a fault was found, or with --severity something lighter
  3  the server cannot be reached, or its login page cannot be read
`,
  run: async () => (await import('./doctor/doctor-run.js')).runDoctor,
})
