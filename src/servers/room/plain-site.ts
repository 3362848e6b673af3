import { type HttpResponse, textResponse, withNosniff } from '../../protocol/http/message.js'
import { createRouter, type Site } from '../../protocol/http/site.js'

/** The program as a file that npm installs. */
export interface Tarball {
  readonly bytes: Uint8Array
  /** Hexadecimal. */
  readonly sha256: string
}

interface PlainSiteOptions {
  /** The page that says how to join. The tarball is missing where it could not be made. */
  readonly page: (tarball: Tarball | undefined) => HttpResponse | Promise<HttpResponse>
  /** Makes the tarball the first time. */
  readonly tarball: () => Promise<Tarball | undefined>
  /** The certificate of the lab's authority, which browsers have to trust. */
  readonly caPem: string
}

const file = (type: string, body: Uint8Array): HttpResponse =>
  withNosniff({
    status: 200,
    headers: [
      ['content-type', type],
      ['cache-control', 'no-store'],
    ],
    body,
  })

/** Makes the site of the plain port. Nothing on it is secret, and nobody can be sure who wrote it: the tarball is checked by its SHA-256. */
export function plainSite({ page, tarball, caPem }: PlainSiteOptions): Site {
  return {
    name: 'room-plain',
    handle: createRouter([
      { path: '/', methods: { GET: async () => page(await tarball()) } },
      {
        path: '/oauth-lab.tgz',
        methods: {
          async GET() {
            const made = await tarball()
            return made === undefined
              ? textResponse(404, 'The computer of the teacher has no npm to make this file with.\n')
              : file('application/gzip', made.bytes)
          },
        },
      },
      { path: '/ca.pem', methods: { GET: () => file('application/x-pem-file', Buffer.from(caPem)) } },
    ]),
  }
}
