// Keycloak with the realm of keycloak-realm.json and a database in memory, until stdin ends.
// node keycloak.js CERTIFICATE_AND_KEY [PUBLIC_URL]   prints its issuer; behind a proxy at PUBLIC_URL, its own address
import { copyFileSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { folderOf } from './download.js'
import { freePort, runServer } from './java-server.js'

const [pem, publicUrl] = process.argv.slice(2)
const folder = folderOf('keycloak')
const home = join(folder, readdirSync(folder)[0])
mkdirSync(join(home, 'data/import'), { recursive: true })
copyFileSync(join(import.meta.dirname, 'keycloak-realm.json'), join(home, 'data/import/lab-realm.json'))

const [http, https] = [await freePort(), await freePort()]
const own = `https://localhost:${https}`
const options = {
  db: 'dev-mem',
  hostname: publicUrl ?? own,
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
  publicUrl === undefined ? `${own}/realms/lab` : own,
)
