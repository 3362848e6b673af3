import { createServer, type Server } from 'node:net'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { TransportError } from '../../../../src/protocol/errors.js'
import { benchTarget, proxyTarget } from '../../../../src/session/targets/proxy.js'
import { temporaryFolder } from '../../../support/program.js'

/** The commands whose mounts were stopped, and those whose mounts refuse every site. */
const { stopped, refusing } = vi.hoisted(() => ({
  stopped: [] as (string | undefined)[],
  refusing: new Set<string | undefined>(),
}))

vi.mock('../../../../src/lab/listening/mounts.js', async original => {
  const { openMounts } = await original<typeof import('../../../../src/lab/listening/mounts.js')>()
  return {
    openMounts: async (options: Parameters<typeof openMounts>[0]) => {
      const mounts = await openMounts(options)
      const { command } = options
      return {
        ...mounts,
        async mount(site: Parameters<typeof mounts.mount>[0]) {
          const listener = await mounts.mount(site)
          if (refusing.has(command)) throw new TransportError('no more ports', 'EADDRINUSE')
          return listener
        },
        async stop() {
          stopped.push(command)
          await mounts.stop()
        },
      }
    },
  }
})

const home = temporaryFolder()
const narrate = () => {}
const options = { home: home.path, timeoutMs: 5000 }
const busy: Server = createServer()
let port: number
beforeAll(async () => {
  await new Promise<void>(done => busy.listen(0, '127.0.0.1', done))
  port = (busy.address() as { port: number }).port
})
afterAll(() => {
  busy.close()
  home.remove()
})

it('stops the mounts of a proxy whose port is busy', async () => {
  const proxy = proxyTarget({ mode: 'default', port, upstream: 'https://localhost:1' }, options, { narrate })
  await expect(proxy).rejects.toThrow(`port ${port} of 127.0.0.1 is in use`)
  expect(stopped).toEqual(['compress proxy'])
})

it('stops the mounts of a bench that cannot listen, then its lab', async () => {
  stopped.length = 0
  refusing.add('compress')
  await expect(benchTarget(options, { narrate })).rejects.toThrow('no more ports')
  expect(stopped).toEqual(['compress', undefined])
})
