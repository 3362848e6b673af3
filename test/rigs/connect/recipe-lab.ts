import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { loadRecipes } from '../../../src/commands/connect/recipes.js'
import { loadLabConfig } from '../../../src/lab/lab-file/config.js'
import { temporaryFolder } from '../../support/program.js'
import { type Serving, serve } from '../../support/serve.js'

/** Starts a lab with the built-in clients, and with the client of each recipe that needs its own. */
export async function serveRecipes(): Promise<Serving> {
  const { effective } = await loadLabConfig(null)
  const own = (await loadRecipes())
    .filter(({ built_in }) => built_in === undefined)
    .map(({ name, secret, client }) => ({
      client_id: name,
      ...(secret ? { client_secret: `${name}-secret-0123456789abcdef0123456789` } : {}),
      ...client,
    }))
  const folder = temporaryFolder()
  const file = join(folder.path, 'lab.json')
  writeFileSync(file, JSON.stringify({ clients: [...(effective.clients ?? []), ...own] }))
  const lab = await serve(['--config', file])
  return {
    ...lab,
    remove: async () => {
      await lab.remove()
      folder.remove()
    },
  }
}
