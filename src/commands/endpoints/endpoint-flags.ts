import { UsageError } from '../../protocol/errors.js'
import type { EndpointOptions } from '../../session/client/endpoint-client.js'
import { givenToken } from '../jose/jwt-input.js'

/** Flags of the commands that send a token to an endpoint. */
export type EndpointFlags = EndpointOptions

const HINTS = ['Give it as an argument, or in a pipe:  oauth-lab flow code -o token | oauth-lab introspect']

/**
 * Reads the token that a command is about.
 * @throws UsageError
 */
export async function tokenArgument(
  argument: string | undefined,
  { clientSecretStdin }: Pick<EndpointFlags, 'clientSecretStdin'>,
): Promise<string> {
  if (clientSecretStdin && (argument === undefined || argument === '-')) {
    throw new UsageError('--client-secret-stdin and the token both read stdin', [
      'Use --client-secret-file, or OAUTH_LAB_CLIENT_SECRET',
    ])
  }
  const token = await givenToken(argument, { hints: HINTS })
  if (/\p{Cc}/u.test(token)) {
    throw new UsageError('the token holds a control character: that is no token (RFC 6750 §2.1)')
  }
  return token
}
