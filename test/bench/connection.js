import { once } from 'node:events'
import { connect } from 'node:tls'

/** One answer. `header(name)` is its first header of that name, `cookies` what a browser would send back. */
class Answer {
  constructor(head, body) {
    this.status = Number(head.slice(9, 12))
    this.body = body
    this.head = head
  }
  header(name) {
    return new RegExp(`^${name}: (.*)$`, 'im').exec(this.head)?.[1]
  }
  get cookies() {
    return [...this.head.matchAll(/^set-cookie: ([^;\r]*)/gim)].map(match => match[1])
  }
}

/**
 * One kept-alive HTTPS connection that asks one question after the other. It does as little as it can, so that the load
 * on its core does not limit the server: it reads answers that have a content-length, and nothing else.
 */
export class Connection {
  #socket
  #received = Buffer.alloc(0)
  #waiting

  static async open(url, ca) {
    const { hostname, port, host } = new URL(url)
    const socket = connect({ host: '127.0.0.1', port: Number(port), servername: hostname, ca })
    await once(socket, 'secureConnect')
    return new Connection(socket, host)
  }

  constructor(socket, host) {
    this.#socket = socket
    this.host = host
    socket.setNoDelay()
    socket.on('data', chunk => this.#read(chunk))
    socket.on('close', () => this.#waiting?.reject(new Error('the server closed the connection')))
    socket.on('error', error => this.#waiting?.reject(error))
  }

  #read(chunk) {
    this.#received = this.#received.length === 0 ? chunk : Buffer.concat([this.#received, chunk])
    const end = this.#received.indexOf('\r\n\r\n')
    if (end < 0) return
    const head = this.#received.toString('latin1', 0, end)
    const length = Number(/^content-length: (\d+)/im.exec(head)?.[1] ?? Number.NaN)
    if (Number.isNaN(length)) this.#waiting.reject(new Error(`an answer without content-length: ${head}`))
    if (this.#received.length < end + 4 + length) return
    const body = this.#received.toString('utf8', end + 4, end + 4 + length)
    this.#received = this.#received.subarray(end + 4 + length)
    const { resolve } = this.#waiting
    this.#waiting = undefined
    resolve(new Answer(head, body))
  }

  /** Sends bytes as `message` makes them; the answer must have one of the statuses. */
  async send(bytes, ...statuses) {
    const answer = await new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject }
      this.#socket.write(bytes)
    })
    if (statuses.includes(answer.status)) return answer
    throw new Error(`${answer.status} to ${bytes.split('\r\n', 1)[0]}: ${answer.body}`)
  }

  /**
   * A request as bytes.
   * @param {string} target
   * @param {{ method?: string, form?: Record<string, string>, json?: object, cookies?: string[], authorization?: string }} parts
   *   `form` or `json` is the body, and makes it a POST
   */
  message(target, { method, form, json, cookies = [], authorization } = {}) {
    const type = form === undefined ? 'application/json' : 'application/x-www-form-urlencoded'
    const bodies = { form: form && new URLSearchParams(form).toString(), json: json && JSON.stringify(json) }
    const text = bodies.form ?? bodies.json
    return [
      `${method ?? (text === undefined ? 'GET' : 'POST')} ${target} HTTP/1.1`,
      `host: ${this.host}`,
      ...(authorization === undefined ? [] : [`authorization: ${authorization}`]),
      ...(cookies.length === 0 ? [] : [`cookie: ${cookies.join('; ')}`]),
      ...(text === undefined ? [] : [`content-type: ${type}`, `content-length: ${Buffer.byteLength(text)}`]),
      '',
      text ?? '',
    ].join('\r\n')
  }

  close() {
    this.#socket.destroy()
  }
}
