import { request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { defined } from '../../src/protocol/values.js'

/** An answer to `ask`. */
export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: string
}

/** What to ask for. */
export interface Question {
  /** The CA to trust, PEM; nothing else is trusted. */
  readonly ca?: string
  /** The client's certificate and its key, PEM. */
  readonly cert?: string
  readonly key?: string
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
}

/** Sends one request by Node's own client, so that the project's client is not tested with itself. */
export function ask(url: string, question: Question = {}): Promise<Answer> {
  const { ca, cert, key, method = 'GET', headers = {}, body } = question
  const send = url.startsWith('https:') ? httpsRequest : httpRequest
  return new Promise((resolve, reject) => {
    const options = { method, headers, agent: false, timeout: 30_000, ...defined({ ca, cert, key }) }
    const request = send(url, options, response => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (chunk: string) => {
        text += chunk
      })
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text }),
      )
      response.on('error', reject)
    })
    request.on('timeout', () => request.destroy(new Error(`${url} did not answer in 30 s`)))
    request.on('error', reject)
    request.end(body)
  })
}
