import { defined } from '../../protocol/values.js'
import type { LabFile } from '../schema/lab-file-schema.js'

/** A copy of a lab file with `mask` instead of each secret. */
export function maskedLabFile(file: LabFile, mask: string): LabFile {
  const { signing_secret, registration_tokens, clients, users, cluster, dns, demo_client, servers } = file
  const masked = (secret: string | undefined) => (secret === undefined ? undefined : mask)
  return defined({
    ...file,
    signing_secret: masked(signing_secret),
    registration_tokens: registration_tokens?.map(() => mask),
    clients: clients?.map(each => defined({ ...each, client_secret: masked(each.client_secret) })),
    users: users?.map(each =>
      defined({
        ...each,
        password: masked(each.password),
        password_hash: masked(each.password_hash),
        totp_secret: masked(each.totp_secret),
      }),
    ),
    cluster: cluster && { ...cluster, tokens: cluster.tokens?.map(each => ({ ...each, token: mask })) },
    demo_client: demo_client && {
      issuers: demo_client.issuers?.map(each =>
        defined({ ...each, client_secret: masked(each.client_secret) }),
      ),
    },
    servers:
      servers &&
      Object.fromEntries(
        Object.entries(servers).map(([name, each]) => [
          name,
          defined({
            ...each,
            client_secret: masked(each.client_secret),
            headers:
              each.headers && Object.fromEntries(Object.keys(each.headers).map(field => [field, mask])),
          }),
        ]),
      ),
    dns: dns && defined({ ...dns, key: masked(dns.key), token: masked(dns.token) }),
  })
}
