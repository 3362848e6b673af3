import { createTransport, type Transport, type TransportOptions } from '../../client/transport.js'
import type { ClientExtras } from '../../flows/middleware/client-middleware.js'
import type { FlowOptions } from '../../flows/options.js'
import { UsageError } from '../../protocol/errors.js'
import type { HttpRequest } from '../../protocol/http/message.js'
import { type Client, isCertificateMethod } from '../../protocol/oauth/client.js'
import { type AuthorizationServerMetadata, withMtlsAliases } from '../../protocol/oauth/metadata.js'
import { type ClientKey, withAnnounced } from '../../protocol/tokens/client-assertion.js'
import type { DpopKey } from '../../protocol/tokens/dpop.js'
import {
  MIN_SIGNING_SECRET,
  type RequestObjectKind,
  type WantedRequestObject,
} from '../../protocol/tokens/request-object.js'
import { defined } from '../../protocol/values.js'
import { type RequestParameters, requestParameters } from '../options/parameters.js'
import type { FlowRunOptions } from '../options/table.js'
import type { ServerKnowledge, ServerTarget } from '../targets/server.js'
import type { Target } from '../targets/target.js'
import {
  type CertificateOptions,
  clientProof,
  type OwnCertificate,
  type ProofOptions,
  readClientKey,
  readOwnCertificate,
} from './credentials.js'
import { underFapi2 } from './profile.js'

/** The options of a client: its authentication, and what its requests contain. */
export interface ClientOptions
  extends ProofOptions,
    CertificateOptions,
    Pick<FlowRunOptions, 'param' | 'dpop' | 'par' | 'requestObject' | 'profile' | 'seed'> {}

/** The options of a client, checked, with its key. */
export interface CheckedClient {
  readonly options: ClientOptions
  readonly key: ClientKey | undefined
  readonly certificate: OwnCertificate | undefined
  readonly parameters: RequestParameters
  readonly isBackchannel: boolean
}

/** The part of the options of a flow that comes from its client. */
export type ClientKnowledge = Pick<
  FlowOptions,
  | 'auth'
  | 'clientSecret'
  | 'authorizationParameters'
  | 'push'
  | 'decryptionKey'
  | 'requestObject'
  | 'registeredAlgorithms'
>

/** Checks the options of a client, and reads its key, before any lab is started. @throws UsageError */
export async function checkedClient(
  options: ClientOptions,
  flow: { readonly hasAuthorizationRequest: boolean; readonly isBackchannel?: boolean },
): Promise<CheckedClient> {
  const parameters = requestParameters(options.param ?? [], flow)
  if (options.par && !flow.hasAuthorizationRequest) {
    throw new UsageError('--par: this flow has no authorization request to push', ['Leave it out'])
  }
  if (options.requestObject !== undefined && !flow.hasAuthorizationRequest && !flow.isBackchannel) {
    throw new UsageError('--request-object: this flow has no authorization request', ['Leave it out'])
  }
  if (flow.isBackchannel && options.requestObject !== undefined && options.requestObject !== 'signed') {
    const problem = 'a backchannel request is signed, or has no request object'
    const hints = ['Write:  --request-object signed --client-key FILE']
    throw new UsageError(`--request-object ${options.requestObject}: ${problem} (CIBA Core §7.1.1)`, hints)
  }
  const key = options.clientKey === undefined ? undefined : await readClientKey(options.clientKey)
  const certificate = await readOwnCertificate(options)
  return { options, key, certificate, parameters, isBackchannel: flow.isBackchannel === true }
}

/** The knowledge of a client about its server. A client with a certificate uses the aliases of endpoints (RFC 8705 §5). */
export function knownWith(
  server: ServerKnowledge,
  { certificate }: Pick<CheckedClient, 'certificate'>,
): ServerKnowledge {
  return certificate === undefined ? server : { ...server, metadata: withMtlsAliases(server.metadata) }
}

/** Returns how the client makes request objects. @throws UsageError where it has nothing to sign with */
function wantedObject(
  { client_id: id, ...client }: Client,
  kind: RequestObjectKind | undefined,
  key: ClientKey | undefined,
  metadata: AuthorizationServerMetadata,
  isBackchannel: boolean,
): WantedRequestObject | undefined {
  if (kind === undefined) return undefined
  // A backchannel request is signed by a private key alone (OpenID Connect CIBA Core §7.1.1).
  const secret = isBackchannel ? undefined : client.client_secret
  const registered = isBackchannel
    ? client.backchannel_authentication_request_signing_alg
    : client.request_object_signing_alg
  const announced = isBackchannel
    ? metadata.backchannel_authentication_request_signing_alg_values_supported
    : metadata.request_object_signing_alg_values_supported
  const isLong = Buffer.byteLength(secret ?? '') >= MIN_SIGNING_SECRET
  if (kind !== 'unsigned' && key === undefined && !isLong) {
    throw new UsageError(`--request-object ${kind}: client ${id} has nothing to sign with`, [
      'Name its private key:  --client-key FILE   (PKCS#8 PEM or JWK)',
      ...(isBackchannel
        ? []
        : [`A secret of ${MIN_SIGNING_SECRET} bytes or more signs too (HS256, RFC 7518 §3.2)`]),
    ])
  }
  const signer = key && withAnnounced(key, registered === undefined ? announced : [registered])
  return defined({ kind, key: signer, secret })
}

