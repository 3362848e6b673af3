import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect } from 'vitest'
import { run } from '../../support/program.js'
import { folderOf } from '../issuers/download.js'

/** Compiles the application of this rig in a folder, and returns its jar. The jars of Spring Boot stay in their cache. */
export async function springBootJar(folder: string, env: Readonly<Record<string, string>>): Promise<string> {
  const cache = folderOf('spring-boot')
  const source = join(import.meta.dirname, 'spring-boot/LoginApplication.java')
  const call = async (program: string, ...args: readonly string[]) => {
    const { code, stderr } = await run(program, args, { env, cwd: folder, limit: 120_000 })
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  }
  await call('javac', '-parameters', '-cp', join(cache, '*'), '-d', 'classes', source)
  // A line that begins with a space continues the one before it.
  const jars = readdirSync(cache).map(name => ` ${pathToFileURL(join(cache, name))}`)
  writeFileSync(join(folder, 'manifest'), `Class-Path:${jars.join('\n ')}\n`)
  const main = ['--manifest', 'manifest', '--main-class', 'lab.LoginApplication']
  await call('jar', '--create', '--file', 'app.jar', ...main, '-C', 'classes', '.')
  return join(folder, 'app.jar')
}
