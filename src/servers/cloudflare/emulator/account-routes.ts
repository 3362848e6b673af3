import type { ApiRoutes } from './api.js'
import { success } from './envelope.js'
import { pageOf } from './pages.js'
import { refusal } from './refusal.js'
import type { EmulatorSettings } from './settings.js'
import { ACCOUNT, type ZoneState } from './zones.js'

const TOKEN_ID = '1ab0000000000000000000000000000c'
const USER_ID = '1ab0000000000000000000000000000b'
const SINCE = '2026-01-01T00:00:00.000000Z'

/** The page sizes for zones and accounts. */
const PAGES = { usual: 20, max: 50 }

const invalidToken = () => refusal(401, 1000, 'Invalid API Token')

/** The routes for zones, accounts and the identity of the caller, which clients request first. */
export function accountRoutes({ email }: EmulatorSettings, zones: ReadonlyMap<string, ZoneState>): ApiRoutes {
  const account = { ...ACCOUNT, type: 'standard', settings: { enforce_twofactor: false }, created_on: SINCE }
  const user = {
    id: USER_ID,
    email,
    username: email.split('@', 1)[0],
    first_name: null,
    last_name: null,
    telephone: null,
    country: null,
    zipcode: null,
    two_factor_authentication_enabled: false,
    two_factor_authentication_locked: false,
    created_on: SINCE,
    modified_on: SINCE,
    organizations: [],
    suspended: false,
  }
  const verify: ApiRoutes[string] = {
    GET({ credentials, publish }) {
      if (credentials !== 'token') throw invalidToken()
      publish({ type: 'dns.token_verified' })
      const message = { code: 10000, message: 'This API Token is valid and active', type: null }
      return success({ id: TOKEN_ID, status: 'active' }, undefined, [message])
    },
  }
  return {
    '/zones': {
      GET({ query, publish }) {
        const name = query.get('name')?.toLowerCase()
        const status = query.get('status')
        const found = [...zones.values()]
          .map(({ zone }) => zone)
          .filter(zone => (!name || zone.name === name) && (!status || zone.status === status))
        const { results, info } = pageOf(found, query, PAGES)
        publish({ type: 'dns.zones_read', count: results.length })
        return success(results, info)
      },
    },
    '/zones/:zone': {
      GET({ state, publish }) {
        publish({ type: 'dns.zones_read', count: 1 })
        return success(state.zone)
      },
    },
    '/user': { GET: () => success(user) },
    '/accounts': {
      GET({ query }) {
        const { results, info } = pageOf([account], query, PAGES)
        return success(results, info)
      },
    },
    '/accounts/:account': {
      GET({ ids }) {
        if (ids.account !== account.id) throw refusal(403, 10000, 'Authentication error')
        return success(account)
      },
    },
    '/user/tokens/verify': verify,
    '/accounts/:account/tokens/verify': verify,
  }
}

/** True for paths that report an unknown token as invalid. Other paths report missing access. */
export const verifiesTokens = (path: string): boolean => path.endsWith('/tokens/verify')

export { invalidToken }
