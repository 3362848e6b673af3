import { createServer as createHttpServer, type RequestListener, type Server } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { generate } from 'selfsigned'

/** A self-signed certificate for localhost and 127.0.0.1. */
export async function testCertificate(names: readonly string[] = ['localhost']) {
  const { cert, private: key } = await generate([{ name: 'commonName', value: names[0] ?? 'localhost' }], {
    algorithm: 'sha256',
    extensions: [
      { name: 'basicConstraints', cA: true },
      { name: 'keyUsage', keyCertSign: true, digitalSignature: true },
      {
        name: 'subjectAltName',
        altNames: names.map(value =>
          /^[\d.]+$/.test(value) ? { type: 7, ip: value } : { type: 2, value },
        ) as never,
      },
    ],
  })
  return { cert, key }
}

export type TestCertificate = Awaited<ReturnType<typeof testCertificate>>

/** Listens on a free port of 127.0.0.1, over TLS where a certificate is given. */
export async function listen(
  listener: RequestListener,
  certificate?: TestCertificate,
): Promise<{ origin: string; server: Server; close(): Promise<void> }> {
  const server = certificate ? createServer(certificate, listener) : createHttpServer(listener)
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  return {
    origin: certificate ? `https://localhost:${port}` : `http://127.0.0.1:${port}`,
    server,
    close: () =>
      new Promise(done => {
        server.close(() => done())
        server.closeAllConnections()
      }),
  }
}
