import { isIP } from 'node:net'
import { isUrl } from '../../../protocol/http/address.js'
import {
  algorithmsOfSecret,
  isSecretAlgorithm,
  RESPONSE_KINDS,
  registeredAlgorithms,
} from '../../../protocol/oauth/algorithms.js'
import { CIBA_GRANT_TYPE } from '../../../protocol/oauth/answers.js'
import { isConfidential } from '../../../protocol/oauth/client.js'
import { isOnOriginOf, sectorProblem } from '../../../protocol/oauth/client-metadata.js'
import { parseDistinguishedName } from '../../../protocol/oauth/distinguished-name.js'
import { messageUriProblem } from '../../../protocol/oauth/redirect-uri.js'
import { encryptionKey } from '../../../protocol/tokens/encryption.js'
import type { JwkSet } from '../../../protocol/tokens/keys.js'
import { quote } from '../../../protocol/values.js'
import { SUBJECT_MEMBERS } from '../endpoints/mutual-tls.js'
import { canKeyHs256 } from '../tokens/client-responses.js'
import { type ClientMetadata, type MemberPath, neededGrants, type Report, toClient } from './defaults.js'

function isHttps(address: string): boolean {
  if (!isUrl(address)) return false
  const { protocol, username, password, hash } = new URL(address)
  return protocol === 'https:' && [username, password, hash].every(each => each === '')
}

/** The algorithm of assertions has to fit the method, and the secret has to be long enough for it (RFC 7518 §3.2). */
function checkAssertionAlgorithm(client: ClientMetadata, report: ReportMember): void {
  const {
    token_endpoint_auth_method: method,
    token_endpoint_auth_signing_alg: alg,
    client_secret: secret = '',
  } = client
  const bySecret = algorithmsOfSecret(secret)
  const at = 'token_endpoint_auth_signing_alg'
  if (method === 'client_secret_jwt' && bySecret.length === 0 && secret !== '') {
    report('client_secret', 'client_secret_jwt needs a secret of 32 bytes or more (RFC 7518 §3.2)')
  }
  if (alg === undefined) return
  const shared = isSecretAlgorithm(alg)
  if (shared && method === 'private_key_jwt')
    report(at, `${quote(alg)} is for client_secret_jwt: it needs the secret`)
  if (!shared && method === 'client_secret_jwt')
    report(at, `${quote(alg)} is for private_key_jwt: it needs a key`)
  if (shared && method !== 'private_key_jwt' && secret !== '' && !bySecret.includes(alg)) {
    report(at, `${quote(alg)} needs a longer client_secret (RFC 7518 §3.2)`)
  }
}

function checkAuthentication(client: ClientMetadata, report: ReportMember): void {
  const method = client.token_endpoint_auth_method
  const at = 'token_endpoint_auth_method'
  if (method === 'none' && client.client_secret !== undefined) {
    report(at, 'none is for clients without client_secret (RFC 7591 §2)')
  }
  if (method?.startsWith('client_secret_') && !client.client_secret) {
    report(at, `${method} needs a client_secret`)
  }
  checkAssertionAlgorithm(client, report)
  const { jwks, jwks_uri: address } = client
  if (method === 'private_key_jwt' && !jwks?.keys.length && address === undefined) {
    report(at, 'private_key_jwt needs jwks or jwks_uri with the public key')
  }
  if (jwks !== undefined && address !== undefined) {
    report('jwks_uri', 'a client has jwks or jwks_uri, not both (RFC 7591 §2)')
  }
  if (address !== undefined && !isHttps(address)) {
    report('jwks_uri', `${quote(address)} is no https address without user and fragment`)
  }
  for (const [i, key] of (jwks?.keys ?? []).entries()) {
    if ('d' in key) report(['jwks', 'keys', i], 'this is a private key; register the public one')
  }
}

