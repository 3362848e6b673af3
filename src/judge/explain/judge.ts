import type { Conversation } from './conversation.js'
import type { Finding, Judge } from './finding.js'
import { judgeCache } from './findings/cache.js'
import { judgeClient } from './findings/client.js'
import { judgeCode } from './findings/code.js'
import { judgeDates } from './findings/dates.js'
import { judgeErrors } from './findings/errors.js'
import { judgeExposure } from './findings/exposure.js'
import { judgeGrants } from './findings/grants.js'
import { judgeIdToken } from './findings/id-token.js'
import { judgeIssuer } from './findings/issuer.js'
import { judgeNonce } from './findings/nonce.js'
import { judgePkce } from './findings/pkce.js'
import { judgeRedirect } from './findings/redirect.js'
import { judgeReported } from './findings/reported.js'
import { judgeSaml } from './findings/saml.js'
import { judgeState } from './findings/state.js'
import { judgeRepeated, judgeTransport } from './findings/transport.js'

const judges: readonly Judge[] = [
  judgeTransport,
  judgeRepeated,
  judgeState,
  judgeIssuer,
  judgeRedirect,
  judgeClient,
  judgePkce,
  judgeNonce,
  judgeCode,
  judgeCache,
  judgeExposure,
  judgeIdToken,
  judgeDates,
  judgeGrants,
  judgeSaml,
]

/** Names of findings that say only that a server refused: a fault in the same exchange says why. */
const REFUSED = new Set(['request-refused', 'authorization-error', 'request-shown-error', 'token-refused'])

/** The findings of the server and of the judges, each once. */
function causesOf(conversation: Conversation): readonly Finding[] {
  const reported = judgeReported(conversation)
  const judged = judges
    .flatMap(each => each(conversation))
    .filter(({ name, entry }) => !reported.some(each => each.name === name && each.entry === entry))
  const broken = new Set(judged.filter(({ severity }) => severity === 'fault').map(({ entry }) => entry))
  return [...reported.filter(({ name, entry }) => !REFUSED.has(name) || !broken.has(entry)), ...judged]
}

/** Returns the findings of a conversation in the order of its entries. */
export function judge(conversation: Conversation): readonly Finding[] {
  const causes = causesOf(conversation)
  return [...causes, ...judgeErrors(conversation, causes)].sort((a, b) => a.entry - b.entry)
}
