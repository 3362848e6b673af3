import { z } from 'zod'
import { isUrl } from '../../protocol/http/address.js'
import { extraHeaderProblem, isFieldName, isLoopbackUrl } from '../../protocol/http/message.js'
import { CLIENT_AUTHENTICATION, oneOf, optionalText, scopeValue, text } from './members.js'

/** May receive secrets, codes and tokens (RFC 6749 §3.1, §3.2). */
function isTrustworthy(value: string): boolean {
  if (!isUrl(value) || !/^https?:\/\//i.test(value)) return false
  return /^https:/i.test(value) || isLoopbackUrl(value)
}

const address = z.string().refine(isTrustworthy, {
  error: 'write an absolute https address; http is for servers on this computer (RFC 6749 §3.1, §3.2)',
})

/** Members of its metadata (RFC 8414 §2). */
const endpoints = {
  authorization_endpoint: address.optional(),
  token_endpoint: address.optional(),
  jwks_uri: address.optional(),
  userinfo_endpoint: address.optional(),
  revocation_endpoint: address.optional(),
  introspection_endpoint: address.optional(),
  device_authorization_endpoint: address.optional(),
  pushed_authorization_request_endpoint: address.optional(),
  end_session_endpoint: address.optional(),
  registration_endpoint: address.optional(),
  backchannel_authentication_endpoint: address.optional(),
}

/** By name, for each request. */
const headers = z
  .record(
    z.string().refine(isFieldName, { error: 'that is no name of a header field (RFC 9110 §5.1)' }),
    z.string(),
  )
  .superRefine((fields, context) => {
    for (const [name, value] of Object.entries(fields)) {
      const message = extraHeaderProblem(name, value)
      if (message !== undefined) context.addIssue({ code: 'custom', path: [name], message })
    }
  })

const server = z.strictObject({
  issuer: address.optional().describe('Its discovery document is read, unless endpoints are named here'),
  metadata_file: optionalText('JSON of its metadata (RFC 8414 §2), relative to this file'),
  ...endpoints,
  jwks_file: optionalText('JWK Set with its keys, relative to this file'),
  client_id: optionalText('Client that is registered there'),
  client_secret: text.optional(),
  client_secret_file: optionalText('File with the secret, relative to this file'),
  auth: oneOf(CLIENT_AUTHENTICATION, 'How the client authenticates; default: as the server supports'),
  client_key_file: optionalText('Private key for private_key_jwt, relative to this file'),
  cert_file: optionalText('Client certificate in PEM, relative to this file'),
  cert_key_file: optionalText('Its private key in PEM, relative to this file'),
  ca_file: optionalText('CA that signed the certificate of the server, relative to this file'),
  headers: headers.optional().describe('Header fields for each request to it, such as X-Api-Key'),
  redirect_uri: optionalText('Registered address for answers'),
  post_logout_redirect_uri: optionalText('Registered address for the end of a logout'),
  scope: scopeValue.optional(),
  resource: address.optional().describe('Protected resource that accepts its tokens'),
})

/** Servers that commands reach by name: `--at NAME`. */
export const namedServers = z.record(
  z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/, {
    error: 'the name of a server has letters, digits, and . _ - behind the first one',
  }),
  server.describe('Another server that commands reach by its name: --at NAME'),
)

export type ServerEntry = z.infer<typeof server>
