import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { makeSelfSigned } from '../../../src/lab/certificates/certificates.js'
import { listen } from '../../../src/lab/listening/listen.js'
import { textResponse } from '../../../src/protocol/http/message.js'
import { recordingBus } from '../../support/ask.js'

/** A client in a process of its own: it sends its next request as soon as it has the whole answer. */
const CLIENT = `
const tls = require('node:tls')
const [port, length, rounds] = process.argv.slice(1).map(Number)
const body = Buffer.alloc(length, 'x')
const head = 'POST / HTTP/1.1\\r\\nHost: localhost\\r\\nContent-Length: ' + length + '\\r\\n\\r\\n'
const request = Buffer.concat([Buffer.from(head), body])
const socket = tls.connect({ port, rejectUnauthorized: false })
let answers = 0
let left = 0
socket.on('secureConnect', () => socket.write(request))
socket.on('data', chunk => {
  if (left === 0) {
    const end = chunk.indexOf('\\r\\n\\r\\n')
    left = Number(/content-length: (\\d+)/i.exec(chunk.subarray(0, end).toString())[1])
    chunk = chunk.subarray(end + 4)
  }
  left -= chunk.length
  if (left > 0) return
  answers += 1
  if (answers === rounds) socket.destroy()
  else socket.write(request)
})
socket.on('error', () => {})
socket.on('close', () => console.log(answers))
`

it('a large answer over TLS may be followed by a large request at once', async () => {
  const home = mkdtempSync(join(tmpdir(), 'oauth-lab-large-'))
  const listener = await listen({
    hosts: ['127.0.0.1'],
    port: 0,
    portOption: '--port',
    home,
    bodyLimit: 1024 * 1024,
    events: recordingBus([]),
    crashed: () => {},
    tls: await makeSelfSigned(['localhost'], Date.now()),
    baseUrl: port => `https://localhost:${port}`,
    site: () => ({ name: 'test', handle: async () => textResponse(200, 'y'.repeat(60_000)) }),
  })
  try {
    const args = ['-e', CLIENT, String(listener.port), '70000', '200']
    const { stdout } = await promisify(execFile)(process.execPath, args)
    expect(stdout.trim()).toBe('200')
  } finally {
    await listener.stop()
    rmSync(home, { recursive: true })
  }
})
