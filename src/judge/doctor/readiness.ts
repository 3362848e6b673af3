import { asksForOpenId, type FlowOptions } from '../../flows/options.js'
import type { AuthorizationServerMetadata } from '../../protocol/oauth/metadata.js'
import { type ClientKey, withAnnounced } from '../../protocol/tokens/client-assertion.js'
import { MIN_SIGNING_SECRET, type WantedRequestObject } from '../../protocol/tokens/request-object.js'
import { type ClientIdentity, isPublic } from '../tamper/situation.js'
import { findingOf, findings } from './facts.js'
import { fault, type Group, type Judgement, NO_ANSWER, notApplicable, notTried, pass } from './finding.js'
import { logoutChecks } from './logout-checks.js'
import { documentClient, moveFlowOf, type Readiness } from './move-flow.js'
import { closedToDocuments } from './registration/document-readiness.js'
import { type Requester, seen, tokensIn } from './requester.js'
import { flowOptions, flowPorts } from './server-under-test.js'
import { walk } from './trial.js'

/** True for a server that announces request objects (OpenID Connect Discovery §3, RFC 9101 §10.5). */
function announcesObjects({
  request_parameter_supported: supported,
  request_object_signing_alg_values_supported: algorithms,
  require_signed_request_object: required,
}: AuthorizationServerMetadata): boolean {
  return supported === undefined ? algorithms !== undefined || required === true : supported === true
}

/** Returns the request objects that a client can make; undefined where the server takes none of them. */
function objectsOf(
  { clientSecret: secret = '' }: ClientIdentity,
  key: ClientKey | undefined,
  { request_object_signing_alg_values_supported: announced }: AuthorizationServerMetadata,
  scope: string | undefined,
): WantedRequestObject | undefined {
  const algorithms: readonly unknown[] = Array.isArray(announced) ? announced : ['HS256', 'none']
  const signer = key && withAnnounced(key, announced)
  if (signer !== undefined && (announced === undefined || algorithms.includes(signer.alg))) {
    return { kind: 'signed', key: signer }
  }
  const isLong = Buffer.byteLength(secret) >= MIN_SIGNING_SECRET
  if (isLong && algorithms.includes('HS256')) return { kind: 'signed', secret }
  // Only a login may have an unsigned one (OpenID Connect Core §6.1, RFC 9101 §10.1).
  return algorithms.includes('none') && asksForOpenId(scope) ? { kind: 'unsigned' } : undefined
}

/** Finds out if request objects can be sent, by an honest one. A server that does not announce them gets none. */
async function intoObjects({ metadata, server, honest }: Requester): Promise<Readiness> {
  if (!announcesObjects(metadata)) {
    return { closed: notApplicable('the server announces no request objects') }
  }
  const { scope, requestObject: own } = flowOptions(server, metadata)
  const { key } = server.equipment?.extras ?? {}
  const requestObject = own ?? objectsOf(server.client, key, metadata, scope)
  if (requestObject === undefined) {
    return { closed: notApplicable('the client has neither a key nor a secret that signs request objects') }
  }
  // A server may take unsigned ones through the browser alone.
  const unpushed = requestObject.kind === 'unsigned'
  if (unpushed && metadata.require_pushed_authorization_requests === true) {
    return { closed: notApplicable('requests must be pushed, and the client cannot sign them') }
  }
  const options = unpushed ? { requestObject, push: false } : { requestObject }
  const { steps, outcome } = await honest(options)
  if (tokensIn(steps) !== undefined) {
    const { kind } = requestObject
    return { options, situation: unpushed ? { requestObject: kind, pushed: false } : { requestObject: kind } }
  }
  const why = outcome?.error?.error_description ?? 'no outcome'
  return { closed: notTried(`no token by a request object: ${why}`) }
}

const NO_TOKEN = 'the flow without any wrong move gets no token'

const closed = (why: Judgement): Readiness => ({ closed: why })

/** True for a list of the metadata that names `value`; undefined where there is no such list. */
function lists(value: string, list: readonly string[] | undefined): boolean | undefined {
  return list?.includes(value)
}

async function intoRefresh(requester: Requester): Promise<Readiness> {
  const { metadata, server, honest } = requester
  const tokens = await requester.tokens()
  if (tokens === undefined) return closed(notTried(NO_TOKEN))
  if (tokens.refresh_token !== undefined) return {}
  if (lists('refresh_token', metadata.grant_types_supported) === false) {
    return closed(notApplicable('the server announces no refresh tokens'))
  }
  if (lists('offline_access', metadata.scopes_supported)) {
    const { scope } = flowOptions(server, metadata)
    const options: Partial<FlowOptions> = {
      scope: [scope, 'offline_access'].filter(each => each !== undefined).join(' '),
      // OpenID Connect Core §11: offline access needs a consent.
      authorizationParameters: [['prompt', 'consent']],
    }
    if (tokensIn((await honest(options)).steps)?.refresh_token !== undefined) return { options }
  }
  return closed(notApplicable('the server issues no refresh token to this client'))
}

/** Finds out if the client can ask for tokens in its own name (RFC 6749 §4.4). */
export async function intoOwnGrant({ metadata, server, post }: Requester): Promise<Readiness> {
  const { token_endpoint: url, grant_types_supported: grants } = metadata
  if (isPublic(server.client)) return closed(notApplicable('the client is public: it has no secret'))
  if (url === undefined || lists('client_credentials', grants) === false) {
    return closed(notApplicable('the server announces no client credentials grant'))
  }
  const exchange = await post(url, [['grant_type', 'client_credentials']])
  const status = exchange?.response?.status
  if (exchange === undefined || status === undefined) return closed(notTried(NO_ANSWER))
  if (status < 300) return {}
  return closed(notApplicable(`the client may not use the client credentials grant: ${seen(exchange)}`))
}

