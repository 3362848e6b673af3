import { DEFAULT_REDIRECT_URI, isListenable } from '../../client/callback-listener.js'
import type { IdentityProvider, McpOptions } from '../../flows/mcp/options.js'
import type { GivenClient } from '../../flows/mcp/register.js'
import { UsageError } from '../../protocol/errors.js'
import { isUrl } from '../../protocol/http/address.js'
import { defined, isJsonObject, parsedJson } from '../../protocol/values.js'
import { programVersion } from '../../protocol/version.js'
import { readClientKey, secretInFile } from '../client/credentials.js'
import { readInputFile, readStdinLine } from '../input/input.js'
import { trustworthyIssuer } from './network.js'
import { refuse } from './option.js'
import type { McpRunOptions } from './table.js'

/** Longest assertion that is read, in characters. */
const MAX_ASSERTION = 64 * 1024

/** Refuses options that do not fit together, before anything is read. @throws UsageError */
export function checkMcpOptions(options: McpRunOptions): void {
  const { grant, assertion, idp, idpClientId, clientId, call } = options
  const isEnterprise = grant === 'enterprise'
  const takesAssertion = grant === 'jwt-bearer' || isEnterprise
  const isNamed = clientId !== undefined
  const what = isEnterprise ? 'the ID token of the person' : 'the JWT of the workload'
  refuse([
    [
      takesAssertion && assertion === undefined,
      `--grant ${grant} needs ${what}`,
      'Give it on stdin:  --assertion - <token.txt',
    ],
    [
      !takesAssertion && assertion !== undefined,
      `--assertion is for the grants jwt-bearer and enterprise, not for ${grant}`,
      'Leave it out',
    ],
    [
      isEnterprise && (idp === undefined || idpClientId === undefined),
      '--grant enterprise needs the identity provider, and the client that it knows',
      'Name them:  --idp https://idp.example --idp-client-id ID',
    ],
    [
      grant !== 'authorization_code' && !isNamed && options.clientDocument === undefined,
      `--grant ${grant} needs a client that the authorization server knows`,
      'Name it:  --client-id ID --client-secret-file FILE, or --client-key FILE',
    ],
    [
      options.clientSecretFile !== undefined && !isNamed,
      '--client-secret-file belongs to a client',
      'Name it:  --client-id ID',
    ],
    [
      options.issuer !== undefined && !isNamed && !options.passwordStdin,
      '--issuer belongs to a client or a password',
      'Name it:  --client-id ID',
    ],
    [
      options.arguments !== undefined && call === undefined,
      '--arguments belongs to a call of a tool',
      'Name the tool:  --call TOOL',
    ],
    [
      assertion === '-' && options.passwordStdin,
      '--assertion - and --password-stdin both read stdin',
      'Give one of them another way',
    ],
  ])
}

async function givenClient({
  clientId,
  clientSecretFile,
  issuer,
}: McpRunOptions): Promise<GivenClient | undefined> {
  if (clientId === undefined) return undefined
  const clientSecret = clientSecretFile === undefined ? undefined : await secretInFile(clientSecretFile)
  return defined({
    clientId,
    clientSecret,
    issuer: issuer === undefined ? undefined : trustworthyIssuer(issuer),
  })
}

async function identityProvider(options: McpRunOptions): Promise<IdentityProvider | undefined> {
  const { idp, idpClientId: clientId, idpClientSecretFile: file } = options
  if (idp === undefined || clientId === undefined) return undefined
  const clientSecret = file === undefined ? undefined : await secretInFile(file)
  return defined({ issuer: trustworthyIssuer(idp), clientId, clientSecret })
}

/** @throws UsageError */
function documentAddress(text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  if (isUrl(text) && /^https:\/\//i.test(text) && !text.includes('#')) return text
  throw new UsageError(`--client-document ${text} is no https address`, [
    'It looks like:  --client-document https://app.example/client.json',
  ])
}

/** @throws UsageError */
async function assertionOf({ assertion }: McpRunOptions): Promise<string | undefined> {
  if (assertion === undefined) return undefined
  const token = (assertion === '-' ? await readStdinLine('the assertion') : assertion).trim()
  if (/^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]*$/.test(token) && token.length <= MAX_ASSERTION)
    return token
  throw new UsageError(`--assertion${assertion === '-' ? ' -' : ''}: that is no JWT (RFC 7519 §3)`)
}

/** @throws UsageError */
async function callOf({ call: name, arguments: given = '{}' }: McpRunOptions): Promise<McpOptions['call']> {
  if (name === undefined) return undefined
  const text = given.startsWith('@') ? await readInputFile('the arguments', given.slice(1)) : given
  const parsed = parsedJson(text)
  if (isJsonObject(parsed)) return { name, arguments: parsed }
  throw new UsageError('--arguments is no JSON object', [`It looks like:  --arguments '{"name":"value"}'`])
}

/** @throws UsageError */
function redirectUriOf({ redirectUri = DEFAULT_REDIRECT_URI, browser }: McpRunOptions): string {
  if (!isUrl(redirectUri)) {
    throw new UsageError(`--redirect-uri ${redirectUri} is no address`, [
      'It looks like http://127.0.0.1:0/callback',
    ])
  }
  if (!browser || isListenable(redirectUri)) return redirectUri
  throw new UsageError('a browser can only bring the answer to a loopback redirect_uri', [
    'Leave --redirect-uri out, or name http://127.0.0.1:0/callback',
  ])
}

/** Reads the options of the MCP flow, with the files and stdin that they name. @throws UsageError */
export async function mcpOptions(url: string, options: McpRunOptions): Promise<McpOptions> {
  checkMcpOptions(options)
  const { revision, register, scope, offline, grant, clientKey, dpop } = options
  const { generateDpopKey } = await import('../../protocol/tokens/dpop.js')
  return defined({
    url,
    revision,
    register,
    given: await givenClient(options),
    document: documentAddress(options.clientDocument),
    key: clientKey === undefined ? undefined : await readClientKey(clientKey),
    dpop: dpop ? await generateDpopKey() : undefined,
    assertion: await assertionOf(options),
    idp: await identityProvider(options),
    call: await callOf(options),
    redirectUri: redirectUriOf(options),
    scope,
    offline,
    grant,
    info: { name: 'oauth-lab', version: programVersion() },
  })
}
