import type { TokenEndpointAuthMethod } from '../../protocol/oauth/client.js'

/** Another server that commands reach by its name: `--at NAME`. Paths are relative to the lab file. */
export interface ServerEntry {
  /** Its discovery document is read, unless a metadata file, an authorization endpoint or a token endpoint is named. */
  readonly issuer?: string
  /** JSON of its metadata (RFC 8414 §2). */
  readonly metadata_file?: string
  readonly authorization_endpoint?: string
  readonly token_endpoint?: string
  readonly jwks_uri?: string
  readonly userinfo_endpoint?: string
  readonly revocation_endpoint?: string
  readonly introspection_endpoint?: string
  readonly device_authorization_endpoint?: string
  readonly pushed_authorization_request_endpoint?: string
  readonly end_session_endpoint?: string
  readonly registration_endpoint?: string
  /** A JWK Set with its keys, in place of published ones. */
  readonly jwks_file?: string
  /** A client that is registered there. */
  readonly client_id?: string
  readonly client_secret?: string
  readonly client_secret_file?: string
  /** Default: as the server supports. */
  readonly auth?: TokenEndpointAuthMethod
  /** The private key for `private_key_jwt`. */
  readonly client_key_file?: string
  /** A client certificate, PEM. */
  readonly cert_file?: string
  /** Its private key, PEM. */
  readonly cert_key_file?: string
  /** The CA that signed the certificate of the server. */
  readonly ca_file?: string
  readonly redirect_uri?: string
  readonly post_logout_redirect_uri?: string
  readonly scope?: string
  /** A protected resource that accepts its tokens. */
  readonly resource?: string
}
