/**
 * The places of each rule in the sources: a line a rule, its parts separated by bars. A part is a side of the program,
 * with its errors, events and checks; or `in` a side, with the files whose comments name the rule. `npm run docs`
 * writes this file.
 */
export const PLACES = `
draft-ietf-oauth-v2-http-mac-00 §3.1 | resource server: age, invalid_request, nonce
draft-ietf-oauth-v2-http-mac-00 §3.2 | resource server: bodyhash
draft-ietf-oauth-v2-http-mac-00 §3.3 | resource server: mac
draft-ietf-oauth-v2-http-mac-00 §3.3.1 | resource server: host
draft-ietf-oauth-v2-http-mac-00 §4 | resource server | client: refused, replay_accepted
draft-ietf-oauth-v2-http-mac-00 §5.1 | authorization server | client: invalid_response | either side: invalid_response, mac_key, unsupported_token_type
OAuth 2.0 Multiple Response Type Encoding Practices §2.1 | authorization server: invalid_request
OAuth 2.0 Multiple Response Type Encoding Practices §3.0 | authorization server: invalid_request
OpenID Connect Core §2 | client | demo client: invalid_token | either side: sub | in authorization server: id-token
OpenID Connect Core §3.1.2.1 | authorization server: invalid_request | client: nonce
OpenID Connect Core §3.1.2.2 | authorization server: login_required
OpenID Connect Core §3.1.2.3 | in authorization server: sign-on
OpenID Connect Core §3.1.2.4 | authorization server
OpenID Connect Core §3.1.2.5 | in authorization server: authorization-answer
OpenID Connect Core §3.1.2.6 | authorization server: consent_required, login_required | in either side: error-codes
OpenID Connect Core §3.1.3.3 | client | demo client: invalid_token
OpenID Connect Core §3.1.3.7 | either side: azp, nonce | in client: verify-tokens | in demo client: code-grant, defences
OpenID Connect Core §3.1.3.8 | either side: at_hash
OpenID Connect Core §3.2.2.1 | authorization server: invalid_request
OpenID Connect Core §3.2.2.5 | either side: invalid_response | in authorization server: authorization-answer
OpenID Connect Core §3.2.2.9 | client: at_hash
OpenID Connect Core §3.3.2.11 | in resource server: claim-checks
OpenID Connect Core §5.1 | in demo client: person
OpenID Connect Core §5.3 | in authorization server: userinfo
OpenID Connect Core §5.3.2 | demo client: invalid_response, sub | either side: sub, subject_mismatch
OpenID Connect Core §5.3.3 | either side: invalid_response
OpenID Connect Core §5.4 | in authorization server: id-token, settings, token-issuer, user-claims
OpenID Connect Core §5.5 | authorization server: invalid_request
OpenID Connect Core §5.5.1 | in authorization server: claims-request, sign-on
OpenID Connect Core §5.5.1.1 | authorization server: access_denied
OpenID Connect Core §5.7 | in demo client: defences, person
OpenID Connect Core §9 | in either side: client-assertion
OpenID Connect Core §10.1 | in authorization server: id-token-key | in client: verify-tokens
OpenID Connect Core §11 | authorization server: invalid_scope
OpenID Connect Core §12.2 | client
OpenID Connect Discovery §3 | client: id_token_alg, userinfo | in authorization server: publication | in either side: metadata
OpenID Connect Discovery §4 | cluster | in resource server: published-keys | in either side: metadata
OpenID Connect RP-Initiated Logout §2 | authorization server: invalid_request | in demo client: server
RFC 3986 §2 | authorization server
RFC 6585 §4 | authorization server
RFC 6749 §1.4 | in client: options, verify-tokens
RFC 6749 §1.5 | client: no_refresh_token
RFC 6749 §2.1 | in either side: client
RFC 6749 §2.3 | authorization server: invalid_request | in either side: client-auth
RFC 6749 §2.3.1 | authorization server: invalid_request | in either side: client-auth, token
RFC 6749 §3.1 | authorization server: invalid_request, login.failed | client: unknown_page | demo client | either side: invalid_response | in lab: issuer-address, request-parameters
RFC 6749 §3.1.1 | authorization server: invalid_request, unsupported_response_type
RFC 6749 §3.1.2 | authorization server | in either side: redirect-uri
RFC 6749 §3.1.2.3 | authorization server | in either side: redirect-uri
RFC 6749 §3.2 | authorization server: invalid_request | in client: discovery, metadata-checks, token-step | in lab: issuer-address, request-parameters | in either side: form
RFC 6749 §3.2.1 | authorization server: invalid_client | in either side: client
RFC 6749 §3.3 | authorization server: invalid_scope | client: invalid_response, scope | in either side: scope
RFC 6749 §4.1 | client: login_cancelled, login_failed | in demo client: code-grant
RFC 6749 §4.1.1 | in either side: authorization
RFC 6749 §4.1.2 | authorization server: code.replayed, invalid_grant | client: invalid_response | either side: invalid_response
RFC 6749 §4.1.2.1 | authorization server: access_denied, invalid_request, server_error, unauthorized_client | client: error_page, sent_elsewhere, unknown_page | either side
RFC 6749 §4.1.3 | authorization server: invalid_grant, invalid_request | in demo client: code-grant | in either side: token
RFC 6749 §4.2 | in authorization server: consents | in client: callback-page, implicit, plan-parts
RFC 6749 §4.2.2 | either side: fragment, invalid_response | in authorization server: authorization-answer, authorization-response
RFC 6749 §4.2.2.1 | in authorization server: authorization-response | in either side: error-codes
RFC 6749 §4.3 | in authorization server: password | in client: login, password, ports
RFC 6749 §4.3.1 | client: login_cancelled
RFC 6749 §4.3.2 | authorization server: invalid_grant, invalid_request
RFC 6749 §4.4 | authorization server: invalid_scope, unauthorized_client | in client: client-credentials
RFC 6749 §4.4.3 | client: refresh_token
RFC 6749 §5.1 | either side: content_type, expires_in, invalid_response, no_store, status | in authorization server: client-endpoint | in client: granted-scope
RFC 6749 §5.2 | authorization server: invalid_grant, invalid_request, unauthorized_client, unsupported_grant_type | client: refused | either side: invalid_response
RFC 6749 §6 | authorization server: invalid_grant, invalid_request, invalid_scope | client: rotation
RFC 6749 §7 | client: no_resource
RFC 6749 §7.1 | authorization server | either side: token_type
RFC 6749 §10.2 | authorization server
RFC 6749 §10.10 | in lab: lab-file-remarks
RFC 6749 §10.11 | client: foreign_login_form
RFC 6749 §10.12 | authorization server | client: state | demo client: state_mismatch | either side: state, state_mismatch
RFC 6749 §10.16 | demo client: invalid_response
RFC 6749 Appendix B | authorization server: invalid_request | demo client
RFC 6750 §2 | authorization server: invalid_request | resource server: invalid_request | in either side: token-places
RFC 6750 §2.1 | authorization server: invalid_request | resource server: invalid_request | client: accepted, invalid_response | in demo client: code-grant | in cluster: access | in either side: bearer
RFC 6750 §2.2 | authorization server | resource server
RFC 6750 §2.3 | authorization server | resource server
RFC 6750 §3 | client: challenge, no_token_seen | in authorization server: userinfo | in resource server: answers | in either side: bearer
RFC 6750 §3.1 | authorization server: insufficient_scope, invalid_token | resource server: insufficient_scope | client | in either side: error-codes, rule-uri
RFC 6750 §5.3 | in client: resource-metadata
RFC 7009 §2.1 | authorization server: invalid_grant, invalid_request
RFC 7009 §2.2 | in authorization server: revocation
RFC 7009 §3 | resource server: revocation
RFC 7515 §4.1.4 | cluster
RFC 7515 §4.1.11 | either side: signature
RFC 7515 §5.2 | cluster | either side: signature | in resource server: defences
RFC 7517 §5 | resource server | either side: invalid_response
RFC 7518 §3.1 | cluster | in either side: key-algorithms
RFC 7518 §3.3 | in either side: key-algorithms
RFC 7519 §2 | either side: unit | in authorization server: id-token, token-issuer, tokens
RFC 7519 §4.1.1 | either side: iss
RFC 7519 §4.1.3 | resource server: aud | either side: aud | cluster
RFC 7519 §4.1.4 | cluster | either side: exp | authorization server: invalid_dpop_proof | resource server: invalid_dpop_proof
RFC 7519 §4.1.5 | either side: nbf | authorization server: invalid_dpop_proof | resource server: invalid_dpop_proof | cluster
RFC 7519 §4.1.6 | either side: iat | cluster
RFC 7519 §4.1.7 | authorization server
RFC 7519 §7.2 | authorization server: invalid_token | resource server | in client: verify-tokens
RFC 7521 §3 | client: no_assertion_issuer | in lab: built-in-assertion-issuer
RFC 7521 §4.1 | authorization server: invalid_request, invalid_scope | in client: assertion
RFC 7521 §5.2 | in authorization server: assertion | in either side: replay-guard
RFC 7522 §2.1 | authorization server | in client: saml-assertion
RFC 7522 §3 | authorization server: invalid_grant | in client: saml-assertion
RFC 7523 §2.1 | in authorization server: assertions, jwt
RFC 7523 §2.2 | in authorization server: jwt | in either side: client-auth
RFC 7523 §3 | authorization server: invalid_client, invalid_grant | in lab: assertion-maker | in either side: client-assertion
RFC 7591 §2 | authorization server | in lab: config-entries | in either side: client
RFC 7591 §2.1 | in lab: config-entries, lab-file-checks
RFC 7617 §2 | authorization server: invalid_client | in either side: address, client-auth
RFC 7636 §4.1 | authorization server: invalid_grant | in demo client: defences | in either side: pkce
RFC 7636 §4.2 | in either side: pkce
RFC 7636 §4.3 | client: pkce | in either side: authorization
RFC 7636 §4.4.1 | authorization server: invalid_request
RFC 7636 §4.5 | in demo client: code-grant
RFC 7636 §4.6 | authorization server: invalid_grant | client: pkce | in either side: pkce
RFC 7662 §2.1 | authorization server: invalid_client, invalid_request | resource server
RFC 7662 §2.2 | resource server: revocation
RFC 7662 §2.3 | resource server | in authorization server: client-endpoint
RFC 7662 §4 | in authorization server: introspection
RFC 7800 §3.1 | resource server
RFC 8252 §7.3 | in client: callback-listener | in lab: client-identity, seeded-ports | in either side: redirect-uri
RFC 8252 §8.3 | in client: callback-listener | in lab: client-identity | in either side: redirect-uri
RFC 8252 §8.6 | authorization server | in either side: client
RFC 8259 §8.1 | resource server: invalid_request
RFC 8414 §2 | resource server | client: https, invalid_metadata, jwks_uri, metadata, response_types, token_endpoint, unsupported_response_type | demo client: invalid_metadata | either side: invalid_metadata | in authorization server: defences, publication | in lab: issuer-address
RFC 8414 §3 | resource server | client: invalid_metadata
RFC 8414 §3.1 | in either side: metadata
RFC 8414 §3.2 | resource server | client: invalid_metadata
RFC 8414 §3.3 | client: issuer | either side: invalid_metadata, issuer_mismatch
RFC 8628 §3.1 | authorization server: invalid_request, unauthorized_client
RFC 8628 §3.2 | client: invalid_response, user_code | in either side: device
RFC 8628 §3.3 | authorization server: invalid_request, user_code.refused | client
RFC 8628 §3.4 | authorization server: invalid_request | in either side: device
RFC 8628 §3.5 | authorization server: access_denied, authorization_pending, expired_token, invalid_grant, slow_down | client: expired_token | in either side: error-codes
RFC 8628 §5.1 | authorization server: user_code.refused
RFC 8628 §5.4 | in authorization server: defences, device-pages
RFC 8693 §1.1 | client
RFC 8693 §2.1 | authorization server: invalid_request, invalid_scope | in client: options
RFC 8693 §2.2.1 | client: invalid_response, issued_token_type | in authorization server: model, token-issuer
RFC 8693 §2.2.2 | authorization server: invalid_request, invalid_target
RFC 8693 §4.1 | authorization server: invalid_request
RFC 8693 §5 | client: exp
RFC 8707 §2 | authorization server: invalid_target | either side: aud | in client: options, verify-tokens | in lab: flow-options, resource-server
RFC 8707 §2.2 | authorization server: invalid_target
RFC 8725 §3.1 | in resource server: defences, key-source | in either side: verify
RFC 8725 §3.2 | either side
RFC 8725 §3.10 | either side
RFC 8725 §3.12 | resource server: use
RFC 8878 §3.1 | compression
RFC 9068 §2.2 | in authorization server: client-credentials
RFC 9068 §2.2.3 | in resource server: claim-checks
RFC 9068 §4 | authorization server: invalid_token | resource server: typ
RFC 9101 §4 | in authorization server: authorization-parameters
RFC 9101 §6.1 | in either side: error-codes
RFC 9110 §8.4 | compression: body, content_type, double_coded, status, unlabelled | in client: content-coding
RFC 9110 §8.4.1 | compression: savings | in either side: negotiation
RFC 9110 §8.4.1.2 | compression | in client: content-coding
RFC 9110 §8.6 | compression: head_length | in lab: http-adapter
RFC 9110 §8.8.1 | compression: etag
RFC 9110 §9.3 | compression: answer
RFC 9110 §9.3.2 | compression: head
RFC 9110 §12.5.3 | compression: not_offered, refused, unasked, weight_zero | in client: offer-codings | in either side: negotiation
RFC 9110 §12.5.5 | compression: vary, vary_raw
RFC 9110 §13.1.2 | compression: if_none_match | in either side: published-json
RFC 9110 §14.2 | compression: range
RFC 9110 §15.4 | client: invalid_response
RFC 9110 §15.4.5 | compression
RFC 9110 §15.5.1 | demo client
RFC 9110 §15.5.10 | demo client
RFC 9110 §15.5.14 | authorization server: invalid_request | resource server: content_too_large | demo client
RFC 9110 §15.5.16 | resource server: invalid_request | demo client
RFC 9110 §15.6.1 | resource server: server_error
RFC 9110 §15.6.4 | authorization server: temporarily_unavailable | demo client
RFC 9112 §6.1 | compression
RFC 9112 §6.3 | compression: length
RFC 9126 §2 | authorization server: invalid_request
RFC 9126 §2.1 | authorization server: invalid_request
RFC 9126 §2.2 | client: expires_in, invalid_response, request_uri, status | in authorization server: pushed-requests
RFC 9126 §4 | authorization server: invalid_request, invalid_request_uri | in either side: authorization, error-codes
RFC 9207 §2 | in authorization server: authorization-response, defences
RFC 9207 §2.4 | either side: iss, issuer_mismatch | in demo client: defences
RFC 9207 §3 | client: iss_promised | in either side: authorization
RFC 9207 §4 | either side: iss
RFC 9449 §2 | in either side: dpop
RFC 9449 §4.2 | in either side: dpop, dpop-verify
RFC 9449 §4.3 | authorization server: invalid_dpop_proof | resource server: invalid_dpop_proof | in either side: dpop-verify
RFC 9449 §5 | authorization server: invalid_grant | either side: token_type
RFC 9449 §6 | in authorization server: model
RFC 9449 §6.1 | client: cnf | in authorization server: access-tokens | in resource server: access-token
RFC 9449 §7.1 | authorization server: invalid_dpop_proof, invalid_request, invalid_token | resource server: cnf, invalid_dpop_proof, invalid_request | in either side: bearer, error-codes
RFC 9449 §7.2 | authorization server: invalid_token | resource server
RFC 9449 §8 | client: dpop_nonce | authorization server: use_dpop_nonce | resource server: use_dpop_nonce | in lab: config | in either side: dpop-nonces, error-codes
RFC 9449 §8.2 | in authorization server: dpop
RFC 9449 §10 | authorization server: invalid_grant, invalid_request
RFC 9449 §10.1 | authorization server: invalid_dpop_proof
RFC 9449 §11.1 | authorization server: invalid_dpop_proof | resource server: invalid_dpop_proof | in either side: replay-guard
RFC 9700 §2.1.1 | authorization server: invalid_grant | client: pkce
RFC 9700 §2.1.2 | in client: implicit
RFC 9700 §2.2.2 | client: refused, sender
RFC 9700 §2.4 | in client: password
RFC 9700 §2.6 | authorization server | in either side: redirect-uri
RFC 9700 §4.1.3 | authorization server | in either side: redirect-uri
RFC 9700 §4.2.4 | in authorization server: defences
RFC 9700 §4.3.2 | demo client
RFC 9700 §4.4.2 | demo client
RFC 9700 §4.4.2.2 | demo client: issuer_mismatch
RFC 9700 §4.5.3.1 | in demo client: weak-defences
RFC 9700 §4.7.1 | in demo client: weak-defences
RFC 9700 §4.11.1 | demo client
RFC 9700 §4.12 | client: invalid_response
RFC 9700 §4.14 | in client: refresh
RFC 9700 §4.14.2 | authorization server: invalid_grant, refresh_token.reused | client: refused, rotation
RFC 9700 §4.15 | in lab: lab-file-checks
RFC 9700 §4.16 | in authorization server: defences
RFC 9701 §4 | in authorization server: introspection | in resource server: introspection
RFC 9701 §5 | resource server | in authorization server: introspection
RFC 9728 §2 | client: authorization_servers, issuer_mismatch | in authorization server: settings | in resource server: publication | in lab: resource-server
RFC 9728 §3 | in authorization server: events | in resource server: publication
RFC 9728 §3.1 | in lab: trusted-resources
RFC 9728 §3.2 | client
RFC 9728 §3.3 | client: resource, resource_mismatch
RFC 9728 §4 | in authorization server: settings | in lab: flow-options | in either side: metadata
RFC 9728 §5 | in client: resource
SAML 2.0 Core §1.3.3 | authorization server
SAML 2.0 Core §2.5.1.1 | authorization server
SAML 2.0 Profiles §4.1.4.2 | authorization server
XMLDSig §3.2 | authorization server
`
