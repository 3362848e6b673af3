import { spawnSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { chosenClient } from '../../../../src/commands/connect/connect-lab.js'
import type { Place, Recipe } from '../../../../src/commands/connect/recipes/recipe.js'
import { findRecipe, recipes } from '../../../../src/commands/connect/recipes/recipes.js'
import { labFileLines, recipeLines } from '../../../../src/commands/connect/recipes/text.js'
import { checkLabText, loadLabConfig } from '../../../../src/lab/lab-file/config.js'
import { parseLabFile } from '../../../../src/lab/lab-file/lab-file-source.js'
import { shellWord } from '../../../../src/protocol/safe-output/shell.js'
import { toClient } from '../../../../src/servers/authorization-server/client-rules/defaults.js'

const builtIn = await loadLabConfig(null)

/** A lab in a folder whose name every language has to quote. */
const place: Place = {
  issuer: 'https://localhost:18443',
  resource: 'https://localhost:18444',
  mcp: 'https://localhost:18444/mcp',
  cluster: 'https://localhost:18445',
  ca: '/tmp/Lab\'s "state"/ca.pem',
  clientId: 'a-client',
  secretCommand: 'oauth-lab connect x --secret',
  collectionCommand: 'oauth-lab connect x --client a-client',
  word: shellWord,
}

const SECRET = 'a-secret-that-no-line-may-have-0123456789'

/** The lines of a recipe, and its collection without a secret. */
const contentOf = ({ lines, collection }: Recipe): string =>
  [...lines(place).flatMap(part => part.lines), JSON.stringify(collection?.(place, ''))].join('\n')

describe.each(recipes)('the recipe of $name', recipe => {
  const entry = {
    client_id: recipe.name,
    ...(recipe.secret ? { client_secret: SECRET } : {}),
    ...recipe.labFile,
  }

  it('has a client that the lab file accepts, written as YAML too', async () => {
    const text = labFileLines(entry).join('\n')
    await checkLabText('oauth-lab.yaml', text)
    expect((await parseLabFile('oauth-lab.yaml', text)).value).toEqual({ clients: [entry] })
  })

  it('takes the client of the built-in lab file that it names, and its own entry', () => {
    if (recipe.builtIn !== undefined) {
      expect(chosenClient(recipe, undefined, builtIn).client?.client_id).toBe(recipe.builtIn)
    } else expect(chosenClient(recipe, undefined, builtIn)).toEqual({ clientId: recipe.name })
    const clients = [...builtIn.clients, toClient(entry)]
    expect(chosenClient(recipe, recipe.name, { ...builtIn, clients }).client?.client_id).toBe(recipe.name)
  })

  it('is a script that a shell can read, and has no secret', () => {
    const text = recipeLines({ recipe, place, running: true, missing: entry, remarks: ['A remark.'] }).join(
      '\n',
    )
    const { status, stderr } = spawnSync('bash', ['-n'], { input: text, encoding: 'utf8' })
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    const lines = contentOf(recipe)
    expect(lines).not.toContain(SECRET)
    if (!recipe.registers) expect(lines).toContain(place.clientId)
    const { secret, collection } = recipe
    if (secret) expect(lines).toContain(collection ? place.collectionCommand : place.secretCommand)
    for (const line of text.split('\n')) expect(line.length, line).toBeLessThan(160)
  })

  it('has files of the addresses that it was filled in with, and of no other', () => {
    const lines = contentOf(recipe)
    expect(lines).toContain('localhost:1844')
    expect(lines).not.toMatch(/localhost:844\d/)
  })
})

describe('the names of programs', () => {
  it('are found in any spelling', () => {
    expect(findRecipe('OpenID-Client')?.name).toBe('openid-client')
    expect(findRecipe('step oauth')?.name).toBe('step')
    expect(findRecipe('openid')).toBeUndefined()
  })

  it('are each for one program', () => {
    const names = recipes.flatMap(({ name, aliases = [] }) => [name, ...aliases])
    expect(new Set(names).size).toBe(names.length)
    for (const { name, aliases = [] } of recipes) {
      for (const each of [name, ...aliases]) expect(findRecipe(each)?.name).toBe(name)
    }
  })
})
