import { generateKeyPairSync } from 'node:crypto'
import { copyFileSync, cpSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../support/free-ports.js'
import { type OtherIssuer, startIssuer } from '../../support/issuer.js'
import { temporaryFolder } from '../../support/program.js'
import { root } from '../../support/source-files.js'
import { type Newcomer, newcomer, type StartedServer } from './newcomer.js'

const clients = join(import.meta.dirname, '../clients')

/** The address by which other machines reach this one, or the loopback address when there is none. */
const address =
  Object.values(networkInterfaces())
    .flat()
    .find(each => each?.family === 'IPv4' && !each.internal)?.address ?? '127.0.0.1'

/** The secret that oidc-provider has for a client. */
export const secretOf = (client: string): string => `${client}-secret-0123456789abcdef0123456789`

const freePorts = ['port', 'http-port', 'resource-port', 'cluster-port', 'dns-port']
  .map(each => `--${each} 0`)
  .join(' ')

/** The people, servers and files that the lines of the pages need. One world serves all pages. */
export interface PagesWorld {
  /** Has a lab running, and the files that the pages name. */
  readonly alone: Newcomer
  /** Starts labs and stops them. */
  readonly student: Newcomer
  /** Is in the room of the student. */
  readonly participant: Newcomer
  readonly lab: StartedServer
  /** A BROWSER program in which a person logs in. */
  readonly browser: string
  /** An empty folder. */
  readonly place: string
  /** A folder with the cloned and built project, in which npm may change files. */
  checkout(): string
  /** Returns the line with running servers and free ports in place of the documented ones. */
  here(line: string): string
  close(): Promise<void>
}

/** Starts oidc-provider with the certificate of the lab. */
function startProvider(who: Newcomer, ca: string): Promise<OtherIssuer> {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  writeFileSync(join(who.home, 'key.pem'), privateKey.export({ type: 'pkcs8', format: 'pem' }))
  const args = [join(ca, '../leaf.pem'), JSON.stringify(publicKey.export({ format: 'jwk' }))]
  return startIssuer('oidc-provider-people.js', args, who.env)
}

function checkoutIn(place: string): string {
  const folder = join(place, 'checkout')
  if (existsSync(folder)) return folder
  mkdirSync(folder)
  for (const file of ['package.json', 'package-lock.json']) copyFileSync(join(root, file), join(folder, file))
  for (const each of ['bin', 'content', 'dist', 'fixtures']) symlinkSync(join(root, each), join(folder, each))
  return folder
}

/** Starts the world. */
export async function pagesWorld(): Promise<PagesWorld> {
  const place = temporaryFolder()
  const alone = newcomer()
  const others = [newcomer(), newcomer()] as const
  const lab = await alone.starts(`oauth-lab serve --compression ${freePorts}`)
  const ca = lab.value('CA file')
  const provider = await startProvider(alone, ca)
  const mock = await startIssuer('oauth2-mock-server.js', [], alone.env)
  const callbackPort = await freePort()
  const resourcePort = await freePort()

  const browser = join(alone.home, 'browser')
  const person = `NODE_EXTRA_CA_CERTS='${ca}' exec '${process.execPath}' '${join(clients, 'person.js')}' "$1"`
  writeFileSync(browser, `#!/bin/sh\n${person}\n`, { mode: 0o755 })
  writeFileSync(join(alone.home, 'secret.txt'), `${secretOf('web')}\n`)
  writeFileSync(join(alone.home, 'password.txt'), 'wonderland\n')
  cpSync(join(root, 'examples/fapi2'), join(alone.home, 'examples/fapi2'), { recursive: true })

  const standIns = (): readonly (readonly [string, string])[] => [
    ['https://id.example', provider.issuer],
    ['https://login.example', lab.value('authorization server')],
    ['http://localhost:8080', mock.issuer],
    ['https://localhost:8443', lab.value('authorization server')],
    ['https://localhost:8444', lab.value('resource server')],
    ['127.0.0.1:7000', `127.0.0.1:${callbackPort}`],
    ['9444', String(resourcePort)],
    ['192.0.2.7', address],
    ['oauth-lab serve', `oauth-lab serve ${freePorts}`],
    ['oauth-lab resource', 'oauth-lab resource --port 0'],
  ]

  return {
    alone,
    student: others[0],
    participant: others[1],
    lab,
    browser,
    place: place.path,
    checkout: () => checkoutIn(place.path),
    here: line => standIns().reduce((text, [documented, real]) => text.replaceAll(documented, real), line),
    async close() {
      await Promise.all([provider.stop(), mock.stop(), ...[alone, ...others].map(each => each.leaves())])
      place.remove()
    },
  }
}
