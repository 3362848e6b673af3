import type { FlowOptions } from '../../flows/options.js'
import type { LabConfig } from '../../lab/lab-file/config.js'
import type { StateHome } from '../../lab/state/state-folder.js'
import type { Send } from '../../protocol/http/exchange.js'

/** The lab whose clients learn about it. */
export interface KnownLab {
  readonly issuer: string
  readonly config: LabConfig
  readonly home: StateHome
  /** The base URL of the listener that asks for client certificates. Absent: it is closed. */
  readonly mtlsUrl?: string | undefined
}

/**
 * Reads the published metadata of a lab. For a lab that publishes nothing, returns the addresses and keys that its
 * clients are configured with.
 */
export async function labKnowledge(
  { issuer, config, home, mtlsUrl }: KnownLab,
  send: Send,
  signal: AbortSignal,
): Promise<Pick<FlowOptions, 'metadata' | 'carriedKeys'>> {
  const { carriedKeys, isPublished, unpublishedMetadata } = await import('../../lab/unpublished-lab.js')
  if (isPublished(config)) {
    const { discover } = await import('../../client/discovery.js')
    return { metadata: await discover(issuer, send, signal) }
  }
  const keys = await carriedKeys(config, home)
  const metadata = unpublishedMetadata(issuer, config, mtlsUrl)
  return keys ? { metadata, carriedKeys: keys } : { metadata }
}