/** Grants and response types must fit each other (RFC 7591 §2.1). */
function checkGrants(client: ClientMetadata, report: ReportMember): void {
  const { grant_types: grants, response_types: types } = client
  if (grants !== undefined && types !== undefined) {
    for (const [i, type] of types.entries()) {
      for (const needed of neededGrants(type).filter(each => !grants.includes(each))) {
        report(['response_types', i], `${quote(type)} needs the grant type ${needed} (RFC 7591 §2.1)`)
      }
    }
  }
  const confidential = isConfidential(client)
  const effective = toClient(client).grant_types
  if (!confidential && effective.includes('client_credentials')) {
    report('grant_types', 'client_credentials is for confidential clients (RFC 6749 §4.4)')
  }
  const needsAddress = confidential
    ? effective.includes('implicit')
    : effective.includes('implicit') || effective.includes('authorization_code')
  if (needsAddress && !client.redirect_uris?.length) {
    const who = confidential ? 'a client with the implicit grant' : 'a public client'
    report('redirect_uris', `${who} needs a registered redirect_uri (RFC 6749 §3.1.2.2)`)
  }
}

function checkSector(client: ClientMetadata, report: ReportMember): void {
  const wrong = sectorProblem(client)
  if (wrong !== undefined) report(wrong.member, wrong.problem)
}

/** Takes a broken rule of one member, or of an entry in a member. */
type ReportMember = (member: string | MemberPath, problem: string) => void

/** Checks the rules between the members of a client. */
export function checkClientRules(client: ClientMetadata, path: MemberPath, report: Report): void {
  const checks = [
    checkAuthentication,
    checkCertificates,
    checkResponseAlgorithms,
    checkClientSwitches,
    checkRequestObjects,
    checkClientLogout,
    checkClientBackchannel,
    checkSector,
    checkGrants,
  ]
  const reportMember: ReportMember = (member, problem) => report([...path, ...[member].flat()], problem)
  for (const check of checks) check(client, reportMember)
}

/** Checks the members of a client about backchannel authentication (OpenID Connect CIBA Core §4). */
function checkClientBackchannel(client: ClientMetadata, report: ReportMember): void {
  const {
    backchannel_token_delivery_mode: mode,
    backchannel_client_notification_endpoint: endpoint,
    backchannel_authentication_request_signing_alg: alg,
  } = client
  if (client.grant_types?.includes(CIBA_GRANT_TYPE)) {
    if (!isConfidential(client)) {
      report('grant_types', `${CIBA_GRANT_TYPE} is for confidential clients (OpenID Connect CIBA Core §7.1)`)
    }
    if (mode === undefined) {
      report(
        'backchannel_token_delivery_mode',
        `the grant ${CIBA_GRANT_TYPE} needs it: poll or ping (OpenID Connect CIBA Core §4)`,
      )
    }
  }
  const member = 'backchannel_client_notification_endpoint'
  if (mode === 'ping' && endpoint === undefined) {
    report(member, 'the mode ping needs it (OpenID Connect CIBA Core §4)')
  }
  const problem = endpoint === undefined ? undefined : messageUriProblem(endpoint)
  if (problem !== undefined) report(member, `${quote(endpoint)}: ${problem}`)
  if (alg !== undefined && client.jwks === undefined && client.jwks_uri === undefined) {
    const signed = 'backchannel_authentication_request_signing_alg'
    report(signed, `${alg} needs jwks or jwks_uri with the public key`)
  }
}

function checkSubject(client: ClientMetadata, report: ReportMember): void {
  const given = SUBJECT_MEMBERS.filter(member => client[member] !== undefined)
  if (client.token_endpoint_auth_method !== 'tls_client_auth') {
    const problem = 'this is for clients with token_endpoint_auth_method: tls_client_auth (RFC 8705 §2.1.2)'
    for (const member of given) report(member, problem)
    return
  }
  const [first, ...others] = given
  if (first === undefined) {
    const problem = `tls_client_auth needs one of ${SUBJECT_MEMBERS.join(', ')} (RFC 8705 §2.1.2)`
    report('token_endpoint_auth_method', problem)
    return
  }
  const wrong = valueProblem(first, client[first]!)
  if (wrong !== undefined) report(first, wrong)
  for (const member of others) {
    report(member, `${first} is set too; a client has exactly one of them (RFC 8705 §2.1.2)`)
  }
}

