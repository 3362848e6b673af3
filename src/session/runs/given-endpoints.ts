import { type Flow, type FlowName, flows } from '../../flows/flows.js'
import type { Step } from '../../flows/step.js'
import { UsageError } from '../../protocol/errors.js'
import type { AuthorizationServerMetadata } from '../../protocol/oauth/metadata.js'

/** The endpoints that a flow cannot do without. */
function endpointsOf(name: FlowName): (keyof AuthorizationServerMetadata & string)[] {
  const { needs }: Flow = flows[name]
  return [
    ...(needs.includes('redirect') ? ['authorization_endpoint'] : []),
    ...(name === 'device' ? ['device_authorization_endpoint'] : []),
    ...(name === 'ciba' ? ['backchannel_authentication_endpoint'] : []),
    ...(name === 'implicit' ? [] : ['token_endpoint']),
  ]
}

/** The option that names an endpoint; undefined where only a file names it. */
const OPTIONS: Readonly<Record<string, string>> = {
  authorization_endpoint: '--authorization-endpoint URL',
  token_endpoint: '--token-endpoint URL',
}

/**
 * Refuses a flow at a server whose given metadata lack an endpoint, before anybody logs in.
 * @param opening the steps of the discovery
 * @throws UsageError
 */
export function checkGiven(
  name: FlowName,
  opening: readonly Step[],
  metadata: AuthorizationServerMetadata,
): void {
  if (!opening.some(step => step.name === 'given_metadata')) return
  const missing = endpointsOf(name).find(each => metadata[each] === undefined)
  if (missing === undefined) return
  throw new UsageError(`flow ${name} needs the ${missing}, and nothing names it (RFC 8414 §2)`, [
    `Name it:  ${OPTIONS[missing] ?? `${missing} in the file of --metadata, or under servers of the lab file`}`,
  ])
}
