import { isIP } from 'node:net'
import { isUrl } from '../../../protocol/http/address.js'
import { parseDistinguishedName } from '../../../protocol/oauth/distinguished-name.js'
import { quote } from '../../../protocol/values.js'
import { SUBJECT_MEMBERS } from '../certificates/registered-subject.js'
import type { ClientMetadata } from './model.js'

/** A problem of a member of a client. */
export interface CertificateEntryProblem {
  readonly field: readonly string[]
  readonly problem: string
}

function subjectProblems(client: ClientMetadata): CertificateEntryProblem[] {
  const given = SUBJECT_MEMBERS.filter(member => client[member] !== undefined)
  const [first] = given
  if (client.token_endpoint_auth_method !== 'tls_client_auth') {
    return given.map(member => ({
      field: [member],
      problem: 'this is for clients with token_endpoint_auth_method: tls_client_auth (RFC 8705 §2.1.2)',
    }))
  }
  if (first === undefined) {
    const problem = `tls_client_auth needs one of ${SUBJECT_MEMBERS.join(', ')} (RFC 8705 §2.1.2)`
    return [{ field: ['token_endpoint_auth_method'], problem }]
  }
  const others = given.slice(1).map(member => ({
    field: [member],
    problem: `${first} is set too; a client has exactly one of them (RFC 8705 §2.1.2)`,
  }))
  const wrong = valueProblem(first, client[first]!)
  return wrong === undefined ? others : [{ field: [first], problem: wrong }, ...others]
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

/** Returns the problems of the members of a client that are about certificates (RFC 8705). */
export function certificateProblems(client: ClientMetadata): CertificateEntryProblem[] {
  const problems = subjectProblems(client)
  const method = client.token_endpoint_auth_method
  if (
    method === 'self_signed_tls_client_auth' &&
    !client.jwks?.keys.length &&
    client.jwks_uri === undefined
  ) {
    const problem =
      'self_signed_tls_client_auth needs jwks or jwks_uri with the public key of the certificate'
    problems.push({ field: ['token_endpoint_auth_method'], problem })
  }
  if (
    client.client_secret !== undefined &&
    (method === 'tls_client_auth' || method === 'self_signed_tls_client_auth')
  ) {
    problems.push({ field: ['client_secret'], problem: `a client with ${method} uses no secret` })
  }
  const grants = client.grant_types ?? []
  const tokenTypes = (client.response_types ?? []).some(each => each.split(' ').includes('token'))
  if (client.tls_client_certificate_bound_access_tokens && (grants.includes('implicit') || tokenTypes)) {
    const problem = 'a token of the authorization endpoint cannot be bound to a certificate (RFC 8705 §6.4)'
    problems.push({ field: ['tls_client_certificate_bound_access_tokens'], problem })
  }
  return problems
}
