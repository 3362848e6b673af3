import { browse } from '../../client/open-browser.js'
import { INTROSPECTION_JWT, readIntrospection } from '../../flows/answers/introspection-answer.js'
import { readRevocation } from '../../flows/answers/revocation-answer.js'
import { foreignClaims, readUserinfoAnswer } from '../../flows/answers/userinfo-answer.js'
import { tokenPlace } from '../../flows/metadata/endpoint.js'
import { resourceRequest } from '../../flows/steps/resource-step.js'
import { UsageError } from '../../protocol/errors.js'
import { encodeForm } from '../../protocol/http/form.js'
import { bytes, type HttpRequest, mediaType } from '../../protocol/http/message.js'
import { advice, type Check } from '../../protocol/oauth/check.js'
import { logoutRequest } from '../../protocol/oauth/logout-request.js'
import { makeSafe } from '../../protocol/safe-output/safe.js'
import { decodeIfJwt } from '../../protocol/tokens/decode.js'
import { defined } from '../../protocol/values.js'
import {
  type EndpointClient,
  type EndpointOptions,
  endpointRequest,
  publishedKeys,
} from '../../session/client/endpoint-client.js'
import { type LogoutOptions, logoutOptions } from '../../session/options/redirect.js'
import { forgetToken, keptTokens } from '../../session/tokens/kept-tokens.js'
import { signsFor } from '../../show/render/text/signs.js'
import { narrate, print, printData, printJson } from '../output/output.js'
import { EXIT } from '../program/exit.js'
import type { Globals } from '../program/globals.js'
import {
  atServer,
  datesIn,
  type EndpointFlags,
  memberLines,
  noteEmbedded,
  tokenArgument,
} from './endpoint-run.js'

/** Flags of `introspect`. */
interface IntrospectFlags extends EndpointFlags {
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

/** Flags of `userinfo`. */
interface UserinfoFlags extends EndpointFlags {
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

/** `oauth-lab userinfo`: the claims about the person of an access token. */
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

/** Flags of `revoke`. */
interface RevokeFlags extends EndpointFlags {
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

/** Flags of `logout`. */
interface LogoutFlags extends EndpointOptions, LogoutOptions {
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
    each =>
      each.issuer === issuer &&
      each.clientId === extras.clientId &&
      each.entry === target.found?.entry &&
      each.idToken !== undefined,
  )?.idToken
}

/**
 * `oauth-lab logout`: the address at which a browser ends its session (OpenID Connect RP-Initiated Logout 1.0). The browser that
 * is logged in has to open it, so that it is printed, and opened only where that is asked for.
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
    if (flags.open) {
      const { text } = await browse(request.url, process.env, process.platform)
      narrate(makeSafe(text))
    } else narrate('Open it in the browser that is logged in, or here with --open.')
    narrate(
      'Kept tokens may outlive the session:  oauth-lab token list   Every step of a logout, checked:  oauth-lab flow logout',
    )
    noteEmbedded(client)
    return EXIT.done
  })
}
