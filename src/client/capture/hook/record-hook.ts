import { SOCKET_VARIABLE } from '../wire.js'
import { quietly } from './exchange.js'
import { recordNodeHttp } from './node-http.js'
import { createSink } from './sink.js'
import { recordUndici } from './undici.js'

// A file of its own in dist, which Node loads into each recorded program before the program itself.

const path = process.env[SOCKET_VARIABLE]
if (path) {
  quietly(() => {
    const sink = createSink(path)
    recordNodeHttp(sink)
    recordUndici(sink)
  })
}
