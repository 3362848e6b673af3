import { readFileSync } from 'node:fs'
import type { NewEvent } from '../../../src/protocol/events.js'
import { bytes, header, text } from '../../../src/protocol/http/message.js'
import { createCloudflareEmulator } from '../../../src/servers/cloudflare/emulator/emulator.js'
import type { EmulatorSettings, PastEvent } from '../../../src/servers/cloudflare/emulator/settings.js'
import type {
  ApiError,
  CursorInfo,
  DnsRecord,
  Envelope,
  PageInfo,
} from '../../../src/servers/cloudflare/shapes.js'
import { recordingSite } from '../../support/ask.js'

export const start = Date.UTC(2026, 5, 15, 12)
export const zone = '1ab00000000000000000000000000001'
export const otherZone = '1ab00000000000000000000000000002'
export const key = '1ab0c0ffee1ab0c0ffee1ab0c0ffee1ab0c0f'
export const email = 'alice@example.com'
export const token = 'labtoken00000000000000000000000000000001'

export const records = `/client/v4/zones/${zone}/dns_records`
export const securityEvents = `/client/v4/zones/${zone}/security/events`

/** The fixture that the lab has. */
export const pastEvents = (
  JSON.parse(readFileSync(new URL('../../../fixtures/security-events.json', import.meta.url), 'utf8')) as {
    events: PastEvent[]
  }
).events

/** One request. Credentials are sent unless `headers` says otherwise. */
export interface Asked {
  readonly method?: string
  readonly headers?: readonly (readonly [string, string])[]
  readonly body?: unknown
  readonly rawBody?: string
}

/** An answer, its body read. */
export interface Answered {
  readonly status: number
  readonly text: string
  /** The errors of its envelope. */
  readonly errors: readonly ApiError[]
  /** The code of the first error. */
  readonly code: number | undefined
  readonly info: PageInfo & CursorInfo
  /** What the envelope holds: a record, unless the test knows better. */
  result<T = DnsRecord>(): T
  /** The whole body. */
  json<T = Envelope<unknown>>(): T
  header(name: string): string | undefined
}

/** An emulator with a clock that is set by hand, and what it published. */
export function emulator(settings: Partial<EmulatorSettings> = {}, { seed = 7 } = {}) {
  const clock = { ms: start }
  const published: NewEvent[] = []
  let counter = seed
  // Bytes that look random and repeat: a multiplicative generator modulo 2^31 - 1.
  const random = (length: number) =>
    Uint8Array.from({ length }, () => {
      counter = (counter * 48_271) % 2_147_483_647
      return counter & 255
    })
  let reads = 0
  const emulated = createCloudflareEmulator(
    {
      key,
      email,
      token,
      rate: { attempts: 1200, window: 300_000 },
      zones: [
        { id: zone, name: 'example.com', records: [] },
        { id: otherZone, name: 'example.org', records: [] },
      ],
      ...settings,
    },
    {
      now: () => clock.ms,
      random,
      pastEvents: async () => {
        reads++
        return pastEvents
      },
    },
  )
  const site = recordingSite(emulated, published)
  async function ask(
    path: string,
    { method = 'GET', headers, body, rawBody }: Asked = {},
  ): Promise<Answered> {
    const sent = headers ?? [
      ['X-Auth-Key', key],
      ['X-Auth-Email', email],
      ['Content-Type', 'application/json'],
    ]
    const raw = await site.handle({
      method,
      url: `https://localhost:8446${path}`,
      headers: sent,
      body: bytes(rawBody ?? (body === undefined ? '' : JSON.stringify(body))),
    })
    const answer = text(raw.body)
    const envelope = () => JSON.parse(answer) as Envelope<never, PageInfo & CursorInfo>
    return {
      status: raw.status,
      text: answer,
      get errors() {
        return envelope().errors
      },
      get code() {
        return envelope().errors[0]?.code
      },
      get info() {
        return envelope().result_info!
      },
      result: <T>() => envelope().result as T,
      json: <T>() => JSON.parse(answer) as T,
      header: name => header(raw, name),
    }
  }
  /** Creates a record that has to be taken. */
  async function create(body: object): Promise<DnsRecord> {
    const answer = await ask(records, { method: 'POST', body })
    if (answer.status !== 200) throw new Error(answer.text)
    return answer.result()
  }
  return { ask, create, clock, published, site, reads: () => reads }
}
