import { foreignClaims, readUserinfoAnswer } from '../../flows/answers/userinfo-answer.js'
import { decodeIfJwt } from '../../flows/answers/verify-tokens.js'
import { tokenPlace } from '../../flows/metadata/endpoint.js'
import { resourceRequest } from '../../flows/steps/resource-step.js'
import { UsageError } from '../../protocol/errors.js'
import { encodeForm } from '../../protocol/http/form.js'
import { bytes, type HttpRequest, mediaType } from '../../protocol/http/message.js'
import { advice, type Check } from '../../protocol/oauth/check.js'
import { defined } from '../../protocol/values.js'
import { type EndpointClient, publishedKeys } from '../../session/client/endpoint-client.js'
import { print, printJson } from '../output/output.js'
import { EXIT } from '../program/exit.js'
import type { Globals } from '../program/globals.js'
import { type EndpointFlags, tokenArgument } from './endpoint-flags.js'
import { atServer, noteEmbedded } from './endpoint-run.js'
import { datesIn, memberLines } from './member-output.js'

/** Flags of `userinfo`. */
export interface UserinfoFlags extends EndpointFlags {
  /** The subject of the ID token. */
  readonly subject?: string
  /** Sends the token in a form. */
  readonly post?: true
}

/** Compares the answer with the subject of an access token that this client can read. Nobody promised it the format. */
function comparedWith(token: string, claims: { readonly sub?: unknown }): Check[] {
  const named = decodeIfJwt(token)?.claims.sub
  const rule = 'OpenID Connect Core §5.3.2'
  if (typeof named !== 'string') {
    return [advice('sub', false, rule, 'not compared: name the sub of the ID token by --subject')]
  }
  const isSame = named === claims.sub
  const other = `the access token is about ${named}; the ID token decides:  --subject SUB`
  return [advice('sub', isSame, rule, isSame ? 'the sub of the access token' : other)]
}

/** A request with the token in its form (RFC 6750 §2.2), for servers behind something that drops Authorization. */
function postedRequest(url: string, token: string): HttpRequest {
  return {
    method: 'POST',
    url,
    headers: [
      ['accept', 'application/json'],
      ['content-type', 'application/x-www-form-urlencoded'],
    ],
    body: bytes(encodeForm([['access_token', token]])),
  }
}

async function asked(client: EndpointClient, token: string, { subject, post }: UserinfoFlags) {
  const { server, options, extras, target, send, signal } = client
  const { metadata, carriedKeys } = server
  const url = tokenPlace(metadata, 'userinfo_endpoint')
  const exchange = await send(post ? postedRequest(url, token) : resourceRequest(url, token), { signal })
  const isJwt = exchange.response !== undefined && mediaType(exchange.response) === 'application/jwt'
  const { claims, checks } = await readUserinfoAnswer(exchange, {
    issuer: metadata.issuer,
    clientId: extras.clientId,
    subject,
    anySubject: subject === undefined,
    published: isJwt ? await publishedKeys(client) : undefined,
    carriedKeys,
    clientSecret: options.clientSecret,
    decryptionKey: options.decryptionKey,
    algorithms: metadata.userinfo_signing_alg_values_supported,
    registeredAlgorithm: options.registeredAlgorithms?.userinfo,
    now: target.now(),
  })
  const own = subject === undefined ? checks.filter(({ name }) => name !== 'sub') : checks
  return {
    claims,
    signed: isJwt,
    checks: [...own, ...(subject === undefined ? comparedWith(token, claims) : [])],
  }
}

/**
 * `oauth-lab userinfo`: the claims about the person of an access token.
 * @returns the exit code
 */
export async function userinfo(
  argument: string | undefined,
  flags: UserinfoFlags,
  globals: Globals,
): Promise<number> {
  const token = await tokenArgument(argument, flags)
  if (!/^[A-Za-z0-9\-._~+/]+=*$/.test(token)) throw new UsageError('that is no access token (RFC 6750 §2.1)')
  return atServer(flags, globals, async client => {
    const { claims, checks, signed } = await asked(client, token, flags).catch((error: unknown) => {
      noteEmbedded(client)
      throw error
    })
    if (globals.json) {
      printJson(defined({ sub: claims.sub, claims, dates: datesIn(claims), checks, signed }))
    } else {
      const others = foreignClaims(claims)
      const title = signed ? 'Claims, signed by the server' : 'Claims'
      print(
        ...memberLines(title, { members: claims, checks }, globals, client.target.now()),
        ...(others === undefined ? [] : ['', others]),
      )
    }
    return EXIT.done
  })
}
