/** The security profiles: sets of demands beyond RFC 6749, from the milder to the stricter one. */
export const SECURITY_PROFILES = ['oauth21', 'fapi2'] as const
export type SecurityProfile = (typeof SECURITY_PROFILES)[number]

/** The profiles of a whole server. */
export const SERVER_PROFILES = ['standard', 'reference', ...SECURITY_PROFILES] as const
export type ServerProfile = (typeof SERVER_PROFILES)[number]

/** Returns the stricter one of the profiles of a client and its server; undefined where neither is a security profile. */
export function stricterProfile(
  client: SecurityProfile | undefined,
  server: ServerProfile,
): SecurityProfile | undefined {
  return SECURITY_PROFILES.findLast(each => each === client || each === server)
}
