import { type ChildProcess, spawn } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import { OAuth2Server } from 'oauth2-mock-server'
import { type Newcomer, newcomer, type Standing } from './newcomer.js'

const clients = join(import.meta.dirname, 'clients')

/** An address of this machine that others reach it by, where it has one. */
export const address =
  Object.values(networkInterfaces())
    .flat()
    .find(each => each?.family === 'IPv4' && !each.internal)?.address ?? '127.0.0.1'

/** The secret that a client has at oidc-provider. */
export const secretOf = (client: string): string => `${client}-secret-0123456789abcdef0123456789`

const freePorts = ['port', 'http-port', 'resource-port', 'cluster-port', 'dns-port']
  .map(each => `--${each} 0`)
  .join(' ')

/** What the lines of the README speak with. */
export interface ReadmeWorld {
  /** Has a lab running, and the files that the README names. */
  readonly alone: Newcomer
  /** Starts labs and stops them. */
  readonly student: Newcomer
  /** Uses the lab of a teacher. */
  readonly participant: Newcomer
  readonly lab: Standing
  /** A BROWSER with somebody in front of it who logs in. */
  readonly browser: string
  /** The lab that stands for the one at 192.0.2.7, from now on. */
  teaches(teacher: Standing): void
  /** The line, with running servers and free ports instead of those that are made up. */
  here(line: string): string
  close(): Promise<void>
}

/** A port that nobody listens on. */
async function freePort(): Promise<number> {
  const finder = createServer().listen(0, '127.0.0.1')
  await once(finder, 'listening')
  const { port } = finder.address() as { port: number }
  finder.close()
  return port
}

/** Starts oidc-provider, trusted by those who trust the lab's CA. */
async function startProvider(who: Newcomer, ca: string): Promise<{ child: ChildProcess; issuer: string }> {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  writeFileSync(join(who.home, 'key.pem'), privateKey.export({ type: 'pkcs8', format: 'pem' }))
  const file = join(clients, 'oidc-provider-people.js')
  const args = [file, join(ca, '../leaf.pem'), JSON.stringify(publicKey.export({ format: 'jwk' }))]
  const child = spawn(process.execPath, args, { env: { ...who.env }, stdio: ['pipe', 'pipe', 'ignore'] })
  const [line] = (await once(child.stdout, 'data')) as [Buffer]
  child.stdout.resume()
  return { child, issuer: line.toString().split('\n', 1)[0] ?? '' }
}

/** Starts all of it. */
export async function readmeWorld(): Promise<ReadmeWorld> {
  const alone = newcomer()
  const others = [newcomer(), newcomer()] as const
  const lab = await alone.starts(`oauth-lab serve --compression ${freePorts}`)
  const ca = lab.value('CA file')
  const provider = await startProvider(alone, ca)
  const mock = new OAuth2Server()
  await mock.issuer.keys.generate('RS256')
  await mock.start(0, 'localhost')
  const callbackPort = await freePort()

  const browser = join(alone.home, 'browser')
  const person = `NODE_EXTRA_CA_CERTS='${ca}' exec '${process.execPath}' '${join(clients, 'person.js')}' "$1"`
  writeFileSync(browser, `#!/bin/sh\n${person}\n`, { mode: 0o755 })
  writeFileSync(join(alone.home, 'secret.txt'), `${secretOf('web')}\n`)
  writeFileSync(join(alone.home, 'password.txt'), 'wonderland\n')

  let teacher = lab
  const standIns = (): readonly (readonly [string, string])[] => [
    ['https://id.example', provider.issuer],
    ['https://login.example', lab.value('authorization server')],
    ['http://localhost:8080', mock.issuer.url ?? ''],
    ['https://localhost:8443', lab.value('authorization server')],
    ['https://localhost:8444', lab.value('resource server')],
    ['127.0.0.1:7000', `127.0.0.1:${callbackPort}`],
    ['https://192.0.2.7:8443', teacher.value('authorization server')],
    ['https://192.0.2.7:8444', teacher.value('resource server')],
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
    teaches: started => {
      teacher = started
    },
    here: line => standIns().reduce((text, [madeUp, real]) => text.replaceAll(madeUp, real), line),
    async close() {
      provider.child.stdin?.end()
      await Promise.all([mock.stop(), ...[alone, ...others].map(each => each.leaves())])
    },
  }
}
