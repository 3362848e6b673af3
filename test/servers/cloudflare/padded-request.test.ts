import tls from 'node:tls'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startLab } from '../../../src/lab/lab.js'
import { loadLabConfig } from '../../../src/lab/lab-file/config.js'
import type { Lab } from '../../../src/lab/model.js'
import { sharedFolder } from '../../support/shared.js'
import { token } from './support.js'

let lab: Lab
const { path: home } = sharedFolder()
beforeAll(async () => {
  lab = await startLab({ config: await loadLabConfig(null), home, ports: { authorization: 0, dns: 0 } })
})
afterAll(() => lab.stop())

it('answers a request of HTTP/1.0 that is padded with zeros', async () => {
  const { port } = new URL(lab.urls.dns!)
  const request = `GET /client/v4/zones HTTP/1.0\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\n\r\n`
  const answer = await new Promise<string>((resolve, reject) => {
    let text = ''
    const socket = tls.connect({
      host: 'localhost',
      port: Number(port),
      servername: 'localhost',
      ca: lab.caPem,
    })
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk
    })
    socket.once('end', () => resolve(text)).once('error', reject)
    socket.write(request.padEnd(2500, '\0'))
  })
  expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
  expect(JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4)).result).toHaveLength(2)
})
