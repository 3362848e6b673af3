import { readdirSync, readFileSync } from 'node:fs'

/** A page of help that is about no single command. */
export interface Topic {
  readonly name: string
  readonly summary: string
  readonly lines: () => Promise<readonly string[]>
}

/** Every topic of `oauth-lab help`, in its order. */
export const topics: readonly Topic[] = [
  {
    name: 'stages',
    summary: 'how far the authorization server is built',
    lines: async () => (await import('./help-topics.js')).stagesTopic(),
  },
  {
    name: 'profiles',
    summary: 'by the RFCs, or as the reference does',
    lines: async () => (await import('./help-topics.js')).profilesTopic(),
  },
  {
    name: 'exit-codes',
    summary: 'what a command ends with',
    lines: async () => (await import('./help-topics.js')).exitCodesTopic(),
  },
  {
    name: 'environment',
    summary: 'variables that are read',
    lines: async () => (await import('./help-topics.js')).environmentTopic(),
  },
  {
    name: 'events',
    summary: 'what happens on a lab, by name',
    lines: async () => (await import('./help-topics.js')).eventsTopic(),
  },
]

/** The folders of the pages that the package brings along. */
const FOLDERS = ['docs', 'docs/reference', 'docs/maintainers'].map(
  folder => new URL(`../../../${folder}/`, import.meta.url),
)

/** The pages of docs/, each with its name in `oauth-lab help`. */
export function docPages(): ReadonlyMap<string, URL> {
  return new Map(
    FOLDERS.flatMap(folder =>
      readdirSync(folder)
        .filter(file => file.endsWith('.md'))
        .map((file): [string, URL] => [file.slice(0, -'.md'.length), new URL(file, folder)]),
    ),
  )
}

/** A page of docs/ as it is, in Markdown. */
export const docPage = (url: URL): string => readFileSync(url, 'utf8')
