import type { Command } from 'commander'
import { recipes } from '../../connect/recipes.js'
import { checkedWords } from '../../connect/text.js'
import { print, printJson } from '../output/output.js'
import { readGlobals } from '../program/globals.js'

/** `oauth-lab connect list`: the programs, one a line; with `--json` one an object. */
export async function listRecipes(_: unknown, command: Command): Promise<void> {
  if (readGlobals(command).json) {
    for (const { name, title, checked, needs, builtIn = null } of recipes) {
      printJson({ name, title, checked, needs, built_in_client: builtIn })
    }
    return
  }
  const width = Math.max(...recipes.map(({ name }) => name.length)) + 2
  for (const recipe of recipes) {
    const [program = '', does = ''] = recipe.title.split(': ')
    print(`${recipe.name.padEnd(width)}${program}: ${does}`)
    print(`${' '.repeat(width)}${checkedWords(recipe)}`)
  }
}
