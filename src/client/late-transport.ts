import type { Transport, TransportOptions } from './transport.js'

/** A transport whose program is read with the first request: who only looks at a screen does not wait for it. */
export function lateTransport(options: TransportOptions): Transport {
  let made: Promise<Transport> | undefined
  const transport = async (): Promise<Transport> => {
    const { createTransport } = await import('./transport.js')
    return createTransport(options)
  }
  return {
    async send(request, more) {
      made ??= transport()
      return (await made).send(request, more)
    },
    async close() {
      await (await made)?.close()
    },
  }
}
