import { describe, expect, it } from 'vitest'
import { chosenClient } from '../../../src/commands/connect/connect-lab.js'
import { labFileLines, recipeLines } from '../../../src/commands/connect/connect-run.js'
import { findRecipe, loadRecipes, type Place, type Recipe } from '../../../src/commands/connect/recipes.js'
import { checkLabText, loadLabConfig } from '../../../src/lab/lab-file/config.js'
import { parseLabFile } from '../../../src/lab/lab-file/lab-file-source.js'
import { toClient } from '../../../src/servers/authorization-server/client-rules/defaults.js'

const builtIn = await loadLabConfig(null)
const recipes = await loadRecipes()
const find = (name: string) => findRecipe(recipes, name)

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
}

const SECRET = 'a-secret-that-no-line-may-have-0123456789'

/** The lines of a recipe, and its collection without a secret. */
const contentOf = ({ parts, collection }: Recipe): string =>
  [...parts(place).flatMap(part => part.lines), JSON.stringify(collection?.(place, ''))].join('\n')

describe.each(recipes)('the recipe of $name', recipe => {
  const entry = {
    client_id: recipe.name,
    ...(recipe.secret ? { client_secret: SECRET } : {}),
    ...recipe.client,
  }

  it('has a client that the lab file accepts, written as YAML too', async () => {
    const text = labFileLines(entry).join('\n')
    await checkLabText('oauth-lab.yaml', text)
    expect((await parseLabFile('oauth-lab.yaml', text)).value).toEqual({ clients: [entry] })
  })

  it('takes the client of the built-in lab file that it names, and its own entry', () => {
    if (recipe.built_in !== undefined) {
      expect(chosenClient(recipe, undefined, builtIn).client?.client_id).toBe(recipe.built_in)
    } else expect(chosenClient(recipe, undefined, builtIn)).toEqual({ clientId: recipe.name })
    const clients = [...builtIn.clients, toClient(entry)]
    expect(chosenClient(recipe, recipe.name, { ...builtIn, clients }).client?.client_id).toBe(recipe.name)
  })

  it('has no secret, and no long line', () => {
    const filled = { recipe, place, running: true, missing: entry, remarks: ['A remark.'] }
    for (const line of recipeLines(filled)) expect(line.length, line).toBeLessThan(160)
    const lines = contentOf(recipe)
    expect(lines).not.toContain(SECRET)
    if (!recipe.registers) expect(lines).toContain(place.clientId)
    const { secret, collection } = recipe
    if (secret) expect(lines).toContain(collection ? place.collectionCommand : place.secretCommand)
  })

  it('has files of the addresses that it was filled in with, and of no other', () => {
    const lines = contentOf(recipe)
    expect(lines).toContain('localhost:1844')
    expect(lines).not.toMatch(/localhost:844\d/)
  })
})

describe('the names of programs', () => {
  it('are found in any spelling', () => {
    expect(find('OpenID-Client')?.name).toBe('openid-client')
    expect(find('step oauth')?.name).toBe('step')
    expect(find('openid')).toBeUndefined()
  })

  it('are each for one program', () => {
    const names = recipes.flatMap(({ name, aliases = [] }) => [name, ...aliases])
    expect(new Set(names).size).toBe(names.length)
    for (const { name, aliases = [] } of recipes) {
      for (const each of [name, ...aliases]) expect(find(each)?.name).toBe(name)
    }
  })
})
