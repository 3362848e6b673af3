// Keycloak with the realm of keycloak-realm.json and a database in memory, until stdin ends.
// node keycloak.js CERTIFICATE_AND_KEY   prints its issuer
import { copyFileSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { folderOf } from './download.js'
import { freePort, runServer } from './java-server.js'

const [pem] = process.argv.slice(2)
const folder = folderOf('keycloak')
const home = join(folder, readdirSync(folder)[0])
mkdirSync(join(home, 'data/import'), { recursive: true })
copyFileSync(join(import.meta.dirname, 'keycloak-realm.json'), join(home, 'data/import/lab-realm.json'))

const [http, https] = [await freePort(), await freePort()]
const options = {
  db: 'dev-mem',
  hostname: `https://localhost:${https}`,
  'http-host': '127.0.0.1',
  'http-port': http,
  'https-port': https,
  'https-certificate-file': pem,
  'https-certificate-key-file': pem,
}
await runServer(
  [
    ...['bash', join(home, 'bin/kc.sh'), 'start-dev', '--import-realm'],
    ...Object.entries(options).map(([name, value]) => `--${name}=${value}`),
  ],
  { JAVA_OPTS_KC_HEAP: '-Xms64m -Xmx512m' },
  `http://127.0.0.1:${http}/realms/lab/.well-known/openid-configuration`,
  `https://localhost:${https}/realms/lab`,
)
