import { UsageError } from '../../src/protocol/errors.js'
import type { Client } from '../../src/protocol/oauth/client.js'
import { thrown } from '../support/refusal.js'

/** A client of a lab with little but its name. */
export const client = (more: Partial<Client> = {}): Client => ({
  client_id: 'demo',
  redirect_uris: [],
  enabled: true,
  grant_types: [],
  response_types: [],
  require_pkce: false,
  code_challenge_methods: ['S256'],
  token_profile: 'jwt',
  ...more,
})

/** The usage error that work throws. */
export const usage = (work: () => unknown): UsageError => thrown(work, UsageError)
