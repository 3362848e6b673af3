import { algorithmConfusion } from './catalogue/algorithm-confusion.js'
import { breach } from './catalogue/breach.js'
import { clickjackedConsent } from './catalogue/clickjacked-consent.js'
import { codeInjection } from './catalogue/code-injection.js'
import { codeReplay } from './catalogue/code-replay.js'
import { devicePhishing } from './catalogue/device-phishing.js'
import { expiredToken } from './catalogue/expired-token.js'
import { innerFetch } from './catalogue/inner-fetch.js'
import { loginCsrf } from './catalogue/login-csrf.js'
import { lookAlikeClient } from './catalogue/look-alike-client.js'
import { mcpTokenReplay } from './catalogue/mcp-token-replay.js'
import { mixUp } from './catalogue/mix-up.js'
import { openRedirector } from './catalogue/open-redirector.js'
import { referrerLeak } from './catalogue/referrer-leak.js'
import { refreshTheft } from './catalogue/refresh-theft.js'
import { replayedBearer } from './catalogue/replayed-bearer.js'
import { samlWrapping } from './catalogue/saml-wrapping.js'
import { silentConsent } from './catalogue/silent-consent.js'
import { stolenCode } from './catalogue/stolen-code.js'
import { stolenGrant } from './catalogue/stolen-grant.js'
import { tokenSubstitution } from './catalogue/token-substitution.js'
import type { Attack } from './model.js'
import { ATTACK_NAMES, type AttackName } from './names.js'

const byName: Readonly<Record<AttackName, Attack>> = {
  'stolen-code': stolenCode,
  'open-redirector': openRedirector,
  'code-replay': codeReplay,
  'code-injection': codeInjection,
  'login-csrf': loginCsrf,
  'mix-up': mixUp,
  'token-substitution': tokenSubstitution,
  'refresh-theft': refreshTheft,
  'expired-token': expiredToken,
  'algorithm-confusion': algorithmConfusion,
  'device-phishing': devicePhishing,
  'saml-wrapping': samlWrapping,
  'stolen-grant': stolenGrant,
  'referrer-leak': referrerLeak,
  breach,
  'clickjacked-consent': clickjackedConsent,
  'replayed-bearer': replayedBearer,
  'mcp-token-replay': mcpTokenReplay,
  'silent-consent': silentConsent,
  'look-alike-client': lookAlikeClient,
  'inner-fetch': innerFetch,
}

/** Every attack, in the order of their names. */
export const attacks: readonly Attack[] = ATTACK_NAMES.map(name => byName[name])

/** Returns the attack with a name. */
export function attackNamed(name: AttackName): Attack {
  return byName[name]
}
