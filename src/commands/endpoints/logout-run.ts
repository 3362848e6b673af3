import { browse } from '../../client/open-browser.js'
import { decodeIfJwt } from '../../flows/answers/verify-tokens.js'
import { tokenPlace } from '../../flows/metadata/endpoint.js'
import { UsageError } from '../../protocol/errors.js'
import { logoutRequest } from '../../protocol/oauth/logout-request.js'
import { makeSafe } from '../../protocol/safe-output/safe.js'
import { defined } from '../../protocol/values.js'
import type { EndpointClient, EndpointOptions } from '../../session/client/endpoint-client.js'
import { type LogoutOptions, logoutOptions } from '../../session/options/redirect.js'
import { keptTokens } from '../../session/tokens/kept-tokens.js'
import { narrate, printData, printJson } from '../output/output.js'
import { EXIT } from '../program/exit.js'
import type { Globals } from '../program/globals.js'
import { tokenArgument } from './endpoint-flags.js'
import { atServer, noteEmbedded } from './endpoint-run.js'

/** Flags of `logout`. */
export interface LogoutFlags extends EndpointOptions, LogoutOptions {
  readonly open?: true
  readonly state?: string
}

/** The ID token of the last login that `call` keeps for this client; undefined where none is kept. */
async function keptIdToken(
  { server, target, extras }: EndpointClient,
  home: string,
): Promise<string | undefined> {
  const issuer = server.metadata.issuer ?? target.address
  const tokens = await keptTokens(home)
  return tokens.find(
    each => each.issuer === issuer && each.clientId === extras.clientId && each.idToken !== undefined,
  )?.idToken
}

/**
 * `oauth-lab logout`: the address at which a browser ends its session (OpenID Connect RP-Initiated Logout 1.0). The browser that
 * is logged in has to open it, so that it is printed, and opened only where that is asked for.
 * @returns the exit code
 */
export async function logout(
  argument: string | undefined,
  flags: LogoutFlags,
  globals: Globals,
): Promise<number> {
  if (argument !== undefined && flags.hint === false) {
    throw new UsageError('--no-hint sends no ID token, and one was given', ['Leave one out'])
  }
  const given = argument === undefined ? undefined : await tokenArgument(argument, flags)
  if (given !== undefined && decodeIfJwt(given) === undefined && given.split('.').length !== 5) {
    throw new UsageError('that is no ID token: it is no JWT (OpenID Connect Core §2)')
  }
  return atServer(flags, globals, async client => {
    const { server, target, extras } = client
    const endpoint = tokenPlace(server.metadata, 'end_session_endpoint')
    // Without a listener here, only an address that the person names is worth returning to.
    const bare = { ...target.client, post_logout_redirect_uris: [] }
    const { postLogoutRedirectUri, logoutHint, logoutLocales } = logoutOptions(
      { ...flags, browser: false },
      bare,
    )
    const idTokenHint =
      flags.hint === false ? undefined : (given ?? (await keptIdToken(client, globals.home)))
    const request = logoutRequest({
      endpoint,
      method: 'GET',
      clientId: extras.clientId,
      ...defined({
        idTokenHint,
        logoutHint,
        postLogoutRedirectUri,
        state: flags.state,
        uiLocales: logoutLocales,
      }),
    })
    if (globals.json) printJson({ url: request.url, parameters: Object.fromEntries(request.pairs) })
    else printData(request.url)
    if (idTokenHint === undefined)
      narrate('Without an ID token the server asks the person first (RP-Initiated Logout §2).')
    if (flags.open) narrate(makeSafe(await browse(request.url, process.env, process.platform)))
    else narrate('Open it in the browser that is logged in, or here with --open.')
    narrate(
      'Kept tokens may outlive the session:  oauth-lab token list   Every step of a logout, checked:  oauth-lab flow logout',
    )
    noteEmbedded(client)
    return EXIT.done
  })
}
