// The official TypeScript SDKs of MCP log in to an MCP server, call its tools, and step up for one of them.
// node sdk-client.js MCP VERSION [CLIENT]   VERSION: 1 (@modelcontextprotocol/sdk) or 2 (@modelcontextprotocol/client).
// CLIENT is a public client; without one the SDK registers itself. Prints what the server answered as JSON.
import { logIn } from '../../programs/clients/log-in.js'

const [server = '', version, given] = process.argv.slice(2)
const redirectUrl = 'http://127.0.0.1:7000/callback'

async function sdk() {
  if (version === '2') return import('@modelcontextprotocol/client')
  const [client, transport, auth] = await Promise.all([
    import('@modelcontextprotocol/sdk/client/index.js'),
    import('@modelcontextprotocol/sdk/client/streamableHttp.js'),
    import('@modelcontextprotocol/sdk/client/auth.js'),
  ])
  return { ...client, ...transport, ...auth }
}

const { Client, StreamableHTTPClientTransport, UnauthorizedError } = await sdk()
/** The credentials and answers that the provider keeps, as a program keeps them in a file. */
const kept = { client: given === undefined ? undefined : { client_id: given } }
const requests = []
const authProvider = {
  redirectUrl,
  clientMetadata: {
    client_name: 'SDK',
    redirect_uris: [redirectUrl],
    grant_types: ['authorization_code'],
    token_endpoint_auth_method: 'none',
    application_type: 'native',
  },
  state: () => crypto.randomUUID(),
  clientInformation: () => kept.client,
  saveClientInformation(client) {
    kept.client = client
  },
  tokens: () => kept.tokens,
  saveTokens(tokens) {
    kept.tokens = tokens
  },
  discoveryState: () => kept.discovery,
  saveDiscoveryState(state) {
    kept.discovery = state
  },
  codeVerifier: () => kept.verifier,
  saveCodeVerifier(verifier) {
    kept.verifier = verifier
  },
  async redirectToAuthorization(url) {
    requests.push({ scope: url.searchParams.get('scope'), resource: url.searchParams.get('resource') })
    kept.landed = (await logIn(url)).searchParams
  },
}

/** Connects and does some work. After a login, it connects again. */
async function connected(work) {
  for (let logins = 0; ; logins++) {
    const transport = new StreamableHTTPClientTransport(new URL(server), { authProvider })
    const options = version === '2' ? { versionNegotiation: { mode: 'auto' } } : {}
    const client = new Client({ name: 'rig', version: '1' }, options)
    try {
      await client.connect(transport)
      const result = await work(client)
      return { result, revision: client.getNegotiatedProtocolVersion?.() ?? transport.protocolVersion }
    } catch (error) {
      if (!(error instanceof UnauthorizedError) || logins === 2) throw error
      await transport.finishAuth(version === '2' ? kept.landed : kept.landed.get('code'))
    } finally {
      await client.close()
    }
  }
}

const who = await connected(client => client.callTool({ name: 'whoami', arguments: {} }))
const tools = await connected(client => client.listTools())
const wrote = await connected(client =>
  client.callTool({ name: 'write_record', arguments: { value: 'by the SDK' } }),
)
const result = {
  revision: who.revision,
  whoami: who.result.structuredContent,
  tools: tools.result.tools.map(({ name }) => name),
  wrote: wrote.result.structuredContent.value,
  requests,
}
console.log(JSON.stringify(result))