/** Returns the algorithms that the registration of a client demands of its answers; undefined for none. */
function registeredSignatures(client: Client): FlowOptions['registeredAlgorithms'] {
  const registered = defined({
    idToken: client.id_token_signed_response_alg,
    userinfo: client.userinfo_signed_response_alg,
    authorization: client.authorization_signed_response_alg,
  })
  return Object.keys(registered).length === 0 ? undefined : registered
}

/** Makes the key that tokens are bound to. @param repeating the random bytes of a run that repeats */
async function dpopKey(repeating: Target['random'] | undefined): Promise<DpopKey> {
  const { generateDpopKey, seededDpopKey } = await import('../../protocol/tokens/dpop.js')
  return repeating ? seededDpopKey(repeating(32)) : generateDpopKey()
}

/**
 * Sets a client up for its server: how it authenticates, what it pushes, and which key its tokens are bound to.
 * @throws UsageError for a method of authentication that lacks its secret or key
 */
export async function clientSetup(
  { client, random, lab }: Pick<ServerTarget, 'client' | 'random' | 'lab'>,
  { options, key: given, certificate, parameters, isBackchannel }: CheckedClient,
  { metadata }: ServerKnowledge,
): Promise<{ readonly options: ClientKnowledge; readonly extras: ClientExtras }> {
  const { key, ...proof } = clientProof(client, options, { key: given, certificate }, metadata)
  // Other servers may know no EdDSA.
  const repeats = options.seed !== undefined && lab?.embedded !== undefined
  const dpop = options.dpop ? await dpopKey(repeats ? random : undefined) : undefined
  const more = [...parameters.authorization]
  if (dpop) more.push(['dpop_jkt', dpop.jkt])
  // Some servers accept only pushed requests (RFC 9126 §5).
  const push = options.par === true || metadata.require_pushed_authorization_requests === true
  const authorizationParameters = more.length > 0 ? more : undefined
  const means = {
    // The key of a client that authenticates by another method decrypts its answers alone.
    options: defined({
      ...proof,
      push,
      authorizationParameters,
      decryptionKey: given?.privateKey,
      requestObject: wantedObject(client, options.requestObject, given, metadata, isBackchannel),
      registeredAlgorithms: registeredSignatures(client),
    }),
    extras: defined({
      clientId: client.client_id,
      tokenParameters: parameters.token,
      key,
      dpop,
      certificate: certificate && {
        thumbprint: certificate.thumbprint,
        authenticates: isCertificateMethod(options.auth ?? client.token_endpoint_auth_method),
      },
    }),
  }
  return options.profile === undefined ? means : underFapi2(means, metadata)
}

type Identity = NonNullable<HttpRequest['identity']>

/** Makes a certificate that no server knows. */
async function strangersPair() {
  const [{ makeClientCertificate }, { parseDistinguishedName }] = await Promise.all([
    import('../../lab/certificates/client-authority.js'),
    import('../../protocol/oauth/distinguished-name.js'),
  ])
  const read = parseDistinguishedName('CN=stranger')
  if ('problem' in read) throw new Error(read.problem)
  // Servers judge it by the real clock, as TLS does.
  const made = await makeClientCertificate({ subject: read.name, names: [], days: 1 }, undefined, Date.now())
  return { cert: made.certPem, key: made.keyPem }
}

/**
 * Creates the HTTP client of a client with a certificate. A request of its browser or of a wrong move goes over another
 * connection, without a certificate or with that of a stranger. Without a certificate there is one transport alone.
 */
export function clientNetwork(options: TransportOptions, certificate: OwnCertificate | undefined): Transport {
  if (certificate === undefined) return createTransport(options)
  const own = createTransport({ ...options, certificate })
  const others = new Map<Identity, Promise<Transport>>()

  async function make(identity: Identity): Promise<Transport> {
    return createTransport(identity === 'none' ? options : { ...options, certificate: await strangersPair() })
  }

  function other(identity: Identity): Promise<Transport> {
    const made = others.get(identity) ?? make(identity)
    others.set(identity, made)
    return made
  }

  return {
    send: async (request, how) => {
      const { identity } = request
      return (identity === undefined ? own : await other(identity)).send(request, how)
    },
    close() {
      own.close()
      for (const each of others.values()) void each.then(({ close }) => close())
    },
  }
}
