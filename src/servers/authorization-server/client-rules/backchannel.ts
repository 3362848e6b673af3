import { CIBA_GRANT_TYPE } from '../../../protocol/oauth/answers.js'
import { isConfidential } from '../../../protocol/oauth/client.js'
import { messageUriProblem } from '../../../protocol/oauth/redirect-uri.js'
import { quote } from '../../../protocol/values.js'
import type { ClientMetadata, MemberPath, Report } from './model.js'

/** Checks the members of a client about backchannel authentication (OpenID Connect CIBA Core §4). */
export function checkClientBackchannel(client: ClientMetadata, path: MemberPath, report: Report): void {
  const {
    backchannel_token_delivery_mode: mode,
    backchannel_client_notification_endpoint: endpoint,
    backchannel_authentication_request_signing_alg: alg,
  } = client
  const at = (member: string) => [...path, member]
  if (client.grant_types?.includes(CIBA_GRANT_TYPE)) {
    if (!isConfidential(client)) {
      report(
        at('grant_types'),
        `${CIBA_GRANT_TYPE} is for confidential clients (OpenID Connect CIBA Core §7.1)`,
      )
    }
    if (mode === undefined) {
      report(
        at('backchannel_token_delivery_mode'),
        `the grant ${CIBA_GRANT_TYPE} needs it: poll or ping (OpenID Connect CIBA Core §4)`,
      )
    }
  }
  const member = 'backchannel_client_notification_endpoint'
  if (mode === 'ping' && endpoint === undefined) {
    report(at(member), 'the mode ping needs it (OpenID Connect CIBA Core §4)')
  }
  const problem = endpoint === undefined ? undefined : messageUriProblem(endpoint)
  if (problem !== undefined) report(at(member), `${quote(endpoint)}: ${problem}`)
  if (alg !== undefined && client.jwks === undefined && client.jwks_uri === undefined) {
    const signed = 'backchannel_authentication_request_signing_alg'
    report(at(signed), `${alg} needs jwks or jwks_uri with the public key`)
  }
}
