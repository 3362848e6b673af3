import type { ProxyMode } from '../../../servers/compression/proxy/modes.js'
import type { CaseSetting, MeasuredCase } from '../../../servers/compression/studies/cases.js'
import type { FileOffers } from '../screen/notices.js'

/** The functions of the compression lab behind its keys. */
export interface CompressOffers extends FileOffers {
  /** Base URL of the server. */
  readonly server: string
  readonly cases: readonly CaseSetting[]
  /** Paths that are asked for, the first one first. */
  readonly paths: readonly string[]
  /** Accept-Encoding of clients; null: none. */
  readonly offers: readonly (string | null)[]
  readonly modes: readonly ProxyMode[]
  /** The meaning of each mode, in short. */
  readonly meanings: Readonly<Record<ProxyMode, string>>
  /** Asks for `path` on the way of a case; rejects with a message for people. */
  readonly measure: (setting: CaseSetting, path: string) => Promise<MeasuredCase>
  /** The equal nginx configuration. */
  readonly nginx: (mode: ProxyMode) => string
}
