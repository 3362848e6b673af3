import { join } from 'node:path'
import { freePorts } from '../../support/free-ports.js'
import { cleanEnv, start, until } from '../../support/program.js'

const example = join(
  import.meta.dirname,
  '../node_modules/@modelcontextprotocol/sdk/dist/esm/examples/server/simpleStreamableHttp.js',
)

/** The example server of the TypeScript SDK, with its authorization server. */
export interface ExampleServer {
  readonly url: string
  stop(): void
}

/** Starts the example server. @param home a folder for what it writes */
export async function exampleServer(home: string): Promise<ExampleServer> {
  const [port = 0, issuerPort = 0] = await freePorts(2)
  const env = { ...cleanEnv(home), MCP_PORT: String(port), MCP_AUTH_PORT: String(issuerPort) }
  const server = start(process.execPath, [example, '--oauth', '--oauth-strict'], { env })
  await until(
    () => server.stdout().includes('MCP Streamable HTTP Server listening') || undefined,
    () => `the example server does not start: ${server.stderr()}`,
  )
  return { url: `http://localhost:${port}/mcp`, stop: () => server.child.kill() }
}
