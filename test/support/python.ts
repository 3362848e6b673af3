import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { cleanEnv, run, temporaryFolder } from './program.js'
import { root } from './source-files.js'

/**
 * A Python with the packages of a requirements file, made once; undefined where they cannot be installed, as without
 * network: tests skip then, as the scripts of .ci do for rigs that are downloaded.
 * @param name the folder of the packages, below node_modules/.cache
 */
export async function pythonWith(name: string, requirements: string): Promise<string | undefined> {
  const place = join(root, 'node_modules/.cache', name)
  const python = join(place, 'bin/python')
  const done = join(place, 'installed')
  if (existsSync(done)) return python
  const home = temporaryFolder()
  try {
    // The machine says where its packages come from.
    const settings = Object.entries(process.env).flatMap(([key, value = '']) =>
      /^PIP_|_proxy$/i.test(key) ? [[key, value] as const] : [],
    )
    const env = cleanEnv(home.path, Object.fromEntries(settings))
    const made = await run('python3', ['-m', 'venv', place], { env, limit: 120_000 })
    if (made.code !== 0) return undefined
    const packages = ['-m', 'pip', 'install', '--quiet', '-r', requirements]
    const installed = await run(python, packages, { env, limit: 240_000 })
    if (installed.code !== 0) return undefined
    writeFileSync(done, '')
    return python
  } finally {
    home.remove()
  }
}
