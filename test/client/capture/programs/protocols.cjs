// Other ways of HTTP than a request and its answer, as a program sees them, as a line of JSON. It must be the same with the
// hook and without.
const { AsyncLocalStorage } = require('node:async_hooks')
const cluster = require('node:cluster')
const { once } = require('node:events')
const http = require('node:http')
const http2 = require('node:http2')
const { pipeline } = require('node:stream/promises')

const [, , port] = process.argv
const json = address => fetch(address, { method: 'POST', body: 'grant_type=x' }).then(answer => answer.json())

async function text(stream) {
  let all = ''
  for await (const chunk of stream) all += chunk
  return all
}

async function serve() {
  const server = http.createServer((request, response) => {
    if (request.url === '/hints') response.writeEarlyHints({ link: '</a>; rel=preload' })
    if (request.url === '/big') response.end(Buffer.alloc(3_000_000, 'x'))
    else if (request.url === '/token') response.end('{"access_token":"t"}')
    else request.pipe(response)
  })
  server.on('checkContinue', (request, response) => {
    response.writeContinue()
    request.pipe(response)
  })
  const echo = head => (_request, socket) => {
    socket.write(`HTTP/1.1 ${head}\r\n\r\n`)
    socket.once('data', data => socket.end(data))
  }
  server.on('upgrade', echo('101 Switching Protocols\r\nUpgrade: echo\r\nConnection: Upgrade'))
  server.on('connect', echo('200 OK'))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return server
}

/** Speaks through the socket of an upgrade or of a tunnel. */
async function through(options, event) {
  const [response, socket] = await once(http.request(options).end(), event)
  socket.write('hello')
  return [response.statusCode, String((await once(socket, 'data'))[0])]
}

async function continued(port) {
  const events = []
  const request = http.request({ port, method: 'POST', headers: { expect: '100-continue' } })
  for (const name of ['socket', 'continue', 'finish', 'response']) request.on(name, () => events.push(name))
  request.flushHeaders()
  await once(request, 'continue')
  request.end('body')
  const [response] = await once(request, 'response')
  return [await text(response), events]
}

async function piped(port) {
  const [response] = await once(http.get({ port, path: '/big' }), 'response')
  let [bytes, most] = [0, 0]
  await pipeline(response, async source => {
    for await (const chunk of source) {
      bytes += chunk.length
      most = Math.max(most, response.readableLength)
      await new Promise(resolve => setImmediate(resolve))
    }
  })
  return [bytes, most <= response.readableHighWaterMark * 2]
}

async function hinted(port) {
  const statuses = []
  const request = http.get({ port, path: '/hints' }, response => response.resume())
  request.on('information', ({ statusCode }) => statuses.push(statusCode))
  await once(request, 'close')
  return statuses
}

async function aborted(port) {
  const stop = new AbortController()
  const reader = (await fetch(`http://127.0.0.1:${port}/big`, { signal: stop.signal })).body.getReader()
  await reader.read()
  stop.abort()
  const rest = async () => {
    while (!(await reader.read()).done);
  }
  return rest().catch(error => error.name)
}

async function overHttp2() {
  const server = http2.createServer((request, response) => response.end(`h2 ${request.url}`)).listen(0)
  await once(server, 'listening')
  const session = http2.connect(`http://localhost:${server.address().port}`)
  const body = await text(session.request({ ':path': '/a' }).setEncoding('utf8'))
  session.close()
  server.close()
  return body
}

async function inWorker(port) {
  cluster.setupPrimary({ exec: __filename, args: [String(port)] })
  const worker = cluster.fork()
  const [message] = await once(worker, 'message')
  const [code] = await once(worker, 'exit')
  return [message, code]
}

async function main() {
  const server = await serve()
  const { port } = server.address()
  const context = new AsyncLocalStorage()
  const seen = {
    upgrade: await through({ port, headers: { connection: 'Upgrade', upgrade: 'echo' } }, 'upgrade'),
    tunnel: await through({ port, method: 'CONNECT', path: 'x:1' }, 'connect'),
    continued: await continued(port),
    piped: await piped(port),
    hinted: await hinted(port),
    aborted: await aborted(port),
    http2: await overHttp2(),
    worker: await inWorker(port),
    context: await context.run('kept', async () => [
      await json(`http://127.0.0.1:${port}/token`),
      context.getStore(),
    ]),
    listeners: process.eventNames().map(String),
  }
  console.log(JSON.stringify(seen))
  server.closeAllConnections()
  server.close()
}

if (cluster.isPrimary) main()
else json(`http://127.0.0.1:${port}/token`).then(answer => process.send(answer, () => process.exit(3)))
