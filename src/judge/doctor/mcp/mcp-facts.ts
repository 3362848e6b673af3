import type { McpChallenge } from '../../../flows/mcp/challenge.js'
import type { MetadataPlace } from '../../../flows/mcp/metadata-places.js'
import type { McpOptions } from '../../../flows/mcp/options.js'
import type { ResourceDocument } from '../../../flows/mcp/resource-document.js'
import type { Outcome, Step } from '../../../flows/step.js'
import type { Exchange } from '../../../protocol/http/exchange.js'
import type { PublishedMetadata } from '../../../protocol/oauth/metadata.js'
import type { McpFacts as RunFacts } from '../../tamper/tampered-mcp.js'

/** An MCP server under examination, and the client that examines it. */
export interface McpServerUnderTest {
  readonly options: McpOptions
  /** The person who logs in, and the browser for that. */
  readonly run: RunFacts
}

/** A place where metadata of the MCP server may be, and what is there. */
export interface PlaceFacts {
  readonly place: MetadataPlace
  readonly exchange?: Exchange
  readonly document?: ResourceDocument
  /** Why there is no document that can be used. */
  readonly problem?: string
  /** True for a document about another server. */
  readonly foreign?: boolean
}

/** The facts that an MCP server and its authorization server publish for everybody. */
export interface McpPublication {
  readonly url: string
  /** The answers to a message without a token, with one that nobody issued, and from a page of another site. */
  readonly bare?: Exchange | undefined
  readonly madeUp?: Exchange | undefined
  readonly foreignOrigin?: Exchange | undefined
  readonly challenge?: McpChallenge
  /** Every place: the one that the challenge names, the well-known one with the path, and the one without. */
  readonly places: readonly PlaceFacts[]
  /** The document that a client uses. */
  readonly document?: ResourceDocument
  readonly issuer?: string
  readonly metadata?: PublishedMetadata
  /** Why no metadata of the issuer can be used. */
  readonly issuerProblem?: string
}

/** The facts that only a client with a token learns. */
export interface McpConversation {
  readonly publication: McpPublication
  readonly steps: readonly Step[]
  readonly outcome: Outcome | undefined
  /** The answer to a message with the token from a page of another site. */
  readonly foreignOrigin?: Exchange | undefined
  /** The answer to a token with too little scope. Absent: no message needed more. */
  readonly narrow?: Exchange | undefined
}
