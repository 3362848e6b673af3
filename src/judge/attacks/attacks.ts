import { algorithmConfusion } from './algorithm-confusion.js'
import { breach } from './breach/breach.js'
import { clickjackedConsent } from './clickjacked-consent.js'
import { codeInjection } from './code-injection.js'
import { codeReplay } from './code-replay.js'
import { devicePhishing } from './device-phishing.js'
import { expiredToken } from './expired-token.js'
import { innerFetch } from './inner-fetch.js'
import { loginCsrf } from './login-csrf.js'
import { lookAlikeClient } from './look-alike-client.js'
import { mcpTokenReplay } from './mcp-token-replay.js'
import { mixUp } from './mix-up.js'
import type { Attack } from './model.js'
import { ATTACK_NAMES, type AttackName } from './names.js'
import { openRedirector } from './open-redirector.js'
import { referrerLeak } from './referrer-leak.js'
import { refreshTheft } from './refresh-theft.js'
import { replayedBearer } from './replayed-bearer.js'
import { samlWrapping } from './saml-wrapping.js'
import { silentConsent } from './silent-consent.js'
import { stolenCode } from './stolen-code.js'
import { tokenSubstitution } from './token-substitution.js'

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
