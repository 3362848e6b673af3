import { readRevocation } from '../../flows/answers/revocation-answer.js'
import { tokenPlace } from '../../flows/metadata/endpoint.js'
import { endpointRequest } from '../../session/client/endpoint-client.js'
import { forgetToken, keptTokens } from '../../session/tokens/kept-tokens.js'
import { signsFor } from '../../show/render/text/signs.js'
import { narrate, print, printJson } from '../output/output.js'
import { EXIT } from '../program/exit.js'
import type { Globals } from '../program/globals.js'
import { type EndpointFlags, tokenArgument } from './endpoint-flags.js'
import { atServer, noteEmbedded } from './endpoint-run.js'

/** Flags of `revoke`. */
export interface RevokeFlags extends EndpointFlags {
  readonly hint?: string
}

/**
 * `oauth-lab revoke`: ends a token at its server.
 * @returns the exit code: refused where the server did not revoke it
 */
export async function revoke(
  argument: string | undefined,
  flags: RevokeFlags,
  globals: Globals,
): Promise<number> {
  const token = await tokenArgument(argument, flags)
  return atServer(flags, globals, async client => {
    const { server, send, signal } = client
    const endpoint = tokenPlace(server.metadata, 'revocation_endpoint')
    const request = endpointRequest(client, endpoint, [
      ['token', token],
      ['token_type_hint', flags.hint],
    ])
    const checks = readRevocation(await send(request, { signal }))
    const kept = await keptTokens(globals.home)
    for (const each of kept.filter(({ accessToken, refreshToken }) =>
      [accessToken, refreshToken].includes(token),
    )) {
      if (await forgetToken(globals.home, each.id)) narrate(`Forgot the kept token ${each.id}.`)
    }
    if (globals.json) printJson({ revoked: true, checks })
    else {
      print(
        `${signsFor(globals).done} revoked`,
        'A server answers 200 for a token that it never knew, too (RFC 7009 §2.2).',
        'With a refresh token, the access tokens of the same login end as well (RFC 7009 §2.1).',
        'A resource server that verifies tokens by itself accepts a JWT until it expires (RFC 7009 §3).',
      )
    }
    noteEmbedded(client)
    return EXIT.done
  })
}
