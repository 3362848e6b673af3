import type { FlowOptions } from '../../flows/options.js'
import type { DocumentLie } from '../../flows/ports.js'
import { openMounts } from '../../lab/listening/mounts.js'
import type { HttpRequest } from '../../protocol/http/message.js'
import { publishedJson, splitUrl } from '../../protocol/http/message.js'
import { clientDocument } from '../../protocol/oauth/client-metadata.js'

/** The path of the document. */
const PATH = '/client.json'

/** The options of a client that serves its own document. */
export interface OwnDocumentOptions {
  /** The state folder: certificates come from there. */
  readonly home: string
  readonly name: string
  readonly redirectUri: string
  /** The point in which the document is wrong. Absent: none. */
  readonly lie?: DocumentLie | undefined
}

/** The document of a client on this computer, while its flow runs. */
export interface OwnDocument {
  readonly clientId: string
  /** Returns true once somebody asked for the document. */
  asked(): boolean
  stop(): Promise<void>
}

/** Returns the options of a flow for the public client that a document is about. */
export function asDocumentClient<Options extends FlowOptions>(
  { clientSecret: _, ...options }: Options,
  { clientId }: Pick<OwnDocument, 'clientId'>,
) {
  return { ...options, clientId, auth: 'none' as const, pkce: true }
}

/** Serves the document of a client over https at a free port, with the certificates of the lab. @throws TransportError */
export async function serveOwnDocument(options: OwnDocumentOptions): Promise<OwnDocument> {
  const { home, name, redirectUri, lie } = options
  const mounts = await openMounts({ home, command: 'flow mcp' })
  let isAsked = false
  const site = (baseUrl: string) => {
    const clientId = lie?.clientId?.(baseUrl + PATH) ?? baseUrl + PATH
    const document = clientDocument({ clientId, name, redirectUris: [redirectUri] })
    return {
      name: 'document',
      async handle(request: HttpRequest) {
        isAsked = true
        // The redirect of a wrong answer leads to the honest document.
        const isFollowed = splitUrl(request.url).query !== ''
        return (isFollowed ? undefined : lie?.answer?.(document)) ?? publishedJson(document)(request)
      },
    }
  }
  try {
    const { baseUrl } = await mounts.mount({ port: 0, portOption: '--port', bodyLimit: 0, site })
    const address = baseUrl + PATH
    return { clientId: lie?.clientId?.(address) ?? address, asked: () => isAsked, stop: mounts.stop }
  } catch (error) {
    await mounts.stop()
    throw error
  }
}
