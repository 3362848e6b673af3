import { type Html, html } from '../../../protocol/http/page.js'
import type { Client } from '../../../protocol/oauth/client.js'
import { parseLoopback } from '../../../protocol/oauth/redirect-uri.js'

/** True for an http address of this computer, where any program may listen. */
const isLoopback = (redirectUri: string) =>
  parseLoopback(redirectUri, { anyLocalhostPort: true }) !== undefined

/** Name and picture of a client that registered itself are its own words alone (RFC 7591 §5). */
const SELF_REGISTERED = html`
<p role="note" class="alert" id="self-registered">This application registered itself. Nobody who runs this server checked it, and its name may be that of another one.</p>`

/**
 * Says how a client introduced itself. The host of a document is all that is proven of its client. Every program on a
 * computer can use the document of a client with a loopback address, so the page warns of those
 * (draft-ietf-oauth-client-id-metadata-document-02 §8.5; MCP 2026-07-28 Security §7.2).
 * @param redirectUri absent: the answer goes to no address
 */
export function introduction(
  { client_id: id, introduced }: Pick<Client, 'client_id' | 'introduced'>,
  redirectUri?: string,
): Html | undefined {
  if (introduced === 'registration') return SELF_REGISTERED
  if (introduced === undefined) return undefined
  const warned = redirectUri !== undefined && isLoopback(redirectUri)
  return html`
<p>This application introduced itself from <strong id="client-host">${new URL(id).host}</strong>. Nobody who runs this server checked it.</p>${
    warned
      ? html`
<p role="note" class="alert" id="loopback">The answer goes to a program on this computer (<code>${new URL(redirectUri).host}</code>), and any program can use this name. Continue only if you started it yourself just now.</p>`
      : undefined
  }`
}
