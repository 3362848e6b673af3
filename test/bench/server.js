import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { pathToFileURL } from 'node:url'

/** @typedef {import('node:child_process').ChildProcessByStdio<null, import('node:stream').Readable, import('node:stream').Readable>} Piped */

const folder = import.meta.dirname
const peers = join(folder, '../rigs/bench-peers')
const launcher = join(folder, '../../bin/oauth-lab.js')
const usage = pathToFileURL(join(folder, 'servers/usage.js')).href
const pinning = spawnSync('taskset', ['-c', '1', 'true']).status === 0

/** Puts this process, which makes the load, on a core of its own. Says how cores are shared. */
export function pinLoad() {
  if (!pinning) return 'servers and load share the cores: no taskset'
  spawnSync('taskset', ['-cp', '1', String(process.pid)])
  return 'servers pinned to one core, load to another'
}

/** What one client of every server is registered with, and the users of the lab. */
export const service = { client_id: 'service', client_secret: 'service-secret-0123456789abcdef' }
export const web = {
  client_id: 'web',
  client_secret: 'web-secret-0123456789abcdef',
  callback: 'http://127.0.0.1/callback',
}

/** A client that gets refresh tokens, too. */
export const renewing = { ...web, client_id: 'renewing' }

/** The Authorization header of a client. */
export const basic = ({ client_id: id, client_secret: secret }) =>
  `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`

const clients = [
  { ...service, grant_types: ['client_credentials'], response_types: [], redirect_uris: [] },
  ...[web, renewing].map(({ callback, ...client }) => ({
    ...client,
    grant_types:
      client.client_id === renewing.client_id
        ? ['authorization_code', 'refresh_token']
        : ['authorization_code'],
    response_types: ['code'],
    redirect_uris: [callback],
  })),
]

/** The servers of a bench: the first is a lab, whose certificate the others use too. All end with `stop`. */
export class Servers {
  #home = mkdtempSync(join(tmpdir(), 'oauth-lab-bench-'))
  #children = []
  #flags
  #labFlags

  /** @param flags of node, for all servers @param labFlags further ones, for labs */
  constructor(flags = [], labFlags = []) {
    this.#flags = flags
    this.#labFlags = labFlags
  }

  get #certificate() {
    return join(this.#home, 'leaf.pem')
  }

  /** PEM of the authority that signed for all of them. */
  get ca() {
    return readFileSync(join(this.#home, 'ca.pem'))
  }

  /**
   * `oauth-lab serve`, as people start it.
   * @param config is added to its lab file
   * @param {string[]} args
   * @param {string} [earlier] the launcher of another tree
   */
  lab(config = {}, args = [], earlier) {
    const file = join(this.#home, `lab-${this.#children.length}.json`)
    const rate_limit = { login: 'off', password_grant: 'off' }
    writeFileSync(file, JSON.stringify({ clients, rate_limit, ...config }))
    return this.#start([
      ...(earlier === undefined ? [...this.#labFlags, launcher] : [earlier]),
      'serve',
      '--json',
      '--port',
      '0',
      '--http-port',
      '0',
      '--config',
      file,
      ...args,
    ])
  }

  /** `oauth-lab workshop`: its first line, and the secret of its code. */
  async workshop(...options) {
    const address = ['--address', '127.0.0.1', '--port', '0', '--http-port', '0']
    const server = await this.#start([launcher, 'workshop', '--json', ...address, ...options])
    const { secret } = JSON.parse(readFileSync(join(this.#home, 'workshop.json'), 'utf8'))
    return { ...server, secret }
  }

  /**
   * @param {Record<string, object>} [answers] of a lab, as `record` returns them
   * @param library `jose`: it signs with that, and not with Node itself
   */
  bare(answers = {}, ...library) {
    const file = join(this.#home, `answers-${this.#children.length}.json`)
    writeFileSync(file, JSON.stringify(answers))
    return this.#start([join(folder, 'servers/bare.js'), this.#certificate, file, ...library])
  }

  oidcProvider() {
    return this.#start([join(peers, 'oidc-provider.js'), this.#certificate, JSON.stringify(clients)])
  }

  fastifyCompress() {
    return this.#start([join(peers, 'fastify-compress.js'), this.#certificate])
  }

  /** For a server that is no Node: where its files go, certificate and key, and what pins it as the others are. */
  get place() {
    return {
      folder: this.#home,
      certificate: this.#certificate,
      command: pinning ? ['taskset', '-c', '0'] : [],
    }
  }

  oauth2MockServer() {
    return this.#start([join(peers, 'oauth2-mock-server.js'), this.#certificate])
  }

  async #start(args) {
    const command = [process.execPath, ...this.#flags, '--import', usage, ...args]
    const [program, ...rest] = pinning ? ['taskset', '-c', '0', ...command] : command
    const child = spawn(program, rest, {
      env: { PATH: process.env.PATH, HOME: this.#home, OAUTH_LAB_HOME: this.#home },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    })
    const { stdout, stderr } = /** @type {Piped} */ (child)
    this.#children.push(child)
    let said = ''
    stderr.on('data', chunk => {
      said += chunk
    })
    const lines = createInterface({ input: stdout })
    const [line] = await Promise.race([
      once(lines, 'line'),
      once(child, 'exit').then(() => Promise.reject(new Error(`${args[0]} ended: ${said}`))),
    ])
    lines.close()
    stdout.resume()
    const ready = JSON.parse(line)
    const asked = []
    child.on('message', answer => asked.shift()(answer))
    return {
      ready,
      url: ready.url ?? ready.urls?.authorization,
      /** The resource server of a lab. */
      resourceUrl: ready.urls?.resource,
      /** The base URL of each site of a lab. */
      urls: ready.urls,
      /** CPU time in microseconds and resident memory in bytes, so far. With loop-delay.js the delays since the last call, too. */
      usage: () =>
        new Promise(resolve => {
          asked.push(resolve)
          child.send('usage')
        }),
    }
  }

  async stop() {
    const running = this.#children.filter(each => each.exitCode === null && each.signalCode === null)
    await Promise.all(
      running.map(child => {
        child.kill('SIGTERM')
        return once(child, 'exit')
      }),
    )
    rmSync(this.#home, { recursive: true, force: true })
  }
}
