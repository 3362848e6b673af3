import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { portOf } from './port.js'

/** Clock ticks of the kernel a second, in /proc. */
const TICKS = 100

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const port = portOf(server)
  server.close()
  await once(server, 'close')
  return port
}

/**
 * One worker of nginx with `gzip on` at its level 1, before files of kb times 1,024 letters a, over TLS.
 * @param {object} options
 * @param {string} options.folder
 * @param {string} options.certificate a file with certificate and key
 * @param {number[]} options.sizes
 * @param {string[]} [options.command] words before the program, which pin it as the other servers
 */
export async function startNginx({ folder, certificate, sizes, command = [] }) {
  const port = await freePort()
  const root = join(folder, 'nginx')
  mkdirSync(join(root, 'kb'), { recursive: true })
  for (const kb of sizes) writeFileSync(join(root, 'kb', String(kb)), 'a'.repeat(kb * 1024))
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  const lines = [
    ...['daemon off;', 'master_process off;', `pid ${root}/pid;`, 'error_log stderr;', 'events {}', 'http {'],
    ...['access_log off;', 'sendfile on;', 'open_file_cache max=100;', 'default_type text/plain;'],
    ...['keepalive_requests 1000000;', 'gzip on;', 'gzip_comp_level 1;', 'gzip_types text/plain;'],
    ...temporary.map(name => `${name}_temp_path ${root}/${name};`),
    ...['server {', `listen 127.0.0.1:${port} ssl;`],
    ...[`ssl_certificate ${certificate};`, `ssl_certificate_key ${certificate};`, `root ${root};`, '}', '}'],
  ]
  const file = join(root, 'nginx.conf')
  writeFileSync(file, lines.join('\n'))
  const [program, ...args] = [...command, 'nginx', '-p', root, '-e', 'stderr', '-c', file]
  const child = spawn(program, args, {
    env: { PATH: `${process.env.PATH}:/usr/sbin` },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let said = ''
  child.stderr.on('data', chunk => {
    said += chunk
  })
  child.on('error', error => {
    said += error.message
  })
  await delay(300)
  if (child.exitCode !== null || child.pid === undefined) throw new Error(`nginx ended: ${said}`)
  return {
    url: `https://localhost:${port}`,
    /** CPU time in microseconds, so far. */
    async usage() {
      const fields = readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(') ')[1].split(' ')
      return { cpu: ((Number(fields[11]) + Number(fields[12])) * 1e6) / TICKS }
    },
    async stop() {
      child.kill('SIGTERM')
      await once(child, 'exit')
    },
  }
}
