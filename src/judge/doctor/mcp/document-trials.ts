import type { McpOptions } from '../../../flows/mcp/options.js'
import type { PublishedMetadata } from '../../../protocol/oauth/metadata.js'
import type { OwnDocument } from '../../../session/flow/own-document.js'
import type { Move } from '../../tamper/move.js'
import { documentLieOf } from '../../tamper/move.js'
import { documentMoves } from '../../tamper/moves/documents.js'
import { type Judgement, notTried } from '../finding.js'
import type { DoctorPorts } from '../ports.js'
import { closedToDocuments } from '../registration/document-readiness.js'
import { converse, tryMcpMove } from './converse.js'
import type { McpServerUnderTest } from './mcp-facts.js'

/** The options of a client that is known by a document. */
function asDocument(options: McpOptions, { clientId }: Pick<OwnDocument, 'clientId'>): McpOptions {
  const { given: _, key: __, ...rest } = options
  return { ...rest, register: 'document', document: clientId }
}

/** Makes every move with a client ID metadata document, each in a conversation of its own. */
export async function* documentTrials(
  ports: DoctorPorts,
  { options, run }: McpServerUnderTest,
  metadata: PublishedMetadata,
  enough: AbortSignal,
): AsyncGenerator<{ readonly move: Move; readonly judgement: Judgement }, void, void> {
  const { redirectUri } = options
  const closed = await closedToDocuments(metadata, ports, redirectUri, own =>
    converse(ports, asDocument(options, own)),
  )
  for (const move of documentMoves) {
    ports.signal.throwIfAborted()
    const why = closed ?? (enough.aborted ? notTried('the examination took too long') : undefined)
    yield { move, judgement: why ?? (await tried(move)) }
  }

  async function tried(move: Move): Promise<Judgement> {
    const own = await ports.serveDocument!(redirectUri, documentLieOf(move))
    const facts = { ...run, documentAsked: own.asked }
    return tryMcpMove(ports, asDocument(options, own), move, facts).finally(own.stop)
  }
}
