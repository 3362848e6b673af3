import type { Citation } from '../rules/rule.js'

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