function valueProblem(member: (typeof SUBJECT_MEMBERS)[number], value: string): string | undefined {
  switch (member) {
    case 'tls_client_auth_subject_dn': {
      const read = parseDistinguishedName(value)
      return 'problem' in read ? `${read.problem} (RFC 4514)` : undefined
    }
    case 'tls_client_auth_san_ip':
      return isIP(value) === 0 ? `${quote(value)} is no IP address` : undefined
    case 'tls_client_auth_san_uri':
      return isUrl(value) ? undefined : `${quote(value)} is no URI`
    case 'tls_client_auth_san_email':
      return /^[^@\s]+@[^@\s]+$/.test(value) ? undefined : `${quote(value)} is no mailbox`
    case 'tls_client_auth_san_dns':
      return /^[\w.-]+$/.test(value) ? undefined : `${quote(value)} is no host name`
  }
}

/** Checks the members of a client that are about certificates (RFC 8705). */
function checkCertificates(client: ClientMetadata, report: ReportMember): void {
  checkSubject(client, report)
  const { token_endpoint_auth_method: method, client_secret: secret } = client
  const isSelfSigned = method === 'self_signed_tls_client_auth'
  if (isSelfSigned && !client.jwks?.keys.length && client.jwks_uri === undefined) {
    const problem = 'needs jwks or jwks_uri with the public key of the certificate'
    report('token_endpoint_auth_method', `self_signed_tls_client_auth ${problem}`)
  }
  if (secret !== undefined && (method === 'tls_client_auth' || isSelfSigned)) {
    report('client_secret', `a client with ${method} uses no secret`)
  }
  if (client.tls_client_certificate_bound_access_tokens && grantsFrontChannelTokens(client)) {
    const problem = 'a token of the authorization endpoint cannot be bound to a certificate (RFC 8705 §6.4)'
    report('tls_client_certificate_bound_access_tokens', problem)
  }
}

function checkClientLogout(client: ClientMetadata, report: ReportMember): void {
  for (const channel of ['backchannel', 'frontchannel'] as const) {
    const [uriName, neededName] = [`${channel}_logout_uri`, `${channel}_logout_session_required`] as const
    const uri = client[uriName]
    if (uri === undefined) {
      if (client[neededName] !== undefined) report(neededName, `it needs ${uriName}`)
      continue
    }
    const problem = messageUriProblem(uri)
    if (problem !== undefined) report(uriName, `${quote(uri)}: ${problem}`)
    else if (channel === 'frontchannel' && !isOnOriginOf(uri, client.redirect_uris ?? [])) {
      const rule = 'OpenID Connect Front-Channel Logout §2'
      report(uriName, `${quote(uri)} is not on the scheme, host and port of a redirect_uri (${rule})`)
    }
  }
}

