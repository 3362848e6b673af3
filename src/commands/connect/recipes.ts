import type { ClientEntry } from '../../lab/schema/lab-file-schema.js'
import { contentOf } from '../../learn/content.js'
import { shellWord } from '../../protocol/safe-output/shell.js'

/** The lab that a recipe is filled in with, and the client. Templates name each member as `{{issuer}}`. */
export interface Place {
  /** Base URLs, no trailing slash. */
  readonly issuer: string
  readonly resource: string
  readonly mcp: string
  readonly cluster: string
  /** Absolute path of the CA file. */
  readonly ca: string
  readonly clientId: string
  /** A command of a shell that prints the secret of the client, so that no recipe holds a secret. */
  readonly secretCommand: string
  /** A command of a shell that writes the collection of the recipe, with the option -o. */
  readonly collectionCommand: string
}

/** A part of a recipe. `install` fetches the program, `file` is a file to write, `run` are lines for a shell. */
export type Part =
  | { readonly kind: 'install' | 'run'; readonly lines: readonly string[] }
  | { readonly kind: 'file'; readonly file: string; readonly lines: readonly string[] }

/** The settings with which a program logs in to the lab: a file of `content/connect`. */
interface RecipeFile {
  /** Other names that people type. */
  readonly aliases?: readonly string[]
  /** The program, and what the recipe makes of it. */
  readonly title: string
  /** The version whose options the lines have, and how they were checked: run by a test, or read in its documentation. */
  readonly checked: { readonly version: string; readonly by: 'test' | 'documentation' }
  /** Programs that have to be there already. */
  readonly needs: readonly string[]
  /** The client of the built-in lab file that suffices. Absent: the lab file needs a client. */
  readonly built_in?: string
  /** True for a program that registers itself (RFC 7591), so that it needs no client of the lab file. */
  readonly registers?: true
  /** True when the client has a secret. */
  readonly secret: boolean
  /** The members of a client in the lab file that the program needs, without its id and its secret. */
  readonly client: Omit<ClientEntry, 'client_id' | 'client_secret'> & {
    readonly redirect_uris: string[]
    readonly grant_types: NonNullable<ClientEntry['grant_types']>
  }
  /** Options that the lab has to be started with. */
  readonly serve?: string
  /** The template of the file that `-o` writes, in place of the lines. */
  readonly collection?: string
  readonly parts: readonly {
    readonly install?: string
    readonly run?: string
    readonly file?: string
    readonly lines?: string
  }[]
  readonly notes?: readonly string[]
}

/** A recipe with its name, to be filled in. */
export interface Recipe extends Omit<RecipeFile, 'collection' | 'parts'> {
  readonly name: string
  readonly notes: readonly string[]
  readonly parts: (place: Place) => readonly Part[]
  /** The content of the file that `-o` writes. The secret of the client stands in it. */
  readonly collection?: (place: Place, secret: string) => object
}

/** Ways to write a value: as one word of a POSIX shell, or as a string of JSON, which most languages read. */
const WAYS = { word: shellWord, json: (text: string) => JSON.stringify(text) }

/**
 * Fills in a template: `{{issuer}}` is the value, `{{word ca}}` the value as a word of a shell and `{{json {issuer}/token}}`
 * a text with the value in it as a string of JSON.
 */
function fill(template: string, place: Place): string {
  const value = (name: string) => place[name as keyof Place]
  return template.replace(
    /\{\{(?:(word|json) )?((?:[^{}]|\{\w+\})+)\}\}/g,
    (_, way: keyof typeof WAYS | undefined, text: string) => {
      const filled = /^\w+$/.test(text) ? value(text) : text.replace(/\{(\w+)\}/g, (_, name) => value(name))
      return way === undefined ? filled : WAYS[way](filled)
    },
  )
}

function partOf({ install, run, file, lines }: RecipeFile['parts'][number], place: Place): Part {
  const filled = fill((lines ?? install ?? run ?? '').trimEnd(), place).split('\n')
  if (file !== undefined) return { kind: 'file', file, lines: filled }
  return { kind: install === undefined ? 'run' : 'install', lines: filled }
}

/** A collection of Postman, as far as it is filled in. */
interface Collection {
  readonly info: { readonly description: string }
  readonly variable: readonly { readonly key: string; readonly value: string }[]
}

function filledCollection(
  collection: Collection,
  { issuer, resource, clientId }: Place,
  secret: string,
): object {
  const { info, variable } = collection
  const values = new Map(Object.entries({ issuer, resource, client_id: clientId, client_secret: secret }))
  return {
    ...collection,
    info: { ...info, description: info.description.replace('[issuer]', issuer) },
    variable: variable.map(each => ({ ...each, value: values.get(each.key) ?? each.value })),
  }
}

/** Loads every recipe, in the order of `connect list`. */
export async function loadRecipes(): Promise<readonly Recipe[]> {
  const files = await contentOf('connect')
  const groups = files.index as Readonly<Record<string, readonly string[]>>
  return Object.values(groups)
    .flat()
    .map(name => {
      const { collection, parts, notes = [], ...file } = files[name] as RecipeFile
      const content = collection && (files[collection] as Collection)
      return {
        name,
        ...file,
        notes,
        parts: place => parts.map(part => partOf(part, place)),
        ...(content && { collection: (place, secret) => filledCollection(content, place, secret) }),
      }
    })
}

/** Letters and digits of a name, so that `Auth.js` and `auth-js` are one. */
const bare = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '')

/** The recipe of a program, by its name or another name that people type; undefined for an unknown one. */
export function findRecipe(recipes: readonly Recipe[], name: string): Recipe | undefined {
  const wanted = bare(name)
  return recipes.find(each => [each.name, ...(each.aliases ?? [])].some(known => bare(known) === wanted))
}
