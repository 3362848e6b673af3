// oauth2-mock-server on the lab's certificate. It takes every client at its word. node oauth2-mock-server.js PEM
import { readFileSync } from 'node:fs'
import { createServer } from 'node:https'
import mock from 'oauth2-mock-server'
import { portOf } from '../../bench/port.js'

const pem = readFileSync(process.argv[2])
const { issuer, service } = new mock.OAuth2Server()
await issuer.keys.generate('RS256')
const server = createServer({ cert: pem, key: pem }, service.requestHandler)
server.listen(0, '127.0.0.1', () => {
  issuer.url = `https://localhost:${portOf(server)}`
  console.log(JSON.stringify({ url: issuer.url }))
})
