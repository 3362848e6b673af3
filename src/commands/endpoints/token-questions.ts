import { INTROSPECTION_JWT, readIntrospection } from '../../flows/answers/introspection-answer.js'
import { tokenPlace } from '../../flows/metadata/endpoint.js'
import { bytes } from '../../protocol/http/message.js'
import { defined } from '../../protocol/values.js'
import { type EndpointClient, endpointRequest, publishedKeys } from '../../session/client/endpoint-client.js'
import { signsFor } from '../../show/render/text/signs.js'
import { print, printJson } from '../output/output.js'
import { EXIT } from '../program/exit.js'
import type { Globals } from '../program/globals.js'
import { type EndpointFlags, tokenArgument } from './endpoint-flags.js'
import { atServer, noteEmbedded } from './endpoint-run.js'
import { datesIn, memberLines } from './member-output.js'

/** Flags of `introspect`. */
export interface IntrospectFlags extends EndpointFlags {
  readonly hint?: string
  readonly signed?: true
}

const INACTIVE =
  'The server does not know it, it expired or was revoked, or this client may not learn about it (RFC 7662 §2.2).'

async function introspected(client: EndpointClient, token: string, { hint, signed }: IntrospectFlags) {
  const { server, options, extras, target, send, signal } = client
  const { metadata, carriedKeys } = server
  const made = endpointRequest(client, tokenPlace(metadata, 'introspection_endpoint'), [
    ['token', token],
    ['token_type_hint', hint],
  ])
  const accept = signed ? INTROSPECTION_JWT : 'application/json'
  const headers = made.headers.map(([name, value]) => [name, name === 'accept' ? accept : value] as const)
  const exchange = await send({ ...made, headers }, { signal })
  // Most answers are JSON, which needs no keys.
  const isJwt =
    bytes(exchange.response?.body ?? '').length > 0 && !/^\s*\{/.test(exchange.response?.body ?? '')
  return readIntrospection(exchange, {
    issuer: metadata.issuer,
    clientId: extras.clientId,
    now: target.now(),
    published: isJwt ? await publishedKeys(client) : undefined,
    algorithms: metadata.introspection_signing_alg_values_supported,
    ...defined({
      carriedKeys,
      clientSecret: options.clientSecret,
      decryptionKey: options.decryptionKey,
    }),
  })
}

/**
 * `oauth-lab introspect`: asks the server if a token is active, and what is in it.
 * @returns the exit code: refused for a token that is not active
 */
export async function introspect(
  argument: string | undefined,
  flags: IntrospectFlags,
  globals: Globals,
): Promise<number> {
  const token = await tokenArgument(argument, flags)
  return atServer(flags, globals, async client => {
    const { active, members, checks, signed } = await introspected(client, token, flags)
    if (globals.json) {
      printJson(defined({ active, claims: members, dates: datesIn(members), checks, signed }))
    } else {
      const signs = signsFor(globals)
      print(
        active ? `${signs.done} active` : `${signs.refused} not active`,
        ...(active ? [] : [INACTIVE]),
        '',
        ...memberLines(
          signed ? 'Answer, signed by the server' : 'Answer',
          { members, checks },
          globals,
          client.target.now(),
        ),
      )
    }
    if (!active) noteEmbedded(client)
    return active ? EXIT.done : EXIT.refused
  })
}
