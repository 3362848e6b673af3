import { once } from 'node:events'
import { connect } from 'node:tls'

const LAST_CHUNK = Buffer.from('0\r\n\r\n')

/**
 * A kept-alive HTTPS connection that counts the bytes of bodies and looks at nothing else, so that the load costs less than the server.
 * It reads answers with a content-length, and chunked ones, whose last bytes it knows.
 */
export class ByteCounter {
  #socket
  #host
  #head = ''
  #length
  #received = 0
  #tail = Buffer.alloc(0)
  #waiting

  static async open(url, ca) {
    const { hostname, port, host } = new URL(url)
    const socket = connect({ host: '127.0.0.1', port: Number(port), servername: hostname, ca })
    await once(socket, 'secureConnect')
    return new ByteCounter(socket, host)
  }

  constructor(socket, host) {
    this.#socket = socket
    this.#host = host
    socket.setNoDelay()
    socket.on('data', chunk => this.#read(chunk))
    socket.on('close', () => this.#waiting?.reject(new Error('the server closed the connection')))
    socket.on('error', error => this.#waiting?.reject(error))
  }

  #read(chunk) {
    let body = chunk
    if (this.#length === undefined) {
      const end = chunk.indexOf('\r\n\r\n')
      if (end < 0) {
        // Heads come whole from all servers here.
        this.#waiting.reject(new Error('half a head'))
        return
      }
      this.#head = chunk.toString('latin1', 0, end)
      this.#length = Number(/^content-length: (\d+)/im.exec(this.#head)?.[1] ?? -1)
      body = chunk.subarray(end + 4)
    }
    this.#received += body.length
    if (this.#length >= 0 ? this.#received < this.#length : !this.#ends(body)) return
    const answer = { head: this.#head, bytes: this.#received }
    this.#length = undefined
    this.#received = 0
    this.#tail = Buffer.alloc(0)
    const { resolve } = this.#waiting
    this.#waiting = undefined
    resolve(answer)
  }

  #ends(body) {
    this.#tail = body.length >= 5 ? body.subarray(-5) : Buffer.concat([this.#tail, body]).subarray(-5)
    return this.#tail.equals(LAST_CHUNK)
  }

  /** Asks once; the answer must be a 200 in the coding that was offered. */
  async ask(path, offer) {
    if (this.#socket.destroyed) throw new Error('the server closed the connection')
    const answer = await new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject }
      const field = offer === undefined ? '' : `accept-encoding: ${offer}\r\n`
      this.#socket.write(`GET ${path} HTTP/1.1\r\nhost: ${this.#host}\r\n${field}\r\n`)
    })
    const coding = /^content-encoding: (\S+)/im.exec(answer.head)?.[1]
    if (answer.head.slice(9, 12) === '200' && coding === offer) return answer
    throw new Error(`${path} with ${offer}: ${answer.head}`)
  }

  close() {
    this.#socket.destroy()
  }
}
