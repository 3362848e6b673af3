import http from 'node:http'
import https from 'node:https'
import type { Socket } from 'node:net'
import { TransportError } from '../../errors.js'

/** What stands between a proxy and the server behind it. */
export interface TunnelOptions {
  readonly host: string
  readonly port: number
  readonly signal: AbortSignal
}

function proxyAuthorization({ username, password }: URL): Record<string, string> {
  if (username === '' && password === '') return {}
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  return { 'proxy-authorization': `Basic ${Buffer.from(pair).toString('base64')}` }
}

/**
 * Opens a tunnel through an HTTP proxy (RFC 9110 §9.3.6, CONNECT).
 * @throws TransportError where the proxy does not open one, and errors of node
 */
export function openTunnel(proxyUrl: string, { host, port, signal }: TunnelOptions): Promise<Socket> {
  const proxy = new URL(proxyUrl)
  const target = `${host.includes(':') ? `[${host}]` : host}:${port}`
  return new Promise((resolve, reject) => {
    const request = (proxy.protocol === 'https:' ? https : http).request({
      host: proxy.hostname.replace(/^\[(.*)\]$/, '$1'),
      port: proxy.port || (proxy.protocol === 'https:' ? 443 : 80),
      method: 'CONNECT',
      path: target,
      headers: { host: target, ...proxyAuthorization(proxy) },
      agent: false,
      signal,
    })
    const refuse = (status: number | undefined) =>
      reject(new TransportError(`the proxy ${proxy.host} answered ${status} to CONNECT ${target}`, 'EPROXY'))
    request.once('error', reject)
    request.once('connect', ({ statusCode = 0 }, socket: Socket) => {
      if (statusCode >= 200 && statusCode < 300) return resolve(socket)
      socket.destroy()
      refuse(statusCode)
    })
    request.once('response', response => {
      response.destroy()
      refuse(response.statusCode)
    })
    request.end()
  })
}
