import { openMounts } from '../../lab/listening/mounts.js'
import { createAsk } from '../../servers/compression/client/ask.js'
import { type MeasureCase, openBench } from '../../servers/compression/studies/bench.js'
import type { LabOptions, LabUse } from './lab-target.js'
import { type Target, targetFrom } from './target.js'
import { urlTarget } from './url-target.js'

/** The lab in use, and a reverse proxy of this process in front of it. */
export interface BenchTarget extends Target {
  /** Path of the CA file of the state folder, absolute. */
  readonly caFile: string
  readonly measure: MeasureCase
}

/** Most bytes of a request's body: the bench sends none. */
const BODY_LIMIT = 1024

/**
 * Opens a bench at the lab in use. The proxy listens on a free port.
 * @throws UsageError, TransportError
 */
export function benchTarget(
  options: LabOptions & { readonly timeoutMs: number },
  use: Pick<LabUse, 'narrate'>,
): Promise<BenchTarget> {
  const { home, timeoutMs } = options
  const mounting = async (lab: Target): Promise<BenchTarget> =>
    targetFrom(openMounts({ home, command: 'compress' }), async ({ certificates, mount, stop }) => {
      const { caPem } = lab
      const server = new URL(lab.address).origin
      const measure = await openBench({
        server,
        caPem,
        timeoutMs,
        askServer: createAsk({ caPem, timeoutMs }),
        askProxy: createAsk({ caPem: certificates.caPem, timeoutMs }),
        mount: async site => {
          const listener = { port: 0, portOption: '--port', bodyLimit: BODY_LIMIT, site: () => site }
          return (await mount(listener)).baseUrl
        },
      })
      return {
        ...lab,
        address: server,
        caFile: certificates.caFile,
        measure,
        async stop() {
          await stop()
          await lab.stop()
        },
      }
    })
  return targetFrom(urlTarget('/', options, use), mounting)
}
