import type { Outcome, Step } from '../../../flows/step.js'
import type { AuthorizationServerMetadata } from '../../../protocol/oauth/metadata.js'
import type { OwnDocument } from '../../../session/flow/own-document.js'
import { type Judgement, notApplicable, notTried } from '../finding.js'
import type { DoctorPorts } from '../ports.js'

/**
 * Finds out if moves with client ID metadata documents say anything about a server: it has to read an honest document from
 * this computer, and to give the client of it a token.
 * @param walk walks an honest flow as that client
 * @returns the judgement on every such move where none can be made; undefined where they can
 */
export async function closedToDocuments(
  metadata: AuthorizationServerMetadata,
  { serveDocument }: Pick<DoctorPorts, 'serveDocument'>,
  redirectUri: string,
  walk: (
    own: OwnDocument,
  ) => Promise<{ readonly steps: readonly Step[]; readonly outcome: Outcome | undefined }>,
): Promise<Judgement | undefined> {
  if (metadata.client_id_metadata_document_supported !== true)
    return notApplicable('the server announces no client ID metadata documents')
  if (metadata.token_endpoint_auth_methods_supported?.includes('none') === false)
    return notApplicable('the server announces no public clients, and the document is one of a public client')
  if (serveDocument === undefined) return notTried('nobody serves the document of a client here')
  const own = await serveDocument(redirectUri)
  try {
    const { steps, outcome } = await walk(own)
    if (!own.asked()) return notTried('the server does not ask for a document on this computer')
    if (steps.some(({ token }) => token?.kind === 'access_token')) return undefined
    const why = outcome?.error?.error_description ?? 'no outcome'
    return notTried(`the client of an honest document gets no token: ${why}`)
  } finally {
    await own.stop()
  }
}
