/** The names of the attacks, in the order of `attack list`. Apart from the attacks, because completion and help load them. */
export const ATTACK_NAMES = [
  'stolen-code',
  'refresh-theft',
  'algorithm-confusion',
  'device-phishing',
  'saml-wrapping',
  'breach',
  'clickjacked-consent',
  'replayed-bearer',
  'silent-consent',
] as const

/** The name of an attack. */
export type AttackName = (typeof ATTACK_NAMES)[number]
