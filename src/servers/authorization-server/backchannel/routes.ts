import type { Route } from '../../../protocol/http/site.js'
import { type Faults, withFaults } from '../endpoints/faults.js'
import type { AuthorizationServerPorts } from '../settings.js'
import type { ClientKeys } from '../stores/client-keys.js'
import { type ApprovalPageParts, approvalPage, createPing } from './approval-page.js'
import {
  type BackchannelAuthenticationParts,
  backchannelAuthenticationEndpoint,
} from './authentication-endpoint.js'
import { createSignedRequests } from './signed-request.js'

/** The parts of the server that backchannel authentication uses. */
export interface BackchannelParts
  extends Omit<BackchannelAuthenticationParts, 'openSignedRequest' | 'hints'>,
    Omit<ApprovalPageParts, 'ping' | 'now' | 'settings'> {
  readonly ports: Pick<AuthorizationServerPorts, 'now' | 'keyring' | 'clientCalls'>
  readonly subjects: BackchannelAuthenticationParts['hints']['subjects']
  readonly clientKeys: ClientKeys
  readonly faults: Faults
}

/** Returns the routes of backchannel authentication: the endpoint of clients, and the page of people. */
export function backchannelRoutes(parts: BackchannelParts): readonly Route[] {
  const { settings, ports, registry, subjects, clientKeys, faults } = parts
  const { issuer } = settings
  const { now, keyring, clientCalls } = ports
  return [
    withFaults(
      'backchannel_authentication',
      backchannelAuthenticationEndpoint({
        ...parts,
        hints: { issuer, keyring, registry, subjects, now },
        openSignedRequest: createSignedRequests({ issuer, now, clientKeys }),
      }),
      faults,
    ),
    approvalPage({ ...parts, now, ping: createPing(clientCalls) }),
  ]
}
