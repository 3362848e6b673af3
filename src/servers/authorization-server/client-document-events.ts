import type { Citation } from '../../protocol/rules/rule.js'

/** The client that publishes the document. */
type Client = { readonly client_id: string }

/** The reason of a fetch of a client's keys. */
export type FetchReason = 'first use' | 'unknown kid' | 'age'

/** An event of a document that a client publishes, such as its keys. */
export type ClientDocumentEvent =
  | ({
      readonly type: 'client_keys.fetched'
      readonly jwks_uri: string
      /** The reason of the fetch. */
      readonly reason: FetchReason
      readonly kids: readonly string[]
    } & Client)
  | ({
      readonly type: 'client_keys.failed'
      readonly jwks_uri: string
      /** The reason of the fetch. */
      readonly reason: FetchReason
      readonly description: string
      readonly rule: Citation
    } & Client)
  | ({ readonly type: 'sector_document.fetched'; readonly sector_identifier_uri: string } & Client)
  | ({
      readonly type: 'sector_document.failed'
      readonly sector_identifier_uri: string
      readonly description: string
      readonly rule: Citation
    } & Client)
  /** A document at the address that is the id of its client. */
  | ({
      readonly type: 'client_document.fetched'
      readonly client_name?: string
      readonly redirect_uris: readonly string[]
      readonly token_endpoint_auth_method: string
      /** Seconds that the document counts unasked. */
      readonly fresh_for: number
      /** Names of members that had another value the last time. */
      readonly changed?: readonly string[]
    } & Client)
  | ({
      readonly type: 'client_document.refused'
      readonly description: string
      readonly rule: Citation
    } & Client)
