import { textResponse } from '../../../protocol/http/message.js'
import type { Site } from '../../../protocol/http/site.js'
import { createRouter, type Route } from '../../../protocol/http/site.js'
import { createPasswordCheck } from '../logins/passwords.js'
import type { AuthorizationServerPorts, AuthorizationServerSettings } from '../settings.js'
import { unbuiltTokenEndpoint } from '../stages/at-stage.js'
import { STAGES } from '../stages/stages.js'
import { createRegistry } from '../stores/registry.js'
import { referenceAuthorization } from './authorization.js'
import { createReferenceCodes } from './codes.js'
import { REFERENCE_WARNING } from './pages.js'
import { referenceTokenEndpoint } from './token.js'
import { createReferenceTokens } from './tokens.js'

/**
 * Makes a server that behaves exactly like the reference, for teaching its errors. It uses the users and the pages of
 * the standard profile, and none of its checks. It must listen on loopback addresses only.
 * @throws UsageError for a password_hash that cannot be read
 */
export function createReferenceServer(
  settings: AuthorizationServerSettings,
  ports: AuthorizationServerPorts,
): Site {
  const registry = createRegistry(settings.clients, settings.users)
  const codes = createReferenceCodes(ports.random, ports.now)
  const checkPassword = createPasswordCheck(settings.users)
  const built = STAGES[settings.stage].signing !== 'nothing'
  const issueToken = built ? createReferenceTokens({ settings, ports }) : undefined
  const routes: readonly Route[] = [
    {
      path: '/',
      methods: { GET: () => textResponse(200, `Hello from oauth-lab.\n${REFERENCE_WARNING}\n`) },
    },
    referenceAuthorization({ ports, registry, codes, checkPassword, issueToken }),
    issueToken ? referenceTokenEndpoint({ codes, issueToken }) : unbuiltTokenEndpoint(),
  ]
  return { name: 'authorization', handle: createRouter(routes) }
}
