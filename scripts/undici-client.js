// The part of undici that the program uses: one connection and its requests. The package's own entry also loads fetch, caches,
// mocks, pools and WebSockets, which are most of it.
import Client from '../node_modules/undici/lib/dispatcher/client.js'

export { Client }
