// The DNS and security-event API as it is on the wire: what a server writes and a client reads.

/** One error of an answer. */
export interface ApiError {
  readonly code: number
  readonly message: string
  /** The underlying errors, when one error stands for several. */
  readonly error_chain?: readonly ApiError[]
  /** Which part of the request it is about, as a JSON pointer. */
  readonly source?: { readonly pointer: string }
}

/** The position of a page among all. */
export interface PageInfo {
  readonly page: number
  readonly per_page: number
  /** Results on this page. */
  readonly count: number
  readonly total_count: number
  readonly total_pages: number
}

/** The position in a list of events. */
export interface CursorInfo {
  readonly cursors: {
    /** Asks for the next, older ones; empty at the end. */ readonly after: string
    readonly before: string
  }
  /** RFC 3339. */
  readonly scanned_range: { readonly since: string; readonly until: string }
}

/** The wrapper of every answer. Members in the order they are written. */
export interface Envelope<Result, Info = PageInfo | CursorInfo> {
  readonly result: Result | null
  readonly success: boolean
  readonly errors: readonly ApiError[]
  readonly messages: readonly ApiError[]
  readonly result_info?: Info
}

/** Types of records that can be kept. */
export const RECORD_TYPES = [
  ...['A', 'AAAA', 'CAA', 'CERT', 'CNAME', 'DNSKEY', 'DS', 'HTTPS', 'LOC', 'MX', 'NAPTR', 'NS', 'OPENPGPKEY'],
  ...['PTR', 'SMIMEA', 'SRV', 'SSHFP', 'SVCB', 'TLSA', 'TXT', 'URI'],
] as const

/** Types whose traffic the service can take on itself. */
export const PROXIABLE_TYPES: readonly string[] = ['A', 'AAAA', 'CNAME']

/** The parts of a record's content, for types that have them. */
export type RecordData = { readonly [name: string]: string | number }

/** A DNS record. Members in the order they are written. */
export interface DnsRecord {
  /** 32 hexadecimal digits. */
  readonly id: string
  /** The full name, in lower case and Punycode, without a dot at its end. */
  readonly name: string
  readonly type: string
  readonly content: string
  /** MX, SRV and URI. */
  readonly priority?: number
  readonly proxiable: boolean
  readonly proxied: boolean
  /** Seconds; 1 is automatic. */
  readonly ttl: number
  /** Types that have parts. */
  readonly data?: RecordData
  readonly settings: { readonly [name: string]: boolean }
  readonly meta: { readonly [name: string]: unknown }
  readonly comment: string | null
  readonly tags: readonly string[]
  /** RFC 3339, with a fraction. */
  readonly created_on: string
  readonly modified_on: string
}

/** A zone, as far as a client has to know it. */
export interface Zone {
  /** 32 hexadecimal digits. */
  readonly id: string
  readonly name: string
  readonly status: string
  readonly [member: string]: unknown
}

export const EVENT_KINDS = ['firewall'] as const

/** The action on a request. `simulate` and `log` mark an action that was logged and not enforced. */
export const EVENT_ACTIONS = [
  ...['allow', 'challenge', 'connectionClose', 'drop', 'jschallenge', 'log', 'simulate', 'unknown'],
] as const

/** Which product found it. */
export const EVENT_SOURCES = [
  ...['asn', 'bic', 'country', 'firewallRules', 'hot', 'ip', 'ipRange', 'l7ddos', 'rateLimit'],
  ...['securityLevel', 'uaBlock', 'unknown', 'waf', 'zoneLockdown'],
] as const

export const EVENT_IP_CLASSES = [
  ...['backupService', 'badHost', 'clean', 'greylist', 'mobilePlatform', 'monitoringService', 'noRecord'],
  ...['scan', 'searchEngine', 'securityScanner', 'tor', 'unknown', 'whitelist'],
] as const

export const EVENT_PROTOCOLS = ['HTTP/1.0', 'HTTP/1.1', 'HTTP/1.2', 'HTTP/2', 'SPDY/3.1', 'UNK'] as const

/** A security event. An attacker may have written its texts about the request. */
export interface SecurityEvent {
  readonly ray_id: string
  readonly kind: string
  readonly source: string
  readonly action: string
  readonly rule_id: string
  readonly ip: string
  readonly ip_class: string
  readonly country: string
  readonly colo: string
  readonly host: string
  readonly method: string
  readonly proto: string
  readonly scheme: string
  readonly ua: string
  readonly uri: string
  /** RFC 3339, UTC. */
  readonly occurred_at: string
  readonly matches: readonly {
    readonly rule_id: string
    readonly source: string
    readonly action: string
    readonly metadata: { readonly [name: string]: unknown }
  }[]
}

/** The ten fields that always have a string, empty or not (interface specification, "Event fields"). */
export const EVENT_FIELDS = [
  'kind',
  'source',
  'action',
  'ip',
  'ip_class',
  'country',
  'colo',
  'host',
  'uri',
  'ua',
] as const

/** An action as GraphQL names it today. */
export const GRAPHQL_ACTIONS: { readonly [action: string]: string } = { simulate: 'log', drop: 'block' }