/** Checks that a client can make the request objects that it is registered for. */
function checkRequestObjects(client: ClientMetadata, report: ReportMember): void {
  const {
    request_object_signing_alg: alg,
    request_object_encryption_alg: wrap,
    request_object_encryption_enc: enc,
    require_signed_request_object: isRequired,
  } = client
  const hasKeys = client.jwks !== undefined || client.jwks_uri !== undefined
  if (alg === 'HS256' && !canKeyHs256(client)) {
    report('request_object_signing_alg', 'HS256 needs a client_secret of 32 bytes or more (RFC 7518 §3.2)')
  } else if (alg !== undefined && alg !== 'HS256' && alg !== 'none' && !hasKeys) {
    report('request_object_signing_alg', `${alg} needs jwks or jwks_uri with the public key`)
  }
  if (isRequired && alg === 'none') {
    report('require_signed_request_object', 'request_object_signing_alg none is no signature')
  } else if (isRequired && !hasKeys && !canKeyHs256(client)) {
    const means = 'jwks, jwks_uri or a client_secret of 32 bytes or more'
    report('require_signed_request_object', `the client needs ${means} to sign request objects`)
  }
  if (wrap === 'dir' && client.client_secret === undefined) {
    report('request_object_encryption_alg', 'dir needs a client_secret (OpenID Connect Core §10.2)')
  }
  if (enc !== undefined && wrap === undefined) {
    report(
      'request_object_encryption_enc',
      'it needs request_object_encryption_alg beside it (OpenID Connect Registration §2)',
    )
  }
  for (const [i, uri] of (client.request_uris ?? []).entries()) {
    const isHttps = isUrl(uri) && new URL(uri).protocol === 'https:'
    if (!isHttps || uri.length > 512) {
      report(
        ['request_uris', i],
        'a request_uri is an https address of at most 512 characters (OpenID Connect Core §6.2)',
      )
    }
  }
}

/** Checks that a client has the keys and secrets that its registered algorithms need. */
function checkResponseAlgorithms(client: ClientMetadata, report: ReportMember): void {
  const { jwks, jwks_uri: address, client_secret: secret } = client
  for (const kind of RESPONSE_KINDS) {
    const { alg, encryption } = registeredAlgorithms(client, kind)
    const at = (member: string) => `${kind}_${member}`
    if (alg === 'HS256' && !canKeyHs256(client)) {
      report(at('signed_response_alg'), 'HS256 needs a client_secret of 32 bytes or more (RFC 7518 §3.2)')
    }
    if (client[`${kind}_encrypted_response_enc`] !== undefined && encryption === undefined) {
      report(
        at('encrypted_response_enc'),
        `it needs ${kind}_encrypted_response_alg beside it (OpenID Connect Registration §2)`,
      )
    }
    if (encryption === undefined) continue
    const { alg: wrap } = encryption
    const where = at('encrypted_response_alg')
    if (wrap === 'dir') {
      if (secret === undefined) report(where, 'dir needs a client_secret (OpenID Connect Core §10.2)')
    } else if (jwks === undefined && address === undefined) {
      report(where, `${wrap} needs jwks or jwks_uri with a public key to encrypt to`)
    } else if (jwks !== undefined && encryptionKey(jwks as unknown as JwkSet, wrap) === undefined) {
      const kty = wrap.startsWith('RSA') ? 'of type RSA' : 'of type EC, or X25519'
      report(
        where,
        `no key of jwks can be used for ${wrap}: it needs a key ${kty} whose use is enc or absent`,
      )
    }
  }
}

/** Checks that the switches of a client fit the rest of it. */
function checkClientSwitches(client: ClientMetadata, report: ReportMember): void {
  const { dpop_bound_access_tokens: proofs, tls_client_certificate_bound_access_tokens: certificates } =
    client
  if (proofs && certificates) {
    report(
      'dpop_bound_access_tokens',
      'tokens of this client are bound to its certificate already, and a token has one binding',
    )
  }
  if (proofs && grantsFrontChannelTokens(client)) {
    report(
      'dpop_bound_access_tokens',
      'a token of the authorization endpoint cannot be bound to a key (RFC 9449 §5.2)',
    )
  }
  if (client.refresh_token_rotation === 'off' && !isConfidential(client) && !proofs && !certificates) {
    report(
      'refresh_token_rotation',
      'off is for clients with credentials, and for tokens that are bound to a key: nobody would notice the theft of this refresh token (RFC 9700 §4.14.2)',
    )
  }
}

/** True for a client that is registered for access tokens through the browser. The types of the grant implicit include one. */
function grantsFrontChannelTokens({ grant_types: grants = [], response_types: types }: ClientMetadata) {
  return types?.some(each => each.split(' ').includes('token')) ?? grants.includes('implicit')
}
