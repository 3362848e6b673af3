import type { Client } from '../../protocol/oauth/client.js'

/** At the introspection endpoint. */
const CLIENT_ID = 'oauth-lab-resource-server'

/** The client of a lab's resource server, in no lab file. It may only introspect tokens, and its secret is new for each lab. */
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
