// navikt mock-oauth2-server on plain HTTP, until stdin ends.
// node mock-oauth2-server.js [login]   prints its issuer; with `login` it asks who logs in, else everybody is somebody
import { readdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { folderOf } from './download.js'
import { freePort, runServer } from './java-server.js'

const folder = folderOf('mock-oauth2-server')
const jars = readdirSync(folder).map(name => join(folder, name))
const port = await freePort()
const issuer = `http://127.0.0.1:${port}/default`
await runServer(
  [
    ...['java', '-Xmx128m', '-cp', jars.join(delimiter)],
    'no.nav.security.mock.oauth2.StandaloneMockOAuth2ServerKt',
  ],
  {
    SERVER_HOSTNAME: '127.0.0.1',
    SERVER_PORT: String(port),
    JSON_CONFIG: JSON.stringify({
      interactiveLogin: process.argv[2] === 'login',
      httpServer: 'NettyWrapper',
    }),
  },
  `${issuer}/.well-known/openid-configuration`,
  issuer,
)
