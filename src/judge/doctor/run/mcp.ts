import type { KnownUser } from '../../../client/known-login.js'
import { UsageError } from '../../../protocol/errors.js'
import { defined } from '../../../protocol/values.js'
import { clientSecret } from '../../../session/client/credentials.js'
import { readStdinLine } from '../../../session/input/input.js'
import { mcpOptions } from '../../../session/options/mcp.js'
import { knownUser } from '../../../session/people/users.js'
import { type McpTarget, mcpTarget } from '../../../session/targets/mcp.js'
import { type TrustOptions, targetFrom } from '../../../session/targets/target.js'
import type { McpServerUnderTest } from '../mcp/mcp-facts.js'
import { credentialsOf, type DoctorOptions, withoutPort } from './target.js'

/** The options of the doctor that an MCP client has no use for. */
const FOREIGN = [
  'secondClientId',
  'secondClientSecretFile',
  'secondUser',
  'postLogoutRedirectUri',
  'resource',
  'authorizationEndpoint',
  'tokenEndpoint',
  'auth',
  'cert',
  'certKey',
  'dpop',
  'par',
  'requestObject',
] as const

/** @throws UsageError for an option that is about another examination */
function refuseForeign(options: DoctorOptions): void {
  const foreign = FOREIGN.find(name => options[name] !== undefined)
  if (foreign === undefined) return
  const flag = `--${foreign.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)}`
  throw new UsageError(`${flag} is no option of an MCP client`, [
    'Leave it out. The authorization server alone:  oauth-lab doctor ISSUER --client-id ID',
  ])
}

/** The user who logs in: the one who was named, else the first of the lab that the server belongs to. */
async function userOf(options: DoctorOptions, { users, ofLab }: McpTarget): Promise<KnownUser | undefined> {
  if (!ofLab) return credentialsOf(options)
  const password = options.passwordStdin ? await readStdinLine('the password') : undefined
  return knownUser(options.user, password, users)
}

/**
 * Finds an MCP server, and the client that examines it: a given one, or one that introduces itself.
 * @throws UsageError
 */
export async function doctorMcpTarget(
  url: string,
  options: DoctorOptions,
  trust: TrustOptions,
  env: NodeJS.ProcessEnv,
): Promise<McpTarget & { readonly server: McpServerUnderTest }> {
  refuseForeign(options)
  const { clientId, clientKey, scope, redirectUri, browser = false } = options
  return targetFrom(mcpTarget(url, trust), async target => {
    const wanted = await mcpOptions(
      target.address,
      defined({
        grant: 'authorization_code' as const,
        browser,
        open: true,
        clientId,
        clientKey,
        scope,
        redirectUri,
      }),
    )
    const secret = clientId === undefined ? undefined : await clientSecret(options, env)
    const given = wanted.given && defined({ ...wanted.given, clientSecret: secret })
    return {
      ...target,
      server: {
        options: defined({
          ...wanted,
          given,
          // Nothing listens there without a browser: the doctor reads the answer from the redirect.
          redirectUri: browser ? wanted.redirectUri : withoutPort(wanted.redirectUri),
        }),
        run: defined({
          credentials: await userOf(options, target),
          ownBrowser: browser || undefined,
        }),
      },
    }
  })
}
