import type { Mount, Mounts } from '../../lab/listening/mounts.js'
import { type HttpRequest, type HttpResponse, splitUrl, textResponse } from '../../protocol/http/message.js'
import type { Site } from '../../protocol/http/site.js'
import type { InnerServer } from './scene.js'

/** The name of the server in the network of the lab. */
const NAME = 'backup.internal'

const PATH = '/records/alice'

/** Opens a server on this computer that stands for one in the network behind the lab: plain http, and no login. */
export async function openInnerServer(
  mounts: Mounts,
  listener: Pick<Mount, 'port' | 'portOption' | 'bodyLimit'>,
  word: string,
): Promise<InnerServer & { readonly hosts: Readonly<Record<string, string>> }> {
  let hits = 0
  const handle = async ({ url }: HttpRequest): Promise<HttpResponse> => {
    hits += 1
    return splitUrl(url).path === PATH
      ? textResponse(200, `Backup of alice: the key is under the ${word}`)
      : textResponse(404, 'no such backup')
  }
  const site = (): Site => ({ name: 'inner', handle })
  const { baseUrl } = await mounts.mount({ ...listener, scheme: 'http', anyHost: true, site })
  const { port } = new URL(baseUrl)
  return { url: `http://${NAME}:${port}${PATH}`, hits: () => hits, hosts: { [NAME]: '127.0.0.1' } }
}
