import { UsageError } from '../../protocol/errors.js'
import { encodeForm, type FormPairs, parseForm } from '../../protocol/http/form.js'
import { bytes, type HttpRequest, text } from '../../protocol/http/message.js'
import { advice, shown } from '../../protocol/oauth/check.js'
import type { AuthorizationServerMetadata } from '../../protocol/oauth/metadata.js'
import { type ClientKey, makeClientAssertion } from '../../protocol/tokens/client-assertion.js'
import { boundCertificate } from '../../protocol/tokens/confirmation.js'
import { decodeIfJwt } from '../../protocol/tokens/decode.js'
import type { DpopKey } from '../../protocol/tokens/dpop.js'
import type { FlowPorts } from '../ports.js'
import { dpopBinding } from '../requests/dpop-binding.js'
import type { FlowRecord, Step } from '../step.js'
import type { Middleware } from './middleware.js'

/** Shows if access tokens name the certificate of the client (RFC 8705 §3.1). */
export async function* withCertificateChecks(
  records: AsyncIterable<FlowRecord>,
  thumbprint: string,
): AsyncGenerator<FlowRecord, void, void> {
  for await (const record of records) yield record.type === 'step' ? withCheck(record, thumbprint) : record
}

function withCheck(step: Step, thumbprint: string): Step {
  const { token } = step
  if (token?.kind !== 'access_token') return step
  const decoded = decodeIfJwt(token.value)
  if (decoded === undefined) return step
  const bound = boundCertificate(decoded.claims.cnf)
  if (bound === undefined) {
    const detail = `the token is bound to no certificate; ours is x5t#S256 ${thumbprint}`
    return withOne(step, true, detail)
  }
  const ok = bound === thumbprint
  const detail = ok
    ? `the token names our certificate, x5t#S256 ${thumbprint}`
    : `the token names another certificate: ${shown(bound)}; ours is ${thumbprint}`
  return withOne(step, ok, detail)
}

function withOne(step: Step, ok: boolean, detail: string): Step {
  return { ...step, checks: [...(step.checks ?? []), advice('cnf', ok, 'RFC 8705 §3.1', detail)] }
}

export interface ClientExtras {
  readonly clientId: string
  /** Signs client assertions (`private_key_jwt`). The flow itself sends no secret then. */
  readonly key?: ClientKey
  readonly dpop?: DpopKey
  /** RFC 8705: the thumbprint (§3.1), and if the certificate authenticates the client (§2). */
  readonly certificate?: { readonly thumbprint: string; readonly authenticates: boolean }
  readonly tokenParameters?: FormPairs
}

/** Undefined for a client that sends its secret, or none. */
export function proofOf({
  key,
  certificate,
}: Pick<ClientExtras, 'key' | 'certificate'>): 'key' | 'certificate' | undefined {
  if (key !== undefined) return 'key'
  return certificate?.authenticates ? 'certificate' : undefined
}

/** The client's part of the way to the servers. */
export interface ClientMiddleware {
  readonly layers: readonly Middleware[]
  /** Adds the steps and checks that the layers caused to the records of a flow. */
  annotate(records: AsyncIterable<FlowRecord>): AsyncIterable<FlowRecord>
}

const ASSERTION_TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'

const authenticatedEndpoints = [
  'token_endpoint',
  'pushed_authorization_request_endpoint',
  'device_authorization_endpoint',
  'backchannel_authentication_endpoint',
  'revocation_endpoint',
  'introspection_endpoint',
] as const

/** Makes the middleware of a client. The flow behind it stays as it is. */
export function clientMiddleware(
  metadata: AuthorizationServerMetadata,
  extras: ClientExtras,
  ports: Pick<FlowPorts, 'now' | 'random'>,
): ClientMiddleware {
  const added = authentication(metadata, extras, ports)
  const { certificate } = extras
  const certified = (records: AsyncIterable<FlowRecord>) =>
    certificate === undefined ? records : withCertificateChecks(records, certificate.thumbprint)
  if (extras.dpop === undefined) return { layers: [added], annotate: certified }
  const { layer, annotate } = dpopBinding(extras.dpop, metadata, ports)
  return { layers: [layer, added], annotate: records => annotate(certified(records)) }
}

function authentication(
  metadata: AuthorizationServerMetadata,
  { clientId, key, tokenParameters = [] }: ClientExtras,
  ports: Pick<FlowPorts, 'now' | 'random'>,
): Middleware {
  const endpoints = new Set(authenticatedEndpoints.map(name => metadata[name]))

  async function parametersFor({ method, url }: HttpRequest): Promise<FormPairs> {
    if (method !== 'POST' || !endpoints.has(url)) return []
    const more = url === metadata.token_endpoint ? tokenParameters : []
    if (key === undefined) return more
    // RFC 7523 §3: without a known issuer the audience is the token endpoint.
    const audience = metadata.issuer ?? metadata.token_endpoint ?? url
    const assertion = await makeClientAssertion(key, { clientId, audience }, ports)
    return [...more, ['client_assertion_type', ASSERTION_TYPE], ['client_assertion', assertion]]
  }

  return next => async (request, options) => {
    const pairs = await parametersFor(request)
    if (pairs.length === 0) return next(request, options)
    return next({ ...request, body: bytes(withPairs(text(request.body), pairs)) }, options)
  }
}

/** @throws UsageError for a parameter that the body already has */
function withPairs(body: string, pairs: FormPairs): string {
  const own = new Set(parseForm(body).map(([name]) => name))
  const taken = pairs.find(([name]) => own.has(name))
  if (taken) {
    throw new UsageError(`--param token:${taken[0]} is a parameter that this flow sends itself`, [
      'Leave it out: parameters are added, and never replaced',
    ])
  }
  return [body, encodeForm(pairs)].filter(part => part !== '').join('&')
}
