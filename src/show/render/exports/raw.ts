import { STATUS_CODES } from 'node:http'
import type { Exchange } from '../../../protocol/http/exchange.js'
import type { HeaderList } from '../../../protocol/http/message.js'
import { splitUrl } from '../../../protocol/http/message.js'
import { maskExchange } from '../../../protocol/safe-output/mask.js'

function message(first: string, headers: HeaderList, body: string): string {
  const lines = [first, ...headers.map(([name, value]) => `${name}: ${value}`), '']
  return `${lines.join('\n')}\n${body}${body === '' || body.endsWith('\n') ? '' : '\n'}`
}

/** A request and its answer as messages (RFC 9112 §2.1), lines ended as files end them; bodies decoded. */
export function rawExchange(exchange: Exchange, options: { readonly showSecrets: boolean }): string {
  const { request, response } = maskExchange(exchange, options.showSecrets ? 'none' : 'all')
  const { path, query } = splitUrl(request.url)
  const target = `${path}${query && `?${query}`}`
  const asked = message(`${request.method} ${target} HTTP/1.1`, request.headers, request.body)
  if (response === undefined) return asked
  const phrase = STATUS_CODES[response.status] ?? ''
  const answered = message(`HTTP/1.1 ${response.status} ${phrase}`.trimEnd(), response.headers, response.body)
  return `${asked}\n${answered}`
}
