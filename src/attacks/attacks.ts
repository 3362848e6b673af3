import { algorithmConfusion } from './algorithm-confusion.js'
import { breach } from './breach/breach.js'
import { clickjackedConsent } from './clickjacked-consent.js'
import { devicePhishing } from './device-phishing.js'
import type { Attack } from './model.js'
import { ATTACK_NAMES, type AttackName } from './names.js'
import { refreshTheft } from './refresh-theft.js'
import { replayedBearer } from './replayed-bearer.js'
import { samlWrapping } from './saml-wrapping.js'
import { silentConsent } from './silent-consent.js'
import { stolenCode } from './stolen-code.js'

const byName: Readonly<Record<AttackName, Attack>> = {
  'stolen-code': stolenCode,
  'refresh-theft': refreshTheft,
  'algorithm-confusion': algorithmConfusion,
  'device-phishing': devicePhishing,
  'saml-wrapping': samlWrapping,
  breach,
  'clickjacked-consent': clickjackedConsent,
  'replayed-bearer': replayedBearer,
  'silent-consent': silentConsent,
}

/** Every attack, in the order of their names. */
export const attacks: readonly Attack[] = ATTACK_NAMES.map(name => byName[name])

/** Returns the attack with a name. */
export function attackNamed(name: AttackName): Attack {
  return byName[name]
}
