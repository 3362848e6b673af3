import type { RequestContext } from '../../../protocol/http/site.js'
import type { DnsRecord } from '../shapes.js'

/** The members of a record that an event contains. */
export interface RecordInEvent {
  readonly id: string
  readonly record_type: string
  readonly name: string
  readonly content: string
}

/** The events of the emulator. They contain no keys, tokens or addresses of hooks. An event of a token with an owner names the owner as `by`. */
export type EmulatorEvent =
  | { readonly type: 'dns.zones_read'; readonly count: number }
  | {
      readonly type: 'dns.records_read'
      readonly zone: string
      readonly count: number
      readonly total: number
    }
  | ({
      readonly type: 'dns.record_created' | 'dns.record_changed' | 'dns.record_deleted'
      readonly zone: string
    } & RecordInEvent)
  | {
      readonly type: 'dns.batch_applied'
      readonly zone: string
      readonly created: number
      readonly changed: number
      readonly deleted: number
    }
  | { readonly type: 'dns.zone_exported'; readonly zone: string; readonly records: number }
  | {
      readonly type: 'dns.zone_imported'
      readonly zone: string
      readonly added: number
      readonly parsed: number
    }
  | {
      readonly type: 'dns.events_read'
      readonly zone: string
      readonly count: number
      readonly api: 'rest' | 'graphql'
    }
  | { readonly type: 'dns.token_verified' }
  | {
      readonly type: 'dns.refused'
      readonly method: string
      readonly path: string
      readonly status: number
      readonly code: number
      readonly message: string
    }
  | {
      readonly type: 'chat.posted'
      readonly channel?: string
      readonly username?: string
      readonly text?: string
      readonly attachments: readonly ChatAttachment[]
      readonly count: number
    }
  | { readonly type: 'chat.refused'; readonly status: number; readonly error: string }

/** The members of an attachment that a screen shows. */
export interface ChatAttachment {
  readonly color?: string
  readonly fallback?: string
  readonly title?: string
  readonly text?: string
  readonly fields: readonly { readonly title: string; readonly value: string; readonly short: boolean }[]
}

/** The context of a request to the emulator. */
export type Context = RequestContext<EmulatorEvent>

/** Publishes an event of a request. */
export type Publish = Context['publish']

/** Returns the members of an event that describe a record. */
export function recordInEvent({ id, type, name, content }: DnsRecord): RecordInEvent {
  return { id, record_type: type, name, content }
}
