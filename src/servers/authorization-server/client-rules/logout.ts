import { isOnOriginOf } from '../../../protocol/oauth/client-metadata.js'
import { messageUriProblem } from '../../../protocol/oauth/redirect-uri.js'
import { quote } from '../../../protocol/values.js'
import type { ClientMetadata, MemberPath, Report } from './model.js'

/** Checks the addresses at which a client learns of logouts. */
export function checkClientLogout(client: ClientMetadata, path: MemberPath, report: Report): void {
  for (const channel of ['backchannel', 'frontchannel'] as const) {
    const [uriName, neededName] = [`${channel}_logout_uri`, `${channel}_logout_session_required`] as const
    const uri = client[uriName]
    if (uri === undefined) {
      if (client[neededName] !== undefined) report([...path, neededName], `it needs ${uriName}`)
      continue
    }
    const problem = messageUriProblem(uri)
    if (problem !== undefined) report([...path, uriName], `${quote(uri)}: ${problem}`)
    else if (channel === 'frontchannel' && !isOnOriginOf(uri, client.redirect_uris ?? [])) {
      const rule = 'OpenID Connect Front-Channel Logout §2'
      report(
        [...path, uriName],
        `${quote(uri)} is not on the scheme, host and port of a redirect_uri (${rule})`,
      )
    }
  }
}
