import type { ConversationKind } from './conversation.js'

const KINDS: Readonly<Record<string, ConversationKind>> = {
  authorization_code: 'code',
  refresh_token: 'refresh',
  client_credentials: 'client_credentials',
  password: 'password',
  'urn:ietf:params:oauth:grant-type:device_code': 'device',
  'urn:openid:params:grant-type:ciba': 'ciba',
  'urn:ietf:params:oauth:grant-type:jwt-bearer': 'assertion',
  'urn:ietf:params:oauth:grant-type:saml2-bearer': 'assertion',
  'urn:ietf:params:oauth:grant-type:token-exchange': 'exchange',
}

/** The conversation that a grant of the token endpoint is, or continues. */
export function kindOfGrant(grantType: string): ConversationKind {
  return KINDS[grantType] ?? 'assertion'
}
