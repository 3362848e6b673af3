import { JWT_BEARER_GRANT_TYPE } from '../assertions/jwt.js'
import type { AssertionIssuer, AuthenticatedClient } from '../model.js'

/** The clients of requests that name none. The issuer of the assertion stands for the client. */
export interface ClientlessClients {
  /** Returns the client of an issuer, the same for each call; undefined for an issuer that needs a client. */
  of(issuer: AssertionIssuer | undefined): AuthenticatedClient | undefined
  /** Returns the client that was made of an issuer; undefined for any other client_id. */
  named(clientId: string): AuthenticatedClient | undefined
  /** True for the client_id of a client that was made. */
  has(clientId: string): boolean
}

/** Makes the clients of issuers with `clientless` (RFC 7521 §4.1). A token names the issuer as its client. */
export function createClientlessClients(): ClientlessClients {
  const clients = new Map<string, AuthenticatedClient>()
  return {
    of(issuer) {
      if (issuer?.clientless !== true) return undefined
      const known = clients.get(issuer.issuer)
      if (known !== undefined) return known
      const made = {
        client_id: issuer.issuer,
        redirect_uris: [],
        enabled: true,
        grant_types: [JWT_BEARER_GRANT_TYPE],
        response_types: [],
        require_pkce: true,
        code_challenge_methods: ['S256'],
        token_profile: 'jwt',
      } as const
      clients.set(issuer.issuer, made as unknown as AuthenticatedClient)
      return clients.get(issuer.issuer)
    },
    named: clientId => clients.get(clientId),
    has: clientId => clients.has(clientId),
  }
}
