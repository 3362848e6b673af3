import type { OwnClient } from '../authorization-server/stores/registry.js'
import type { Client } from '../oauth/client.js'

/** The client_id of the demo client at the lab. */
export const DEMO_WEB = 'demo-web'

/** The registration of a lab whose file has no `demo-web`. Its secret is new for each lab. */
function unlisted(random: (length: number) => Uint8Array): Client {
  return {
    client_id: DEMO_WEB,
    client_name: 'Demo notes application',
    client_secret: Buffer.from(random(32)).toString('base64url'),
    redirect_uris: [],
    enabled: true,
    grant_types: ['authorization_code'],
    response_types: ['code'],
    require_pkce: true,
    code_challenge_methods: ['S256'],
    token_profile: 'jwt',
  }
}

const withOne = (list: readonly string[] = [], one: string): readonly string[] =>
  list.includes(one) ? list : [...list, one]

/** The parts of a lab that the registration of its demo client comes from. */
export interface DemoWebParts {
  readonly random: (length: number) => Uint8Array
  /** Returns the base URL of the demo client; undefined while it is not open. */
  readonly url: () => string | undefined
}

/**
 * Registers the demo client of a lab: the entry of the lab file, or an own one, with the addresses of its listener. Labs
 * with another port need no change of the lab file.
 */
export function demoWeb({ random, url }: DemoWebParts): OwnClient {
  let made: Client | undefined
  return (id, listed) => {
    const at = id === DEMO_WEB ? url() : undefined
    if (at === undefined) return listed
    made ??= unlisted(random)
    const client = listed ?? made
    return {
      ...client,
      redirect_uris: withOne(client.redirect_uris, `${at}/callback`),
      post_logout_redirect_uris: withOne(client.post_logout_redirect_uris, `${at}/logged-out`),
    }
  }
}
