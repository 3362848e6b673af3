import type { LabFile } from './lab-file-schema.js'

/** A copy of a lab file with `mask` in the place of each secret. */
export function maskedLabFile(file: LabFile, mask: string): LabFile {
  const { signing_secret, clients, users, cluster, dns } = file
  return {
    ...file,
    ...(signing_secret !== undefined && { signing_secret: mask }),
    ...(clients && {
      clients: clients.map(each => (each.client_secret ? { ...each, client_secret: mask } : each)),
    }),
    ...(users && {
      users: users.map(each => ({
        ...each,
        ...(each.password && { password: mask }),
        ...(each.password_hash && { password_hash: mask }),
      })),
    }),
    ...(cluster?.tokens && {
      cluster: { ...cluster, tokens: cluster.tokens.map(each => ({ ...each, token: mask })) },
    }),
    ...(dns && { dns: { ...dns, ...(dns.key && { key: mask }), ...(dns.token && { token: mask }) } }),
  }
}
