// Lines of Node.js programs that wait for their redirect at a free port of 127.0.0.1 (RFC 8252 §7.3).

export const IMPORTS = [
  "import { once } from 'node:events'",
  "import { createServer } from 'node:http'",
].join('\n')

export const LISTEN = `const server = createServer().listen(0, '127.0.0.1')
await once(server, 'listening')
const redirectUri = 'http://127.0.0.1:' + server.address().port + '/callback'`

export const WAIT = `const [request, response] = await once(server, 'request')
response.setHeader('connection', 'close').end('You may close this tab.')
server.close()
const landed = new URL(request.url, redirectUri)`
