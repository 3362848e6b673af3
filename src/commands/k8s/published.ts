import type { ClusterAccess } from '../../kubernetes/client/access.js'
import { createConnection } from '../../kubernetes/client/connection.js'
import { readPublished } from '../../kubernetes/client/public-documents.js'
import { trustedPem } from '../../targets/trust.js'
import type { JwkSet } from '../../tokens/keys.js'
import type { Globals } from '../globals.js'

/** A document as a JWK Set; undefined where it is none. */
export function jwkSetOf(document: Readonly<Record<string, unknown>> | undefined): JwkSet | undefined {
  const keys = document?.keys
  if (!Array.isArray(keys)) return undefined
  return { keys: keys.filter(each => typeof each === 'object' && each !== null) }
}

/** What everybody finds at an issuer, by the well-known roots, `--cacert` and the lab's own CA. */
export async function publishedAt(issuer: string, globals: Globals) {
  const caPem = await trustedPem(globals, issuer)
  const access: ClusterAccess = {
    server: URL.canParse(issuer) ? new URL(issuer).origin : issuer,
    via: 'the issuer of the token',
    ...(caPem !== undefined && { caPem }),
    credential: { kind: 'none' },
    kubectl: [],
  }
  const connection = createConnection(access, { timeoutMs: globals.timeoutMs })
  try {
    return await readPublished(issuer, connection.send)
  } finally {
    connection.close()
  }
}
