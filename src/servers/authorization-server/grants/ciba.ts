import { CIBA_GRANT_TYPE } from '../../../protocol/oauth/answers.js'
import type { BackchannelRequest, BackchannelRequests } from '../backchannel/requests.js'
import type { Publish } from '../events.js'
import type { Grant } from './grant.js'
import { type PolledGrantParts, polledGrant } from './polled-grant.js'

/** The parts that the grant uses. */
export interface CibaParts extends PolledGrantParts {
  readonly backchannelRequests: BackchannelRequests
}

/** The grant of backchannel authentication (OpenID Connect CIBA Core §10.1). A client with a ping may poll as well. */
export function cibaGrant(parts: CibaParts): Grant {
  const { find } = parts.backchannelRequests
  return polledGrant(
    {
      grantType: CIBA_GRANT_TYPE,
      parameter: 'auth_req_id',
      request: 'OpenID Connect CIBA Core §10.1',
      errors: 'OpenID Connect CIBA Core §11',
      find,
      expired: reportExpiry,
    },
    parts,
  )
}

/** Reports once that nobody decided about a request in time. */
function reportExpiry(request: BackchannelRequest, publish: Publish): void {
  if (request.expiryReported || request.decision) return
  request.expiryReported = true
  publish({ type: 'ciba.expired', client_id: request.client.client_id, username: request.username })
}
