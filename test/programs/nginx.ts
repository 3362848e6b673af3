import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { start, until } from '../support/program.js'
import { findProgram } from '../support/requires.js'

/** The `server` block of a whole configuration, as it is written there. */
export function serverBlock(configuration: string): string {
  const block = /^ {2}server \{\n[\s\S]*?^ {2}\}$/m.exec(configuration)?.[0]
  if (block === undefined) throw new Error(`no server block in ${configuration}`)
  return block
}

/** A running nginx. */
export interface Nginx {
  stop(): Promise<void>
}

/**
 * Runs one nginx with these server blocks, in a folder of its own: it needs no right that a user has not.
 * @param port of one of the blocks, to see that it is up
 */
export async function startNginx(folder: string, blocks: readonly string[], port: number): Promise<Nginx> {
  const file = join(folder, 'nginx.conf')
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  const lines = [
    'daemon off;',
    'master_process off;',
    `pid ${folder}/pid;`,
    'error_log stderr;',
    'events {}',
    'http {',
    '  access_log off;',
    ...temporary.map(name => `  ${name}_temp_path ${folder}/${name};`),
    ...blocks,
    '}',
    '',
  ]
  writeFileSync(file, lines.join('\n'))
  const nginx = start(findProgram('nginx')!, ['-p', folder, '-e', 'stderr', '-c', file], {
    env: { PATH: process.env.PATH ?? '', HOME: folder },
    limit: 120_000,
  })
  await until(
    async () => {
      if (nginx.child.exitCode !== null) throw new Error(`nginx ended: ${nginx.stderr()}`)
      return fetch(`http://127.0.0.1:${port}/`).catch(() => undefined)
    },
    () => `nginx does not answer: ${nginx.stderr()}`,
  )
  return {
    async stop() {
      nginx.child.kill('SIGTERM')
      await nginx.ended
    },
  }
}
