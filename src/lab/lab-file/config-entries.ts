import { defined } from '../../protocol/values.js'
import type { User } from '../../servers/authorization-server/model.js'
import type { Issuer } from '../../servers/demo-client/settings.js'
import type { LabFile, UserEntry } from '../schema/lab-file-schema.js'

export function toUser(entry: UserEntry): User {
  return { ...defined(entry), claims: entry.claims ?? {} }
}

export function toIssuer(entry: NonNullable<NonNullable<LabFile['demo_client']>['issuers']>[number]): Issuer {
  const { name, issuer, client_id: clientId, client_secret: clientSecret } = entry
  const auth = clientSecret === undefined ? 'none' : 'client_secret_basic'
  return defined({ issuer, key: name, clientId, clientSecret, auth })
}
