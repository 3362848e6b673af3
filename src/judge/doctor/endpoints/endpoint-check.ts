import { findingOf, type Stated } from '../facts.js'
import { type Finding, type Group, type Judgement, notApplicable } from '../finding.js'
import type { Requester } from '../requester.js'

/** An endpoint for clients, by its member of the metadata. */
type Endpoint =
  | 'authorization_endpoint'
  | 'device_authorization_endpoint'
  | 'backchannel_authentication_endpoint'
  | 'introspection_endpoint'
  | 'pushed_authorization_request_endpoint'
  | 'revocation_endpoint'
  | 'token_endpoint'

/** One rule of an endpoint, and the requests by which it is tried. */
export interface EndpointCheck extends Stated {
  readonly endpoint: Endpoint
  /** False where the report is silent about the rule. */
  readonly applies: (requester: Requester) => boolean
  readonly check: (requester: Requester, endpoint: string) => Promise<Judgement>
}

/** Makes a table of checks that share a group and an endpoint. */
export const ofEndpoint = (
  group: Group,
  endpoint: Endpoint,
  rows: readonly Pick<EndpointCheck, 'name' | 'title' | 'rule' | 'severity' | 'check'>[],
  applies: EndpointCheck['applies'] = () => true,
): readonly EndpointCheck[] => rows.map(row => ({ group, endpoint, applies, ...row }))

/** Tries the checks of a group. */
export async function* endpointFindings(
  checks: readonly EndpointCheck[],
  group: Group,
  requester: Requester,
): AsyncGenerator<Finding, void, void> {
  for (const each of checks) {
    if (each.group !== group || !each.applies(requester)) continue
    requester.ports.signal.throwIfAborted()
    const url = requester.metadata[each.endpoint]
    const judgement =
      url === undefined
        ? notApplicable(`the server announces no ${each.endpoint}`)
        : await each.check(requester, url)
    yield findingOf(each, judgement)
  }
}
