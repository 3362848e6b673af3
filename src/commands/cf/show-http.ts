import type { Exchange } from '../../protocol/http/exchange.js'
import type { ApiAccess, ApiRequest } from '../../servers/cloudflare/client/api.js'
import type { Hook } from '../../servers/cloudflare/client/webhook/poster.js'
import { narrate } from '../output/output.js'
import type { Globals } from '../program/globals.js'

/** Prints each exchange with the API on stderr, with the equal curl command. */
export async function httpNarrator({ showSecrets, cacert }: Globals) {
  const { httpLines } = await import('../../show/render/kubernetes/http-lines.js')
  const { dnsCurlLine } = await import('../../show/render/curl/dns-curl.js')
  return (exchange: Exchange, request: ApiRequest, access: ApiAccess) => {
    for (const line of httpLines(exchange, { showSecrets })) narrate(line)
    narrate(`# curl     ${dnsCurlLine(access, exchange.request, request, { showSecrets, cacert })}`)
    narrate('')
  }
}

/** Prints each post to a chat on stderr. The address of the webhook is in no line, with `--show-secrets` either. */
export async function hookNarrator(hook: Hook) {
  const { httpLines } = await import('../../show/render/kubernetes/http-lines.js')
  const { hookCurlLine } = await import('../../show/render/curl/dns-curl.js')
  return (exchange: Exchange) => {
    const { request } = exchange
    const hidden: Exchange = { ...exchange, request: { ...request, url: 'https://…/…' } }
    for (const line of httpLines(hidden, { showSecrets: false })) narrate(hook.hide(line))
    narrate(`# curl     ${hookCurlLine(request)}`)
    narrate('')
  }
}
