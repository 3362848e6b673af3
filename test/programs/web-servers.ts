import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Running, start, until } from '../support/program.js'
import { findProgram } from '../support/requires.js'

/** A web server of Debian that compresses. */
export type WebServerName = 'apache2' | 'caddy' | 'haproxy' | 'nginx'

/** The folder of a server, its port, and the port of the server behind HAProxy. */
export interface Place {
  readonly folder: string
  readonly port: number
  readonly behind: number
}

const apacheModules = '/usr/lib/apache2/modules'

function apache({ folder, port }: Place): string[] {
  const names = ['mpm_event', 'authz_core', 'mime', 'filter', 'deflate']
  return [
    ...names.map(name => `LoadModule ${name}_module ${apacheModules}/mod_${name}.so`),
    ...(process.getuid?.() === 0 ? ['User www-data', 'Group www-data'] : []),
    `Listen 127.0.0.1:${port}`,
    'ServerName localhost',
    `PidFile ${folder}/apache.pid`,
    `DefaultRuntimeDir ${folder}`,
    `Mutex file:${folder}`,
    `ErrorLog ${folder}/apache.log`,
    `TypesConfig ${folder}/types`,
    `DocumentRoot ${folder}/pages`,
    'AddOutputFilterByType DEFLATE text/html',
  ]
}

const caddy = ({ folder, port }: Place): string[] => [
  '{',
  '  admin off',
  '  auto_https off',
  '}',
  `http://127.0.0.1:${port} {`,
  `  root * ${folder}/pages`,
  '  encode zstd gzip',
  '  file_server',
  '}',
]

const haproxy = ({ port, behind }: Place): string[] => [
  'defaults',
  '  mode http',
  '  timeout connect 5s',
  '  timeout client 30s',
  '  timeout server 30s',
  'frontend all',
  `  bind 127.0.0.1:${port}`,
  '  default_backend pages',
  'backend pages',
  '  compression algo gzip',
  '  compression type text/html',
  `  server page 127.0.0.1:${behind}`,
]

const nginx = ({ folder, port }: Place): string[] => [
  ...(process.getuid?.() === 0 ? ['user www-data;'] : []),
  'daemon off;',
  `pid ${folder}/nginx.pid;`,
  'error_log stderr;',
  'events {}',
  'http {',
  '  access_log off;',
  `  types { text/html html; }`,
  ...['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    name => `  ${name}_temp_path ${folder}/${name};`,
  ),
  '  gzip on;',
  '  gzip_vary on;',
  '  server {',
  `    listen 127.0.0.1:${port};`,
  `    root ${folder}/pages;`,
  '  }',
  '}',
]

const servers = {
  apache2: {
    lines: apache,
    args: (file: string, folder: string) => ['-DFOREGROUND', '-d', folder, '-f', file],
  },
  caddy: { lines: caddy, args: (file: string) => ['run', '--config', file, '--adapter', 'caddyfile'] },
  haproxy: { lines: haproxy, args: (file: string) => ['-db', '-f', file] },
  nginx: { lines: nginx, args: (file: string, folder: string) => ['-p', folder, '-e', 'stderr', '-c', file] },
}

/** The path of the page that every server has. */
export const PAGE = '/page.html'

/** Writes the page that the servers send. */
export function writePage(folder: string, page: string): void {
  chmodSync(folder, 0o755)
  mkdirSync(join(folder, 'pages'))
  writeFileSync(join(folder, 'pages', PAGE), page)
  writeFileSync(join(folder, 'types'), 'text/html html\n')
}

/** Starts a server, and returns its base URL with the function that stops it. */
export async function startWebServer(
  name: WebServerName,
  place: Place,
): Promise<{ url: string; stop(): Promise<void> }> {
  const { lines, args } = servers[name]
  const file = join(place.folder, `${name}.conf`)
  writeFileSync(file, `${lines(place).join('\n')}\n`)
  const program: Running = start(findProgram(name)!, args(file, place.folder), {
    env: { PATH: process.env.PATH ?? '', HOME: place.folder },
    limit: 120_000,
  })
  const url = `http://127.0.0.1:${place.port}`
  await until(
    () => {
      if (program.child.exitCode !== null) throw new Error(`${name} ended: ${program.stderr()}`)
      return fetch(url + PAGE).catch(() => undefined)
    },
    () => `${name} does not answer: ${program.stderr()}`,
  )
  return {
    url,
    async stop() {
      program.child.kill('SIGTERM')
      await program.ended
    },
  }
}
