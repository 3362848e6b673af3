import { readFileSync } from 'node:fs'
import https from 'node:https'
import type { ClientPair } from '../../../src/lab/certificates/client-pair.js'

/** `fetch` by node:https, with a client certificate. */
export function fetchWith({ certificate, key }: ClientPair, ca: string) {
  const pair = {
    cert: readFileSync(certificate),
    key: readFileSync(key),
    ca,
    agent: false as const,
  }
  return (url: string, options: { method?: string; headers?: unknown; body?: unknown } = {}) =>
    new Promise<Response>((resolve, reject) => {
      const headers = Object.fromEntries(new Headers(options.headers as Record<string, string>))
      const request = https.request(url, { ...pair, method: options.method ?? 'GET', headers }, answer => {
        const chunks: Buffer[] = []
        answer.on('data', (chunk: Buffer) => chunks.push(chunk))
        answer.on('end', () => {
          const names = Object.entries(answer.headersDistinct) as [string, string[]][]
          const pairs = names.flatMap(([name, values]) =>
            values.map((value): [string, string] => [name, value]),
          )
          resolve(new Response(Buffer.concat(chunks), { status: answer.statusCode ?? 500, headers: pairs }))
        })
      })
      request.on('error', reject)
      request.end(options.body === undefined || options.body === null ? undefined : String(options.body))
    })
}
