/**
 * The places of each rule in the sources: a line a rule, its parts separated by bars. A part is a side of the program,
 * with its errors, events and checks; or `in` a side whose comments name the rule. `npm run docs`
 * writes this file.
 */
export const PLACES = `
draft-ietf-oauth-rfc7523bis §4 | authorization server
draft-ietf-oauth-v2-1 §1.8 | authorization server
draft-ietf-oauth-v2-1 §2.3.1 | authorization server
draft-ietf-oauth-v2-1 §4.1.1 | authorization server
draft-ietf-oauth-v2-1 §5.1 | authorization server
draft-ietf-oauth-v2-1 §10.1 | authorization server
draft-ietf-oauth-v2-http-mac-00 §3.1 | resource server: age, invalid_request, nonce
draft-ietf-oauth-v2-http-mac-00 §3.2 | resource server: bodyhash
draft-ietf-oauth-v2-http-mac-00 §3.3 | resource server: mac
draft-ietf-oauth-v2-http-mac-00 §3.3.1 | resource server: host
draft-ietf-oauth-v2-http-mac-00 §4 | resource server | client: refused, replay_accepted
draft-ietf-oauth-v2-http-mac-00 §5.1 | authorization server | client: invalid_response | either side: invalid_response, mac_key, unsupported_token_type
OAuth 2.0 Multiple Response Type Encoding Practices §2.1 | authorization server: invalid_request
OAuth 2.0 Multiple Response Type Encoding Practices §3.0 | authorization server: invalid_request
OpenID Connect Back-Channel Logout §2.5 | demo client
OpenID Connect Back-Channel Logout §2.6 | demo client: age, alg, demo_client.logout_refused, events, invalid_token, jti, nonce, typ
OpenID Connect Back-Channel Logout §2.7 | client: refresh_token
OpenID Connect Back-Channel Logout §2.8 | authorization server: logout_token.failed
OpenID Connect CIBA Core §4 | in authorization server | in either side
OpenID Connect CIBA Core §7 | in authorization server
OpenID Connect CIBA Core §7.1 | authorization server: invalid_request, invalid_scope, unauthorized_client | client: binding_message, invalid_request | in lab
OpenID Connect CIBA Core §7.1.1 | authorization server: invalid_request, request_object.accepted
OpenID Connect CIBA Core §7.3 | client: auth_req_id, auth_req_id_characters, auth_req_id_entropy, invalid_response | in authorization server | in either side
OpenID Connect CIBA Core §8 | authorization server: invalid_request | client: unknown_page
OpenID Connect CIBA Core §9 | client: bearer
OpenID Connect CIBA Core §10.1 | authorization server | in either side
OpenID Connect CIBA Core §10.2 | authorization server: ciba_ping.failed | client: auth_req_id, content_type, foreign_pings, ping
OpenID Connect CIBA Core §11 | authorization server | client
OpenID Connect CIBA Core §13 | authorization server: invalid_binding_message, unauthorized_client, unknown_user_id | client: invalid_response | in either side
OpenID Connect Core §2 | client: invalid_token | demo client: invalid_token | either side: sub | in authorization server
OpenID Connect Core §3.1.2.1 | authorization server: invalid_request | client: auth_time, nonce, session, unknown_page | in either side
OpenID Connect Core §3.1.2.2 | authorization server: login_required
OpenID Connect Core §3.1.2.3 | in authorization server
OpenID Connect Core §3.1.2.4 | authorization server
OpenID Connect Core §3.1.2.5 | in authorization server
OpenID Connect Core §3.1.2.6 | authorization server: consent_required, interaction_required, login_required, registration_not_supported | client: session_ended, unknown_page | in either side
OpenID Connect Core §3.1.3.3 | client: invalid_token | demo client: invalid_token
OpenID Connect Core §3.1.3.7 | client: acr, alg, auth_time, iss, keys | either side: azp, nonce | in demo client
OpenID Connect Core §3.1.3.8 | either side: at_hash
OpenID Connect Core §3.2.2.1 | authorization server: invalid_request
OpenID Connect Core §3.2.2.5 | either side: invalid_response | in authorization server
OpenID Connect Core §3.2.2.9 | client: at_hash
OpenID Connect Core §3.2.2.11 | in client
OpenID Connect Core §3.3.2.5 | client: invalid_response | in authorization server | in either side
OpenID Connect Core §3.3.2.10 | either side: c_hash
OpenID Connect Core §3.3.2.11 | authorization server: invalid_request | in resource server | in either side
OpenID Connect Core §3.3.2.12 | in client
OpenID Connect Core §3.3.3.6 | client: same_login, subject_mismatch
OpenID Connect Core §4 | in either side
OpenID Connect Core §5.1 | in demo client
OpenID Connect Core §5.3 | in authorization server
OpenID Connect Core §5.3.1 | in authorization server
OpenID Connect Core §5.3.2 | client: invalid_response | demo client: invalid_response, sub | either side: sub, subject_mismatch | in authorization server
OpenID Connect Core §5.3.3 | either side: invalid_response
OpenID Connect Core §5.3.4 | client: alg, invalid_response
OpenID Connect Core §5.4 | in authorization server
OpenID Connect Core §5.5 | authorization server: invalid_request | in client | in lab
OpenID Connect Core §5.5.1 | client: sub | in authorization server
OpenID Connect Core §5.5.1.1 | authorization server: unmet_authentication_requirements | in client
OpenID Connect Core §5.6.2 | client: claims_source, invalid_metadata, no_response | in authorization server
OpenID Connect Core §5.7 | in demo client
OpenID Connect Core §6 | in client
OpenID Connect Core §6.1 | authorization server: invalid_request_object | in either side
OpenID Connect Core §6.2 | authorization server: invalid_request_uri
OpenID Connect Core §6.3.2 | authorization server: alg
OpenID Connect Core §6.3.3 | authorization server: request_object.accepted
OpenID Connect Core §8.1 | authorization server: sector_document.failed, unauthorized_client | in either side
OpenID Connect Core §9 | in authorization server | in either side
OpenID Connect Core §10 | in authorization server
OpenID Connect Core §10.1 | in authorization server | in client | in either side
OpenID Connect Core §10.2 | authorization server: invalid_request | client: invalid_metadata, invalid_response | in either side
OpenID Connect Core §10.2.1 | in lab | in either side
OpenID Connect Core §11 | authorization server: invalid_scope
OpenID Connect Core §12.2 | client
OpenID Connect Discovery §3 | client: id_token_alg, invalid_token, userinfo | in authorization server | in either side
OpenID Connect Discovery §4 | cluster: discovery, keys | in resource server | in client | in either side
OpenID Connect Front-Channel Logout §2 | authorization server | client: frame | demo client
OpenID Connect Registration §2 | authorization server | in lab | in either side
OpenID Connect Registration §5 | authorization server: invalid_client_metadata
OpenID Connect RP-Initiated Logout §2 | authorization server: invalid_request | client: id_token_hint, invalid_response, logout_hint, session_ended, state, state_mismatch, still_logged_in, ui_locales, unknown_page | in demo client | in either side
OpenID Connect RP-Initiated Logout §2.1 | client: end_session_endpoint, invalid_metadata
OpenID Connect RP-Initiated Logout §3 | client: post_logout_redirect_uri, return
RFC 3986 §2 | authorization server
RFC 6238 §5.2 | authorization server | client: login_failed | in lab | in either side
RFC 6585 §4 | authorization server
RFC 6749 §1.4 | in client
RFC 6749 §1.5 | client: no_refresh_token
RFC 6749 §2.1 | in either side
RFC 6749 §2.3 | authorization server: invalid_request | in either side
RFC 6749 §2.3.1 | authorization server: invalid_request | in either side
RFC 6749 §3.1 | authorization server: invalid_request, login.failed | client: unknown_page | demo client | either side: invalid_response | lab file | in lab
RFC 6749 §3.1.1 | authorization server: invalid_request, unsupported_response_type
RFC 6749 §3.1.2 | authorization server | in either side
RFC 6749 §3.1.2.3 | authorization server | in either side
RFC 6749 §3.2 | authorization server: invalid_request | client | lab file | in lab | in either side
RFC 6749 §3.2.1 | authorization server: invalid_client | in either side
RFC 6749 §3.3 | authorization server: invalid_scope | client: invalid_response, scope | lab file | in either side
RFC 6749 §4.1 | client: login_cancelled, login_failed | in demo client
RFC 6749 §4.1.1 | in either side
RFC 6749 §4.1.2 | authorization server: code.replayed, invalid_grant | client: invalid_response, login_cancelled, unknown_page | either side: invalid_response
RFC 6749 §4.1.2.1 | authorization server: access_denied, invalid_request, server_error, temporarily_unavailable, unauthorized_client | client: error_page, sent_elsewhere, unknown_page | either side
RFC 6749 §4.1.3 | authorization server: invalid_grant, invalid_request | in demo client | in either side
RFC 6749 §4.2 | in authorization server | in client
RFC 6749 §4.2.2 | either side: fragment, invalid_response | in authorization server
RFC 6749 §4.2.2.1 | in authorization server | in either side
RFC 6749 §4.3 | in authorization server | in client
RFC 6749 §4.3.1 | client: login_cancelled
RFC 6749 §4.3.2 | authorization server: invalid_grant, invalid_request
RFC 6749 §4.4 | authorization server: invalid_scope, unauthorized_client | in client
RFC 6749 §4.4.3 | client: refresh_token
RFC 6749 §5.1 | either side: content_type, expires_in, invalid_response, no_store, status | in authorization server | in client
RFC 6749 §5.2 | authorization server: invalid_grant, invalid_request, unauthorized_client, unsupported_grant_type | client: refused, status | either side: invalid_response
RFC 6749 §6 | authorization server: invalid_grant, invalid_request, invalid_scope | client: rotation
RFC 6749 §7 | client: no_resource
RFC 6749 §7.1 | authorization server | either side: token_type
RFC 6749 §10.2 | authorization server
RFC 6749 §10.10 | lab file | in lab
RFC 6749 §10.11 | client: foreign_login_form
RFC 6749 §10.12 | authorization server | client: state | demo client: state_mismatch | either side: state, state_mismatch
RFC 6749 §10.16 | demo client: invalid_response
RFC 6749 Appendix B | authorization server: invalid_request | demo client
RFC 6750 §2 | authorization server | resource server: invalid_request | in either side
RFC 6750 §2.1 | authorization server | resource server: invalid_request | client: accepted, access_token, invalid_response | lab file | in demo client | in cluster | in either side
RFC 6750 §2.2 | authorization server | resource server
RFC 6750 §2.3 | authorization server | resource server
RFC 6750 §3 | client: challenge, no_token_seen | in authorization server | in resource server | in either side
RFC 6750 §3.1 | authorization server: insufficient_scope, invalid_token | resource server: insufficient_scope | client | in either side
RFC 6750 §5.3 | client: invalid_metadata | in lab
RFC 7009 §2.1 | authorization server: invalid_grant, invalid_request
RFC 7009 §2.2 | client: status, temporarily_unavailable | in authorization server
RFC 7009 §3 | resource server: revocation
RFC 7515 §4.1.4 | cluster: kid | in either side
RFC 7515 §4.1.11 | either side: signature
RFC 7515 §5.2 | cluster: signature | either side: signature | in resource server
RFC 7517 §5 | resource server | either side: invalid_response | lab file | in authorization server
RFC 7517 §9.2 | in authorization server | in either side
RFC 7518 §3.1 | cluster | in authorization server | in either side
RFC 7518 §3.3 | in either side
RFC 7518 §3.6 | authorization server: signature
RFC 7519 §2 | either side: unit | in authorization server
RFC 7519 §4.1.1 | either side: iss
RFC 7519 §4.1.3 | resource server: aud | either side: aud | cluster
RFC 7519 §4.1.4 | cluster | either side: exp | authorization server: invalid_dpop_proof | resource server: invalid_dpop_proof
RFC 7519 §4.1.5 | either side: nbf | authorization server: invalid_dpop_proof | resource server: invalid_dpop_proof | cluster
RFC 7519 §4.1.6 | either side: iat | cluster
RFC 7519 §4.1.7 | authorization server: invalid_request_object, jti
RFC 7519 §7.2 | authorization server: invalid_token | resource server | in client
RFC 7521 §3 | client: no_assertion_issuer | in lab
RFC 7521 §4.1 | authorization server: invalid_request, invalid_scope | in client
RFC 7521 §5.2 | in authorization server | in either side
RFC 7522 §2.1 | authorization server | in client | in lab
RFC 7522 §3 | authorization server: invalid_grant | in client
RFC 7523 §2.1 | client: no_assertion_issuer | in authorization server
RFC 7523 §2.2 | in authorization server | in either side
RFC 7523 §3 | authorization server: invalid_client, invalid_grant | in client | in lab | in either side
RFC 7591 §2 | authorization server: client_keys.failed | in lab | in either side
RFC 7591 §2.1 | in authorization server
RFC 7591 §2.2 | authorization server | in either side
RFC 7591 §2.3 | authorization server: invalid_software_statement, unapproved_software_statement
RFC 7591 §3 | authorization server: invalid_client_metadata, invalid_request, invalid_token | lab file
RFC 7591 §3.1.1 | in authorization server
RFC 7591 §3.2.1 | client: client_id, client_secret_expires_at, invalid_response, no_store, redirect_uris, status | in authorization server
RFC 7591 §3.2.2 | in authorization server | in client | in either side
RFC 7591 §5 | in authorization server
RFC 7592 §2 | authorization server: invalid_token
RFC 7592 §2.1 | in authorization server | in client
RFC 7592 §2.2 | authorization server: invalid_client_metadata | in client
RFC 7592 §2.3 | client: status
RFC 7592 §3 | client: management, status | in authorization server | in lab
RFC 7592 §5 | client: management
RFC 7617 §2 | authorization server: invalid_client | in either side
RFC 7636 §4.1 | authorization server: invalid_grant | in demo client | in either side
RFC 7636 §4.2 | in either side
RFC 7636 §4.3 | client: pkce | in either side
RFC 7636 §4.4.1 | authorization server
RFC 7636 §4.5 | in demo client
RFC 7636 §4.6 | authorization server: invalid_grant | client: pkce | in either side
RFC 7662 §2.1 | authorization server: invalid_client, invalid_request | resource server
RFC 7662 §2.2 | resource server: revocation | client: active, invalid_response, silent
RFC 7662 §2.3 | resource server | in authorization server
RFC 7662 §4 | client: exp, nbf | in authorization server
RFC 7800 §3.1 | resource server | in either side
RFC 8252 §7 | in authorization server | in either side
RFC 8252 §7.1 | authorization server
RFC 8252 §7.2 | authorization server
RFC 8252 §7.3 | in client | in lab | in either side
RFC 8252 §8.3 | lab file | in client | in lab | in either side
RFC 8252 §8.6 | authorization server | lab file | in either side
RFC 8259 §8.1 | resource server: invalid_request
RFC 8414 §2 | resource server | client: authorization_servers, https, invalid_metadata, jwks_uri, metadata, response_types, token_endpoint, unsupported_response_type | demo client: invalid_metadata, invalid_token | either side: invalid_metadata | lab file | in authorization server | in lab
RFC 8414 §3 | resource server | client: invalid_metadata
RFC 8414 §3.1 | in either side
RFC 8414 §3.2 | resource server | client: invalid_metadata
RFC 8414 §3.3 | client: issuer | either side: invalid_metadata, issuer_mismatch
RFC 8628 §3.1 | authorization server: invalid_request, unauthorized_client
RFC 8628 §3.2 | client: invalid_response, user_code | in either side
RFC 8628 §3.3 | authorization server: invalid_request, user_code.refused | client
RFC 8628 §3.4 | authorization server | in either side
RFC 8628 §3.5 | authorization server | client | in either side
RFC 8628 §5.1 | authorization server: user_code.refused
RFC 8628 §5.4 | in authorization server
RFC 8693 §1.1 | client
RFC 8693 §2.1 | authorization server: invalid_request, invalid_scope | in client
RFC 8693 §2.2.1 | client: invalid_response, issued_token_type | in authorization server
RFC 8693 §2.2.2 | authorization server: invalid_request, invalid_target
RFC 8693 §4.1 | authorization server: invalid_request
RFC 8693 §5 | client: exp
RFC 8705 §2 | authorization server: invalid_client | in lab | in either side
RFC 8705 §2.1 | authorization server: invalid_client
RFC 8705 §2.1.2 | in authorization server | in either side
RFC 8705 §2.2 | authorization server: invalid_client
RFC 8705 §3 | authorization server: invalid_request, invalid_token | resource server: cnf | in lab | in either side
RFC 8705 §3.1 | client: cnf | in authorization server | in resource server | in lab | in either side
RFC 8705 §3.2 | in authorization server
RFC 8705 §3.4 | authorization server: invalid_request, unauthorized_client | in either side
RFC 8705 §4 | authorization server: invalid_grant
RFC 8705 §5 | authorization server: invalid_client | in lab | in either side
RFC 8707 §2 | authorization server: invalid_target | client: aud | either side: aud | lab file | in resource server | in lab
RFC 8707 §2.2 | authorization server: invalid_target
RFC 8725 §3.1 | in resource server | in client | in either side
RFC 8725 §3.2 | either side
RFC 8725 §3.10 | either side
RFC 8725 §3.12 | resource server: use
RFC 8878 §3.1 | compression
RFC 9068 §2.2 | in authorization server
RFC 9068 §2.2.3 | in resource server
RFC 9068 §4 | authorization server: invalid_token | resource server: typ
RFC 9101 §4 | authorization server: invalid_request_object, iss | in client | in either side
RFC 9101 §5 | authorization server: invalid_request | in either side
RFC 9101 §5.2 | authorization server: invalid_request_uri
RFC 9101 §5.2.3 | authorization server: invalid_request_uri, request_object.failed
RFC 9101 §6.1 | authorization server: invalid_request_object
RFC 9101 §6.2 | authorization server: signature
RFC 9101 §6.3 | authorization server: client_id, request_object.accepted
RFC 9101 §10.2 | authorization server: signature
RFC 9101 §10.4.1 | authorization server: invalid_request_uri
RFC 9101 §10.5 | authorization server: alg, invalid_request | in lab | in either side
RFC 9101 §10.8 | authorization server: sub, typ | in either side
RFC 9101 §11.1 | authorization server: invalid_request_uri
RFC 9110 §8.4 | compression: body, content_type, double_coded, status, unlabelled | in client
RFC 9110 §8.4.1 | compression: savings | in either side
RFC 9110 §8.4.1.2 | compression | in client
RFC 9110 §8.6 | compression: head_length | in lab
RFC 9110 §8.8.1 | compression: etag
RFC 9110 §9.3 | compression: answer
RFC 9110 §9.3.2 | compression: head
RFC 9110 §12.5.3 | compression: not_offered, refused, unasked, weight_zero | in client | in either side
RFC 9110 §12.5.5 | compression: vary, vary_raw
RFC 9110 §13.1.2 | compression: if_none_match | in either side
RFC 9110 §14.2 | compression: range
RFC 9110 §15.4 | client: invalid_response
RFC 9110 §15.4.5 | compression
RFC 9110 §15.4.8 | in client
RFC 9110 §15.4.9 | in client
RFC 9110 §15.5.1 | demo client
RFC 9110 §15.5.10 | demo client
RFC 9110 §15.5.14 | authorization server: invalid_request | resource server: content_too_large | demo client
RFC 9110 §15.5.16 | resource server: invalid_request | demo client
RFC 9110 §15.6.1 | resource server: server_error
RFC 9110 §15.6.4 | authorization server: temporarily_unavailable | demo client
RFC 9111 §4.2.1 | in authorization server
RFC 9111 §5.2 | in authorization server
RFC 9111 §5.3 | in authorization server
RFC 9112 §6.1 | compression
RFC 9112 §6.3 | compression: length
RFC 9126 §2 | authorization server: invalid_request
RFC 9126 §2.1 | authorization server: invalid_request
RFC 9126 §2.2 | client: expires_in, invalid_response, request_uri, status | in authorization server
RFC 9126 §3 | in authorization server | in either side
RFC 9126 §4 | authorization server: invalid_request, invalid_request_uri | in client | in either side
RFC 9126 §5 | authorization server: invalid_request | in lab
RFC 9126 §6 | authorization server: invalid_request | in either side
RFC 9207 §2 | in authorization server
RFC 9207 §2.4 | client: issuer | either side: iss, issuer_mismatch | in authorization server | in demo client
RFC 9207 §3 | client: iss_promised | in either side
RFC 9207 §4 | either side: iss
RFC 9325 §4.2 | in lab
RFC 9396 §2 | authorization server: invalid_authorization_details | lab file | in client | in lab | in either side
RFC 9396 §2.2 | in authorization server | in resource server | in either side
RFC 9396 §3.1 | authorization server
RFC 9396 §5 | authorization server: invalid_authorization_details | in either side
RFC 9396 §6 | authorization server: invalid_authorization_details | in client | in either side
RFC 9396 §7 | authorization server: invalid_request | client | in either side
RFC 9396 §9 | resource server: insufficient_scope
RFC 9396 §9.1 | in authorization server
RFC 9449 §2 | in either side
RFC 9449 §4.2 | authorization server: invalid_dpop_proof | resource server: invalid_dpop_proof | in either side
RFC 9449 §4.3 | authorization server: invalid_dpop_proof | resource server: invalid_dpop_proof | in either side
RFC 9449 §5 | authorization server: invalid_grant | either side: token_type | in client | in lab
RFC 9449 §5.2 | authorization server: invalid_dpop_proof, unauthorized_client | in either side
RFC 9449 §6 | in authorization server
RFC 9449 §6.1 | client: cnf | in authorization server | in resource server
RFC 9449 §7.1 | authorization server: invalid_dpop_proof, invalid_request, invalid_token | resource server: cnf, invalid_dpop_proof, invalid_request | in client | in either side
RFC 9449 §7.2 | authorization server: invalid_token | resource server
RFC 9449 §8 | client: dpop_nonce | authorization server: use_dpop_nonce | resource server: use_dpop_nonce | in lab | in either side
RFC 9449 §8.2 | in authorization server
RFC 9449 §10 | authorization server: invalid_grant, invalid_request | in client | in lab
RFC 9449 §10.1 | authorization server: invalid_dpop_proof
RFC 9449 §11.1 | authorization server: invalid_dpop_proof | resource server: invalid_dpop_proof | in either side
RFC 9470 §3 | resource server: acr, auth_time, insufficient_user_authentication | client: login | in lab | in either side
RFC 9470 §4 | in client
RFC 9470 §6.1 | in authorization server
RFC 9700 §2.1.1 | authorization server: invalid_grant | client: pkce
RFC 9700 §2.1.2 | in client
RFC 9700 §2.2.2 | client: refused, sender
RFC 9700 §2.4 | in client
RFC 9700 §2.6 | authorization server | in either side
RFC 9700 §4.1.3 | authorization server | in either side
RFC 9700 §4.2.4 | in authorization server
RFC 9700 §4.3.2 | demo client
RFC 9700 §4.4.2 | demo client
RFC 9700 §4.4.2.2 | demo client: issuer_mismatch
RFC 9700 §4.5.3.1 | in demo client
RFC 9700 §4.7.1 | in demo client
RFC 9700 §4.11.1 | demo client
RFC 9700 §4.12 | client: invalid_response
RFC 9700 §4.14 | in client
RFC 9700 §4.14.2 | authorization server: invalid_grant, refresh_token.repeated, refresh_token.reused | client: refused, rotation | in lab | in either side
RFC 9700 §4.15.1 | lab file | in lab
RFC 9700 §4.16 | in authorization server
RFC 9701 §4 | in authorization server | in resource server | in client
RFC 9701 §5 | resource server | client: alg, iat, invalid_response, signed | in authorization server
RFC 9701 §6 | authorization server: invalid_request | in either side
RFC 9701 §8.1 | client: typ
RFC 9728 §2 | client: authorization_servers, issuer_mismatch, scopes_supported | lab: invalid_metadata | in authorization server | in resource server
RFC 9728 §3 | client: invalid_metadata | lab: resource_metadata.failed | in authorization server | in resource server
RFC 9728 §3.1 | in resource server | in client | in lab
RFC 9728 §3.2 | client: invalid_metadata | lab: invalid_metadata
RFC 9728 §3.3 | client: resource, resource_mismatch | lab: invalid_metadata
RFC 9728 §4 | in authorization server | in lab | in either side
RFC 9728 §5 | in client
RFC 9728 §7.3 | in client
RFC 9728 §7.7 | lab: invalid_metadata
RFC 9901 §4.1.1 | in either side
RFC 9901 §7.1 | in either side
RFC 9901 §7.3 | in either side
SAML 2.0 Core §1.3.3 | authorization server
SAML 2.0 Core §2.5.1.1 | authorization server
SAML 2.0 Profiles §4.1.4.2 | authorization server
XMLDSig §3.2 | authorization server
`
