import { type Html, html } from '../../http/html.js'
import type { Client } from '../../oauth/client.js'
import { parseLoopback } from '../../oauth/redirect-uri.js'

/** True for an http address of this computer, where any program may listen. */
const isLoopback = (redirectUri: string) =>
  parseLoopback(redirectUri, { anyLocalhostPort: true }) !== undefined

/**
 * Says where a client introduced itself from: the host of its document is all that is proven of it. Every program on a
 * computer can use the document of a client with a loopback address, so the page warns of those
 * (draft-ietf-oauth-client-id-metadata-document-02 §8.5; MCP 2026-07-28 Security §7.2).
 * @param redirectUri absent: the answer goes to no address
 */
export function introduction(
  { client_id: id, introduced }: Pick<Client, 'client_id' | 'introduced'>,
  redirectUri?: string,
): Html | undefined {
  if (introduced !== 'document') return undefined
  const warned = redirectUri !== undefined && isLoopback(redirectUri)
  return html`
<p>This application introduced itself from <strong id="client-host">${new URL(id).host}</strong>. Nobody who runs this server checked it.</p>${
    warned
      ? html`
<p role="note" class="alert" id="loopback">The answer goes to a program on this computer (<code>${new URL(redirectUri).host}</code>), and any program can use this name. Continue only if you started it yourself just now.</p>`
      : undefined
  }`
}
