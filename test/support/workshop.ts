import { AsyncLocalStorage } from 'node:async_hooks'
import tls from 'node:tls'
import { vi } from 'vitest'
import type { WorkshopReady } from '../../src/commands/output/json-lines.js'
import { jsonLines, type Running, startProgram, until } from './program.js'

/** A running `oauth-lab workshop`. */
export interface OpenWorkshop {
  readonly running: Running
  readonly ready: WorkshopReady
  /** Sends a signal and waits for the end. */
  stop(signal?: NodeJS.Signals): Promise<void>
}

/**
 * Starts `workshop --json`, and waits until people can join.
 * @param env of the teacher
 * @param args further options
 * @param place by default 127.0.0.1 and a free port
 */
export async function openWorkshop(
  env: Record<string, string>,
  args: readonly string[] = [],
  { address = '127.0.0.1', port = '0' } = {},
): Promise<OpenWorkshop> {
  const place = ['--address', address, '--port', port, '--http-port', '0']
  const running = startProgram(['workshop', '--json', ...place, ...args], { env, limit: 600_000 })
  const ready = await until(
    () =>
      running.stdout().includes('\n')
        ? (jsonLines(running.stdout())[0] as unknown as WorkshopReady)
        : undefined,
    () => `the workshop is not ready: ${running.stderr()}`,
    120_000,
  )
  return {
    running,
    ready,
    async stop(signal = 'SIGTERM') {
      running.child.kill(signal)
      await running.ended
    },
  }
}

/**
 * Gives each participant in this process a computer: the connections of some work come from its address, until
 * `vi.restoreAllMocks`.
 */
export function classComputers(): <Result>(address: string, work: () => Promise<Result>) => Promise<Result> {
  const computer = new AsyncLocalStorage<string>()
  const connect = tls.connect.bind(tls) as (options: tls.ConnectionOptions) => tls.TLSSocket
  vi.spyOn(tls, 'connect').mockImplementation(((options: tls.ConnectionOptions) =>
    connect({ ...options, localAddress: computer.getStore() } as tls.ConnectionOptions)) as never)
  return (address, work) => computer.run(address, work)
}
