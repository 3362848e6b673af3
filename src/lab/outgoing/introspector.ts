import type { Client } from '../../protocol/oauth/client.js'

/** The client_id of a lab's resource server at the introspection endpoint. */
const CLIENT_ID = 'oauth-lab-resource-server'

/**
 * Makes the client that the resource server of a lab authenticates as. It is in no lab file: its secret is new for each
 * lab, and it may do nothing but introspect tokens.
 * @param random returns `length` unpredictable bytes
 */
export function createIntrospector(
  random: (length: number) => Uint8Array,
): Client & { readonly client_secret: string } {
  return {
    client_id: CLIENT_ID,
    client_name: 'Resource server of the lab',
    client_secret: Buffer.from(random(32)).toString('base64url'),
    redirect_uris: [],
    enabled: true,
    grant_types: [],
    response_types: [],
    require_pkce: false,
    code_challenge_methods: ['S256'],
    token_profile: 'jwt',
  }
}
