import type { Profile } from './profile.js'

/** OAuth 2.1 (draft-ietf-oauth-v2-1). */
export const OAUTH21: Profile = {
  title: 'OAuth 2.1',
  demands: {
    grant: {
      rule: 'draft-ietf-oauth-v2-1 §1.8',
      point: 'grants',
      here: 'neither password nor implicit',
      otherwise: 'both, for registered clients',
      why: 'the client sees the password, and tokens in addresses leak',
    },
    response_type: {
      rule: 'draft-ietf-oauth-v2-1 §10.1',
      point: 'response_type',
      here: 'none with an access token',
      otherwise: 'token, and the hybrids with it',
      why: 'an access token in an address leaks, and can be replaced',
    },
    pkce: {
      rule: 'draft-ietf-oauth-v2-1 §4.1.1',
      point: 'PKCE',
      here: 'for every client',
      otherwise: 'demanded of public clients',
      why: 'an injected code does not fit the verifier',
    },
    redirect_uri: {
      rule: 'draft-ietf-oauth-v2-1 §2.3.1',
      point: 'redirect_uri',
      here: 'compared exactly; only loopback literals match with any port',
      otherwise: 'localhost matches with any port too, for public and native clients',
      why: 'a computer may resolve localhost to another address',
    },
  },
  sets: () => ({ require_pkce: true }),
  refusedGrants: ['password', 'implicit'],
  responseTypes: ['code', 'id_token', 'code id_token', 'none'],
}
