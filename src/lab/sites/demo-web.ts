import type { Client } from '../../protocol/oauth/client.js'
import { type ShownWeak, type WeakName, weakModes } from '../../protocol/rules/weak-modes.js'
import { keepLatest } from '../../protocol/values.js'
import type { OwnClient } from '../../servers/authorization-server/stores/registry.js'
import { BACK_CHANNEL_PATH } from '../../servers/demo-client/settings.js'

export const DEMO_WEB = 'demo-web'

/** For a lab file without `demo-web`. The secret is new for each lab. */
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

export interface DemoWebParts {
  readonly random: (length: number) => Uint8Array
  /** Undefined while it is not open. */
  readonly url: () => string | undefined
  readonly weak: readonly ShownWeak[]
}

/** Changes of the registration of a weak client. */
const WEAK: Readonly<Partial<Record<WeakName, (client: Client) => Client>>> = {
  'no-state': client => ({ ...client, require_pkce: false }),
  'no-nonce': client => ({ ...client, require_pkce: false }),
  'implicit-login': client => ({
    ...client,
    grant_types: withOne(client.grant_types, 'implicit'),
    response_types: withOne(client.response_types, 'token'),
  }),
}

/** The entry of the lab file, or an own one, with the addresses of its listener. */
export function demoWeb({ random, url, weak }: DemoWebParts): OwnClient {
  let made: Client | undefined
  const registered = keepLatest((listed: Client | undefined, at: string): Client => {
    made ??= unlisted(random)
    const client = weakModes(weak).reduce((each, { name }) => WEAK[name]?.(each) ?? each, listed ?? made)
    return {
      ...client,
      redirect_uris: withOne(client.redirect_uris, `${at}/callback`),
      post_logout_redirect_uris: withOne(client.post_logout_redirect_uris, `${at}/logged-out`),
      backchannel_logout_uri: client.backchannel_logout_uri ?? `${at}${BACK_CHANNEL_PATH}`,
    }
  })
  return {
    id: DEMO_WEB,
    client(listed) {
      const at = url()
      return at === undefined ? listed : registered(listed, at)
    },
  }
}
