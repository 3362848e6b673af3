import type { McpOptions } from '../../../flows/mcp/options.js'
import { LATEST, RULES } from '../../../flows/mcp/revisions.js'
import { UsageError } from '../../../protocol/errors.js'
import { defined } from '../../../protocol/values.js'
import { suggestedUser } from '../../../session/flow/flow-session.js'
import type { McpChange } from '../../../session/flow/mcp-session.js'
import type { Move } from '../move.js'
import { documentLieOf } from '../move.js'
import { missingFor, whyNotIn, whyNotWith } from '../moves.js'
import { mcpShape } from '../shape.js'
import {
  earlySituation,
  getsOtherToken,
  type McpFacts,
  tamperedMcpFlow,
  tamperedMcpPlan,
} from '../tampered-mcp.js'

/** Why a move is about a rule that a revision does not have; undefined where the revision has the rule. */
function whyNotInRevision(move: Move, { revision = LATEST }: McpOptions): string | undefined {
  const { resourceMetadata, resourceParameter, pkceAnnounced } = RULES[revision]
  if (move.at === 'resource_metadata_request' && !resourceMetadata)
    return `the client of ${revision} reads no metadata of the MCP server`
  if (getsOtherToken(move) && !resourceParameter) return `the client of ${revision} names no resource`
  if (move.name === 'metadata-without-pkce' && !pkceAnnounced)
    return `the client of ${revision} goes on without announced PKCE`
  return undefined
}

/** True for a move with a document of the client. */
const hasDocument = (move: Move): boolean => documentLieOf(move) !== undefined

/** Why the client introduces itself in another way than a move needs; undefined where the ways agree. */
function whyNotByRegistration(move: Move, { register, given, document }: McpOptions): string | undefined {
  if (move.at === 'client_registration') {
    if (given !== undefined) return 'a given client does not register itself: leave --client-id out'
    return register === undefined || register === 'dynamic'
      ? undefined
      : 'only a client that registers itself sends this request: --register dynamic'
  }
  if (!hasDocument(move)) return undefined
  if (document !== undefined)
    return 'the document at that address is not ours to change: leave --client-document out'
  if (given !== undefined) return 'a given client has no document: leave --client-id out'
  return register === undefined || register === 'document'
    ? undefined
    : 'only a client with a document can make this move: --register document'
}

/** Returns the options of the MCP flow as a move needs them. @throws UsageError for a move that has no place in the flow */
function optionsForMove(move: Move, wanted: McpOptions, facts: McpFacts): McpOptions {
  const flow = mcpShape(wanted)
  const situation = earlySituation(wanted, facts)
  const why =
    whyNotIn(move, flow) ??
    // The server may demand pushed requests, which shows later.
    whyNotWith(move, { ...situation, pushed: true }) ??
    missingFor(move, situation) ??
    whyNotInRevision(move, wanted) ??
    whyNotByRegistration(move, wanted)
  if (why !== undefined) {
    throw new UsageError(`${move.name} cannot be tried here: ${why}`, [
      'Which moves there are for this flow:  oauth-lab tamper list --flow mcp',
    ])
  }
  if (move.at === 'client_registration') return { ...wanted, register: 'dynamic' }
  return hasDocument(move) ? { ...wanted, register: 'document' } : wanted
}

/** Puts a wrong move into the flow of an MCP client. */
export function withMcpMove(move: Move): McpChange {
  return setup => {
    const known: McpFacts = defined({
      ownBrowser: setup.people.inBrowser,
      credentials: suggestedUser(setup),
    })
    return {
      options: optionsForMove(move, setup.options, known),
      document: documentLieOf(move),
      plan: of => tamperedMcpPlan(of, move),
      walk: (ports, of, documentAsked) =>
        tamperedMcpFlow(ports, of, move, defined({ ...known, documentAsked })),
    }
  }
}
