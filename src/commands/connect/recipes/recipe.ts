import type { ClientEntry } from '../../../lab/schema/lab-file-schema.js'

/** The lab that a recipe is filled in with, and the client. */
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
  /** Writes a text as one word of a POSIX shell. */
  readonly word: (text: string) => string
}

/** A part of a recipe. `install` fetches the program, `file` is a file to write, `run` are lines for a shell. */
export type Part =
  | { readonly kind: 'install' | 'run'; readonly lines: readonly string[] }
  | { readonly kind: 'file'; readonly file: string; readonly lines: readonly string[] }

/** The members of a client in the lab file that a program needs, without its id and its secret. */
export type NeededClient = Omit<ClientEntry, 'client_id' | 'client_secret'> & {
  readonly redirect_uris: string[]
  readonly grant_types: NonNullable<ClientEntry['grant_types']>
}

/** The settings with which a program logs in to the lab. */
export interface Recipe {
  readonly name: string
  /** Other names that people type. */
  readonly aliases?: readonly string[]
  /** The program, and what the recipe makes of it. */
  readonly title: string
  /** The version whose options the lines have, and how they were checked: run by a test, or read in its documentation. */
  readonly checked: { readonly version: string; readonly by: 'test' | 'documentation' }
  /** Programs that have to be there already. */
  readonly needs: readonly string[]
  /** The client of the built-in lab file that suffices. Absent: the lab file needs a client. */
  readonly builtIn?: string
  /** True for a program that registers itself (RFC 7591), so that it needs no client of the lab file. */
  readonly registers?: true
  /** True when the client has a secret. */
  readonly secret: boolean
  readonly labFile: NeededClient
  /** Options that the lab has to be started with. */
  readonly serve?: string
  readonly lines: (place: Place) => readonly Part[]
  /** The content of the file that `-o` writes, in place of the lines. The secret of the client stands in it. */
  readonly collection?: (place: Place, secret: string) => object
  readonly notes: readonly string[]
}
