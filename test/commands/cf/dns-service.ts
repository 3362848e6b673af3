import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect } from 'vitest'
import type { EmulatorSettings } from '../../../src/servers/cloudflare/emulator/settings.js'
import type { DnsRecord } from '../../../src/servers/cloudflare/shapes.js'
import { email, emulator, key, records } from '../../servers/cloudflare/support.js'
import type { Ask } from '../../support/ask.js'
import { runHere, type Said } from '../../support/in-process.js'
import { cleanEnv, temporaryFolder } from '../../support/program.js'
import { read } from '../../support/source-files.js'

const { dns: fixtures } = JSON.parse(read('fixtures/lab.json')) as { dns: Pick<EmulatorSettings, 'zones'> }

/** A service with the zones of the fixture, new for each test, and the commands that talk to it. */
export function dnsService() {
  const folder = temporaryFolder()
  const api = () => emulator({ zones: fixtures.zones })
  /** The emulator of the test, and the function that answers requests. */
  const service: { api: ReturnType<typeof emulator>; handle: Ask; env: Record<string, string> } = {
    api: api(),
    handle: async () => ({ status: 500, headers: [], body: new Uint8Array() }),
    env: {},
  }
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', async () => {
      const { method = '', url = '', headers } = request
      const answer = await service.handle({
        method,
        url: `http://127.0.0.1${url}`,
        headers: Object.entries(headers).map(([name, value]) => [name, String(value)] as const),
        body: Buffer.concat(chunks),
      })
      response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(answer.body)
    })
  })
  beforeAll(async () => {
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    service.env = cleanEnv(folder.path, {
      CLOUDFLARE_BASE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}/client/v4`,
      CLOUDFLARE_API_KEY: key,
      CLOUDFLARE_EMAIL: email,
    })
  })
  beforeEach(() => {
    service.api = api()
    service.handle = service.api.site.handle
  })
  afterAll(() => {
    server.closeAllConnections()
    server.close()
    folder.remove()
  })

  /** How many records the zone has, without asking as a command does. */
  const count = async (): Promise<number> => (await service.api.ask(records)).info.total_count

  const cf = (args: readonly string[], input?: string): Promise<Said> =>
    runHere(['cf', ...args], { env: service.env, ...(input !== undefined && { input }) })
  const dns = (...args: readonly string[]) => cf(['dns', ...args])

  async function said(...args: readonly string[]): Promise<string> {
    const { code, stdout, stderr } = await dns(...args)
    expect(stderr).toBe('')
    expect(code).toBe(0)
    return stdout
  }
  const list = async (...args: readonly string[]) =>
    JSON.parse(await said('list', '--json', ...args)) as DnsRecord[]
  const file = (name: string, text: string) => {
    writeFileSync(join(folder.path, name), text)
    return join(folder.path, name)
  }
  return { service, count, cf, dns, said, list, file }
}
