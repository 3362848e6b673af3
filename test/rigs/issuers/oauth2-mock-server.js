// oauth2-mock-server on plain HTTP, which takes every client at its word, until stdin ends.
// node oauth2-mock-server.js   prints its issuer
import mock from 'oauth2-mock-server'

const server = new mock.OAuth2Server()
await server.issuer.keys.generate('RS256')
await server.start(0, 'localhost')
process.stdout.write(`${server.issuer.url}\n`)
process.stdin.resume().on('end', () => process.exit())
