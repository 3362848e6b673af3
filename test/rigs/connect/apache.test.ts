import { chmodSync, copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { findRecipe, loadRecipes } from '../../../src/commands/connect/recipes.js'
import { apacheNames } from '../../support/apache.js'
import { freePort } from '../../support/free-ports.js'
import { type Running, start, temporaryFolder, until } from '../../support/program.js'
import { describeWith, findProgram } from '../../support/requires.js'
import { type Serving, serve } from '../../support/serve.js'
import { browse, printedRecipe } from './recipe-run.js'

const SECRET = 'apache-secret-0123456789abcdef0123456789'

/** The part of Apache's configuration that Debian has already. */
const debian = (folder: string, port: number): string[] => [
  ...['mpm_event', 'authn_core', 'authz_core', 'authz_user', 'mime', 'dir', 'auth_openidc'].map(
    name => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`,
  ),
  ...(process.getuid?.() === 0 ? ['User www-data', 'Group www-data'] : []),
  `Listen 127.0.0.1:${port}`,
  `ServerName 127.0.0.1:${port}`,
  `PidFile ${folder}/pid`,
  `DefaultRuntimeDir ${folder}`,
  `Mutex file:${folder}`,
  `ErrorLog ${folder}/error.log`,
  'TypesConfig /etc/mime.types',
  `DocumentRoot ${folder}/pages`,
  'DirectoryIndex index.html',
  'IncludeOptional conf/oauth-lab.conf',
]

describeWith(apacheNames, 'the recipe of mod_auth_openidc', () => {
  const folder = temporaryFolder()
  let lab: Serving | undefined
  let apache: Running | undefined
  afterAll(async () => {
    apache?.child.kill('SIGTERM')
    await apache?.ended
    await lab?.remove()
    folder.remove()
  })

  it('logs alice in by the configuration as it is printed', async () => {
    const { name, client } = findRecipe(await loadRecipes(), 'mod_auth_openidc')!
    const file = join(folder.path, 'lab.json')
    writeFileSync(file, JSON.stringify({ clients: [{ client_id: name, client_secret: SECRET, ...client }] }))
    lab = await serve(['--config', file])
    const { parts } = await printedRecipe(lab, name)
    // Its workers are another user.
    chmodSync(folder.path, 0o755)
    for (const made of ['conf', 'oauth-lab', 'pages', 'pages/protected']) {
      mkdirSync(join(folder.path, made))
    }
    for (const part of parts) {
      if (part.kind === 'file') writeFileSync(join(folder.path, 'conf', part.file), part.lines.join('\n'))
    }
    copyFileSync(lab.ready.ca, join(folder.path, 'oauth-lab/ca.pem'))
    writeFileSync(join(folder.path, 'pages/protected/index.html'), 'Behind the login.\n')
    const port = await freePort()
    const conf = join(folder.path, 'apache.conf')
    writeFileSync(conf, `${debian(folder.path, port).join('\n')}\n`)
    apache = start(findProgram('apache2') ?? '', ['-DFOREGROUND', '-d', folder.path, '-f', conf], {
      env: { ...lab.env, OAUTH_LAB_CLIENT_SECRET: SECRET },
      limit: 60_000,
    })
    const { stderr } = apache
    const log = () => `${stderr()}${readFileSync(join(folder.path, 'error.log'), 'utf8')}`
    const address = `http://127.0.0.1:${port}/protected/`
    await until(() => fetch(address, { redirect: 'manual' }).catch(() => undefined), log)
    expect(await browse(lab, address), log()).toBe('200 Behind the login.\n\n')
  }, 90_000)
})
