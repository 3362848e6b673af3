import { lines } from './lines.js'
import type { Recipe } from './recipe.js'

/** MCP Inspector, which registers itself and calls a tool of the lab's MCP server. */
export const mcpInspector: Recipe = {
  name: 'mcp-inspector',
  aliases: ['inspector', '@modelcontextprotocol/inspector'],
  title: 'MCP Inspector: a tool of the MCP server of the lab, after a login',
  checked: { version: '@modelcontextprotocol/inspector 2.12.0', by: 'test' },
  needs: ['Node.js 22'],
  registers: true,
  secret: false,
  labFile: {
    application_type: 'native',
    redirect_uris: ['http://127.0.0.1/oauth/callback'],
    grant_types: ['authorization_code', 'refresh_token'],
  },
  lines: ({ mcp, ca, word }) => [
    {
      kind: 'run',
      lines: lines`
        export NODE_EXTRA_CA_CERTS=${word(ca)}
        export MCP_AUTO_OPEN_ENABLED=true
        npx @modelcontextprotocol/inspector@2.12.0 --cli \\
          --server-url ${word(mcp)} --transport http --format json \\
          --callback-url http://127.0.0.1:6276/oauth/callback \\
          --method tools/call --tool-name whoami
      `,
    },
  ],
  notes: [
    'The Inspector registers itself, so it needs no client of the lab file. A lab with registration: off refuses it.',
    'oauth-lab flow mcp   shows the same conversation step by step.',
  ],
}
