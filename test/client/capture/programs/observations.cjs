// What a program sees of its own requests, as a line of JSON. It must be the same with the hook and without.
const { createServer, request: send, Agent } = require('node:http')
const { once } = require('node:events')
const { gzipSync } = require('node:zlib')

const big = Buffer.alloc(3_000_000, 'x')
const server = createServer(async (request, response) => {
  const chunks = []
  for await (const chunk of request) chunks.push(chunk)
  const body = Buffer.concat(chunks)
  if (request.url === '/trailers') {
    response.writeHead(200, { trailer: 'x-end', 'set-cookie': ['a=1', 'b=2'] })
    response.write('one')
    response.addTrailers({ 'x-end': 'yes' })
    response.end('two')
  } else if (request.url === '/gzip') {
    response.writeHead(200, { 'content-encoding': 'gzip', 'content-type': 'application/json' })
    response.end(gzipSync('{"a":1}'))
  } else if (request.url === '/big') response.end(big)
  else if (request.url === '/half') {
    response.writeHead(200, { 'content-length': 10 })
    response.write('half')
    setTimeout(() => response.destroy(), 20)
  } else if (request.url === '/moved') response.writeHead(302, { location: '/gzip' }).end()
  else if (request.url !== '/never')
    response.end(`${request.method} ${body.length} ${request.headers['x-odd'] ?? ''}`)
})

async function text(response) {
  let all = ''
  for await (const chunk of response) all += chunk
  return all
}

const codeOf = error => error.code ?? error.cause?.code ?? error.name

async function nodeHttp(port) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const ask = (path, options = {}, body = undefined) =>
    new Promise((resolve, reject) => {
      const request = send({ port, path, agent, ...options }, response => resolve({ request, response }))
      request.on('error', reject)
      request.end(body)
    })
  const seen = {}
  const first = await ask('/trailers')
  seen.flowing = first.response.readableFlowing
  seen.body = await text(first.response)
  seen.trailers = first.response.trailers
  seen.cookies = first.response.headers['set-cookie']
  const again = await ask(
    '/echo',
    {
      method: 'POST',
      headers: [
        ['Host', 'x'],
        ['X-Odd', 'ä'.normalize()],
      ],
    },
    'abc',
  )
  seen.reused = again.request.reusedSocket
  seen.echo = await text(again.response)
  seen.keys = [Object.keys(again.request).sort(), Object.keys(again.response).sort()]
  const counts = ['error', 'response', 'close', 'finish', 'data', 'end']
  seen.listeners = counts.map(name => [again.request.listenerCount(name), again.response.listenerCount(name)])
  const large = await ask('/big')
  seen.paused = large.response.isPaused()
  seen.big = (await text(large.response)).length
  const posted = send({ port, path: '/echo', method: 'POST' })
  seen.full = posted.write(big)
  posted.write('é', 'latin1')
  posted.end(() => {})
  const [answer] = await once(posted, 'response')
  seen.posted = await text(answer)
  seen.half = await ask('/half')
    .then(({ response }) => text(response))
    .catch(codeOf)
  seen.refused = await ask('/', { port: 1 }).catch(codeOf)
  const aborted = send({ port, path: '/never' }).on('error', () => {})
  aborted.end()
  aborted.destroy()
  await new Promise(resolve => aborted.on('close', resolve))
  seen.destroyed = aborted.destroyed
  agent.destroy()
  return seen
}

async function fetched(port) {
  const at = path => `http://127.0.0.1:${port}${path}`
  const seen = {}
  seen.json = await (await fetch(at('/gzip'))).json()
  seen.moved = await fetch(at('/moved')).then(response => [response.redirected, response.status])
  const form = new URLSearchParams({ a: '1', b: 'ü' })
  seen.form = await (await fetch(at('/echo'), { method: 'POST', body: form })).text()
  const stream = new ReadableStream({
    start(controller) {
      controller.enqueue(new TextEncoder().encode('stream'))
      controller.close()
    },
  })
  seen.stream = await (await fetch(at('/echo'), { method: 'POST', body: stream, duplex: 'half' })).text()
  const reader = (await fetch(at('/big'))).body.getReader()
  let length = 0
  for (let part = await reader.read(); !part.done; part = await reader.read()) length += part.value.length
  seen.big = length
  await (await fetch(at('/big'))).body.cancel()
  seen.timeout = await fetch(at('/never'), { signal: AbortSignal.timeout(30) }).catch(error => error.name)
  seen.refused = await fetch('http://127.0.0.1:65533/').catch(error => [error.message, codeOf(error)])
  seen.half = await fetch(at('/half'))
    .then(response => response.text())
    .catch(error => error.message)
  return seen
}

server.listen(0, '127.0.0.1', async () => {
  const { port } = server.address()
  const seen = { http: await nodeHttp(port), fetch: await fetched(port) }
  // Nobody hears this error: the process has to notice.
  process.once('uncaughtException', error => {
    seen.unheard = codeOf(error)
    console.log(JSON.stringify(seen))
    server.closeAllConnections()
    server.close()
  })
  send({ port: 1 }).end()
})
