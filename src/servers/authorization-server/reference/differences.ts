import type { Difference } from '../stages/stages.js'

export const REFERENCE_DIFFERENCES: readonly Difference[] = [
  {
    point: 'unit of nbf, iat and exp',
    here: 'milliseconds, exp = iat + 3600 in that unit',
    otherwise: 'seconds',
    why: 'NumericDate is seconds (RFC 7519 §2): most resource servers refuse these tokens, some never let them expire',
  },
  {
    point: 'claims and header of access tokens',
    here: 'only sub, nbf, iat, exp, iss, aud; typ JWT, no kid',
    otherwise: 'also jti, client_id and scope; kid',
    why: 'without jti nothing can be revoked, without scope nothing can be limited',
  },
  {
    point: 'parameters of the login POST',
    here: 'read from the query of the Referer header, of any site',
    otherwise: 'the form’s own URL; the Referer of this origin where that has no query',
    why: 'a Referer may be missing, cut by a privacy setting, or forged by another page',
  },
  {
    point: 'client_id and redirect_uri',
    here: 'not checked: a redirect goes to any address',
    otherwise: 'the error is shown, and nobody is redirected (RFC 6749 §4.1.2.1)',
    why: 'an open redirect hands codes and tokens to anyone who asks for them',
  },
  {
    point: 'unsupported or missing response_type',
    here: '400 text/html, always',
    otherwise: 'only for a good client and redirect_uri; a 302 with response_type_errors: redirect',
    why: 'the client never learns why the browser did not come back',
  },
  {
    point: 'other errors of the authorization endpoint',
    here: 'none: scope, PKCE and everything else is not checked',
    otherwise: 'a 302 with error, error_description, state and iss',
    why: 'what is not checked cannot fail',
  },
  {
    point: 'csrf value of the login form',
    here: 'present, not checked',
    otherwise: 'bound to the browser and to the request',
    why: 'another site can log its visitors in',
  },
  {
    point: 'iss in authorization responses',
    here: 'not sent',
    otherwise: 'in every one (RFC 9207)',
    why: 'a client of several servers can be led to send a code to the wrong one',
  },
  {
    point: 'client authentication at /token',
    here: 'none: the body is read, and believed',
    otherwise: 'Basic, body or private_key_jwt; never two at once',
    why: 'a stolen code is as good as a token',
  },
  {
    point: 'authorization code',
    here: 'accepted from every client, for ever, any number of times',
    otherwise: 'bound to client, redirect_uri and PKCE; once, within minutes; a replay revokes',
    why: 'RFC 6749 §4.1.2, §10.5',
  },
  {
    point: 'PKCE',
    here: 'ignored',
    otherwise: 'honoured for all, demanded of public clients',
    why: 'RFC 9700 §2.1.1',
  },
  {
    point: 'repeated parameters',
    here: 'the first one counts',
    otherwise: 'invalid_request (RFC 6749 §3.1, §3.2)',
    why: 'two programs that read two different values disagree about what was allowed',
  },
  {
    point: 'scope',
    here: 'as asked, and ignored',
    otherwise: 'checked, narrowed, defaulted, reported',
    why: 'RFC 6749 §3.3',
  },
  {
    point: 'grants',
    here: 'authorization_code and implicit; everything else unsupported_grant_type; no refresh tokens',
    otherwise: 'every grant of RFC 6749 and its extensions',
    why: 'the reference implements no others',
  },
  {
    point: 'OpenID Connect, discovery, keys, revocation, introspection',
    here: '404',
    otherwise: 'available',
    why: 'the reference plans them',
  },
  {
    point: 'CORS',
    here: 'none',
    otherwise: 'on everything but /authorization and its pages',
    why: 'single-page applications need it',
  },
  {
    point: 'other methods at /token',
    here: '405 text/plain',
    otherwise: '405 with a JSON error',
    why: 'clients read JSON there',
  },
]