async function intoDevice({ metadata, server, post }: Requester): Promise<Readiness> {
  const url = metadata.device_authorization_endpoint
  if (url === undefined) return closed(notApplicable('the server announces no device_authorization_endpoint'))
  const { scope } = flowOptions(server, metadata)
  const exchange = await post(url, scope === undefined ? [] : [['scope', scope]])
  const status = exchange?.response?.status
  if (exchange === undefined || status === undefined) return closed(notTried(NO_ANSWER))
  if (status < 300) return {}
  return closed(notApplicable(`the client may not use the device grant: ${seen(exchange)}`))
}

/** Finds out if the client may trade an assertion for a token (RFC 7521 §4.1). */
async function intoAssertions({ metadata, server, ports }: Requester): Promise<Readiness> {
  if (lists('urn:ietf:params:oauth:grant-type:jwt-bearer', metadata.grant_types_supported) !== true) {
    return closed(notApplicable('the server announces no grant for JWT assertions'))
  }
  if (server.assertion === undefined) {
    return closed(
      notTried('the key of no assertion issuer is here: --assertion-issuer NAME --issuer-key FILE'),
    )
  }
  const { target, options } = moveFlowOf('assertion', ports, server)
  const wanted = { ...flowOptions(server, metadata), ...options }
  const { steps, outcome } = await walk(target.run(flowPorts(ports), wanted))
  if (tokensIn(steps) !== undefined) return {}
  const { error, error_description: why = 'no outcome' } = outcome?.error ?? {}
  if (error === 'unauthorized_client')
    return closed(notApplicable(`the client may not use the grant for assertions: ${why}`))
  return closed(notTried(`an honest assertion gets no token: ${why}`))
}

async function intoPar({ metadata, honest }: Requester): Promise<Readiness> {
  if (metadata.pushed_authorization_request_endpoint === undefined) {
    return closed(notApplicable('the server announces no pushed_authorization_request_endpoint'))
  }
  const { steps, outcome } = await honest({ push: true })
  if (tokensIn(steps) !== undefined) return {}
  return closed(
    notTried(`no token by a pushed request: ${outcome?.error?.error_description ?? 'no outcome'}`),
  )
}

const bound = {
  group: 'dpop',
  name: 'dpop-bound',
  severity: 'weakness',
  title: 'a token that was asked for with a proof is bound to its key',
  rule: 'RFC 9449 §5',
} as const

async function intoDpop({ metadata, honest, ports, server }: Requester): Promise<Readiness> {
  const into = (judgement: Judgement, more: Readiness = {}): Readiness => ({
    ...more,
    findings: [findingOf(bound, judgement)],
  })
  if (metadata.dpop_signing_alg_values_supported === undefined) {
    const why = notApplicable('the server announces no DPoP')
    return into(why, closed(why))
  }
  const prepared = await moveFlowOf('dpop', ports, server).prepare?.(flowOptions(server, metadata))
  const { steps, outcome } = await honest(prepared?.wanted, prepared?.layers)
  const type = outcome?.tokens?.token_type
  if (type?.toLowerCase() === 'dpop') return into(pass(`token_type ${type}`))
  if (tokensIn(steps) !== undefined) {
    return into(
      fault(`DPoP is announced, and the answer is not bound: ${type ?? outcome?.error?.error_description}`),
      closed(notApplicable('tokens of this client are bound to no key')),
    )
  }
  const ended = outcome?.error?.error_description ?? 'no outcome'
  // Tokens are bound to one of both: a server may refuse a proof beside a certificate.
  const certified = server.certificate !== undefined && server.equipment?.extras.dpop === undefined
  const why = certified
    ? notApplicable(`a client with a certificate uses no DPoP: ${ended}`)
    : notTried(`the flow ended before: ${ended}`)
  return into(why, closed(why))
}

async function intoDocuments({ metadata, honest, ports, server }: Requester): Promise<Readiness> {
  const why = await closedToDocuments(metadata, ports, server.redirectUri, own =>
    honest(documentClient(flowOptions(server, metadata), own), {}),
  )
  return why === undefined ? {} : closed(why)
}

async function intoLogout(requester: Requester): Promise<Readiness> {
  const all = (why: Judgement): Readiness => ({
    findings: logoutChecks.map(each => findingOf(each, why)),
    closed: why,
  })
  if (requester.metadata.end_session_endpoint === undefined) {
    return all(notApplicable('the server announces no end_session_endpoint'))
  }
  if (requester.server.ownBrowser) return all(notTried('nobody watches a logout of your own browser'))
  if ((await requester.tokens()) === undefined) return all(notTried(NO_TOKEN))
  return { findings: findings(logoutChecks, await requester.logout()) }
}

/** Finds out if the moves of a group can be made, by honest requests. */
export async function readinessOf(group: Group, requester: Requester): Promise<Readiness> {
  switch (group) {
    case 'refresh':
      return intoRefresh(requester)
    case 'device':
      return intoDevice(requester)
    case 'assertion':
      return intoAssertions(requester)
    case 'par':
      return intoPar(requester)
    case 'jar':
      return intoObjects(requester)
    case 'dpop':
      return intoDpop(requester)
    case 'registration':
      return intoDocuments(requester)
    case 'logout':
      return intoLogout(requester)
    default:
      return {}
  }
}
