import { defined } from '../../protocol/values.js'
import type { OidcIssuer } from '../../servers/kubernetes/emulator/settings.js'
import type { LabFile } from '../schema/lab-file-schema.js'

/** Stands for the issuer of the lab itself. */
export const OWN_ISSUER = 'lab'

/** With the file of its CA. */
export interface ClusterOidc extends OidcIssuer {
  /** Absolute path. */
  readonly caFile?: string
}

/** @param inFolder makes a path of the lab file absolute */
export function toClusterOidc(
  entries: NonNullable<NonNullable<LabFile['cluster']>['oidc']>,
  inFolder: (path: string) => string,
): ClusterOidc[] {
  return entries.map(each =>
    defined({
      issuer: each.issuer,
      clientId: each.client_id,
      usernameClaim: each.username_claim ?? 'sub',
      usernamePrefix: each.username_prefix,
      groupsClaim: each.groups_claim,
      groupsPrefix: each.groups_prefix,
      caFile: each.ca_file === undefined ? undefined : inFolder(each.ca_file),
    }),
  )
}
