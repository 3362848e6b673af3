import { Command, Option } from 'commander'
import { readGlobals, withGlobals } from '../program/globals.js'
import { withBrowser, withOutput } from '../program/shown-options.js'
import { withNetwork } from '../program/target-option.js'
import type { McpFlags } from './flow-mcp-flags.js'
import { scopes } from './scope-option.js'

/** Nothing of the flow is loaded for the help, so the choices stand here; a test compares them. */
const REVISIONS = ['2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28']
const REGISTRATIONS = ['given', 'document', 'dynamic']
const GRANTS = ['authorization_code', 'client_credentials', 'jwt-bearer', 'enterprise']

const examples = `
Examples:
  oauth-lab flow mcp https://localhost:8444/mcp
  oauth-lab flow mcp https://mcp.example/mcp --browser
  oauth-lab flow mcp https://mcp.example/mcp --client-document https://app.example/client.json --browser
  oauth-lab flow mcp https://mcp.example/mcp --client-id app --grant client_credentials --client-key key.pem
  oauth-lab flow mcp https://localhost:8444/mcp --call write_record --json | jq -s .
  oauth-lab flow mcp https://localhost:8444/mcp --tamper no-resource
  oauth-lab flow mcp https://localhost:8444/mcp --tamper redirected-document
`

async function run(url: string, flags: McpFlags, command: Command): Promise<void> {
  const globals = readGlobals(command)
  const { runMcpFlow } = await import('./flow-mcp-run.js')
  const { browser, open } = flags
  process.exitCode = await runMcpFlow(url, { ...flags, browser: browser || !open }, globals)
}

/** Adds the options that say who the client is. */
function withClient(command: Command): Command {
  const other = (flags: string, meaning: string) => new Option(flags, meaning).helpGroup('Client:')
  return command
    .addOption(
      other('--register <way>', 'how the client introduces itself (default: the best way)').choices(
        REGISTRATIONS,
      ),
    )
    .addOption(other('--client-id <id>', 'client that the authorization server knows'))
    .addOption(other('--client-secret-file <file>', 'its secret'))
    .addOption(other('--issuer <url>', 'the issuer it is registered at (default: the first that is named)'))
    .addOption(
      other('--client-document <url>', 'client ID metadata document, whose address is the client_id'),
    )
    .addOption(other('--client-key <file>', 'private key for private_key_jwt: PKCS#8 PEM or JWK'))
    .addOption(other('--dpop', 'bind tokens to a key made for this run (RFC 9449)'))
}

/** Adds the options of grants without a browser. */
function withGrants(command: Command): Command {
  const other = (flags: string, meaning: string) => new Option(flags, meaning).helpGroup('Grant:')
  return command
    .addOption(
      other('--grant <grant>', 'how the client gets its token').choices(GRANTS).default('authorization_code'),
    )
    .addOption(
      other('--assertion <jwt>', 'JWT of jwt-bearer, or ID token of enterprise; - reads it from stdin'),
    )
    .addOption(other('--idp <issuer>', 'identity provider of the organisation, for enterprise'))
    .addOption(other('--idp-client-id <id>', 'client that the identity provider knows'))
    .addOption(other('--idp-client-secret-file <file>', 'its secret'))
}

/** `oauth-lab flow mcp`: the way of an MCP client to its token, step by step. */
export function flowMcpCommand(): Command {
  const command = withGrants(withClient(withNetwork(withGlobals(new Command('mcp')))))
    .description('an MCP client: from a refused request to a tool (MCP 2026-07-28)')
    .argument('<url>', 'address of the MCP server')
    .addHelpText('after', examples)
    .addOption(new Option('--revision <date>', 'speak this revision alone').choices(REVISIONS))
    .option('--scope <scope>', 'scope to ask for, in place of that of the server', scopes)
    .option('--offline', 'ask for offline_access, where the authorization server announces it')
    .option('--tamper <move>', 'make a wrong move and see it refused (oauth-lab tamper list --flow mcp)')
    .option('--call <tool>', 'call this tool at the end')
    .option('--arguments <json|@file>', 'its arguments, a JSON object')
    .option('--user <name[:password]>', 'resource owner (default: the first one of the lab)')
    .option('--password-stdin', 'read the password from the first line of stdin')
    .option('--redirect-uri <uri>', 'address for the response (default: a free port of 127.0.0.1)')
  return withOutput(withBrowser(command)).action(run)
}
