/** The names of the attacks, in the order of `attack list`. Apart from the attacks, because completion and help load them. */
export const ATTACK_NAMES = [
  'stolen-code',
  'open-redirector',
  'code-replay',
  'code-injection',
  'login-csrf',
  'mix-up',
  'token-substitution',
  'refresh-theft',
  'expired-token',
  'algorithm-confusion',
  'device-phishing',
  'saml-wrapping',
  'stolen-grant',
  'referrer-leak',
  'breach',
  'clickjacked-consent',
  'replayed-bearer',
  'mcp-token-replay',
  'silent-consent',
  'look-alike-client',
  'inner-fetch',
] as const

/** The name of an attack. */
export type AttackName = (typeof ATTACK_NAMES)[number]
