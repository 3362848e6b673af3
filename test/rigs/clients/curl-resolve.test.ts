import { execFile } from 'node:child_process'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTransport } from '../../../src/client/transport.js'
import { checkedNetwork, networkSettings } from '../../../src/session/options/network.js'
import { describeWith } from '../../support/requires.js'

// Each entry has the same effect in curl and here: the same server answers, or nobody does.
let server: Server
let port = 0
beforeAll(async () => {
  server = createServer((request, response) => response.end(`${request.headers.host}`))
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
  port = (server.address() as AddressInfo).port
})
afterAll(() => void server.close())

const run = promisify(execFile)

async function byCurl(entries: readonly string[], host: string): Promise<string> {
  const resolve = entries.flatMap(each => ['--resolve', each])
  const args = ['-sS', '--noproxy', '*', '-m', '5', ...resolve, `http://${host}:${port}/`]
  const { stdout } = await run('curl', args).catch(() => ({ stdout: 'nobody' }))
  return stdout
}

async function here(entries: readonly string[], host: string): Promise<string> {
  const settings = networkSettings(checkedNetwork({ resolve: entries }), [])
  const { send, close } = createTransport({ ...settings, env: {}, timeoutMs: 5000 })
  const url = `http://${host}:${port}/`
  const { response } = await send({ method: 'GET', url, headers: [], body: new Uint8Array() }).catch(() => ({
    response: undefined,
  }))
  close()
  return response?.body ?? 'nobody'
}

describeWith(['curl'], '--resolve as curl has it', () => {
  it.each([
    ['one entry', (at: number) => [`id.invalid:${at}:127.0.0.1`], 'id.invalid'],
    ['letters in any case', (at: number) => [`ID.Invalid:${at}:127.0.0.1`], 'id.invalid'],
    ['another port', (at: number) => [`id.invalid:${at === 1 ? 2 : 1}:127.0.0.1`], 'id.invalid'],
    ['any host', (at: number) => [`*:${at}:127.0.0.1`], 'other.invalid'],
    [
      'the last of two',
      (at: number) => [`id.invalid:${at}:127.0.0.9`, `id.invalid:${at}:127.0.0.1`],
      'id.invalid',
    ],
    [
      'a host before any host',
      (at: number) => [`*:${at}:127.0.0.9`, `id.invalid:${at}:127.0.0.1`],
      'id.invalid',
    ],
    ['the first address dead', (at: number) => [`id.invalid:${at}:127.0.0.9,127.0.0.1`], 'id.invalid'],
    [
      'an IPv6 address in brackets, where nobody listens',
      (at: number) => [`id.invalid:${at}:[::1]`],
      'id.invalid',
    ],
  ])('%s', async (_what, entries, host) => {
    const expected = await byCurl(entries(port), host)
    expect(await here(entries(port), host)).toBe(expected)
  })
})
