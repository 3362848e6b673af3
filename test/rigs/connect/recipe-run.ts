import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect } from 'vitest'
import type { Part } from '../../../src/commands/connect/recipes.js'
import {
  commandFolder,
  type Ended,
  run,
  runProgram,
  start,
  temporaryFolder,
  until,
} from '../../support/program.js'
import type { Serving } from '../../support/serve.js'

const here = (name: string) => join(import.meta.dirname, name)

/** A recipe as `connect TOOL --json` prints it. */
interface PrintedRecipe {
  readonly client: { readonly client_id: string; readonly registered: boolean }
  readonly parts: readonly Part[]
}

/** The recipe of a program for a lab, as users get it. */
export async function printedRecipe(lab: Serving, tool: string): Promise<PrintedRecipe> {
  const { code, stdout, stderr } = await runProgram(['connect', tool, '--json'], { env: lab.env })
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return JSON.parse(stdout) as PrintedRecipe
}

/** Opens addresses as the browser of alice, and returns the status and the page at which the last one ends. */
export async function browse(lab: Serving, ...urls: readonly string[]): Promise<string> {
  const env = { ...lab.env, NODE_EXTRA_CA_CERTS: lab.ready.ca }
  const { code, stdout, stderr } = await run(process.execPath, [here('browser.js'), ...urls], { env })
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return stdout
}

/** Makes a folder with the programs of another one and the command by which programs open a browser, which is that of alice. */
export function programsWithBrowser(
  lab: Serving,
  programs: string,
): { readonly path: string; readonly remove: () => void } {
  const folder = temporaryFolder()
  for (const name of readdirSync(programs)) symlinkSync(join(programs, name), join(folder.path, name))
  const browser = `NODE_EXTRA_CA_CERTS='${lab.ready.ca}' exec '${process.execPath}' '${here('browser.js')}' "$1" >&2`
  writeFileSync(join(folder.path, 'xdg-open'), `#!/bin/sh\n${browser}\n`, { mode: 0o755 })
  return folder
}

/** A program that runs by its recipe. */
export interface RecipeRun {
  /** The folder that the lines run in. */
  readonly folder: string
  stdout(): string
  stderr(): string
  readonly ended: Promise<Ended>
  stop(): Promise<void>
}

/** Options of a run. */
interface RunOptions {
  /** A folder of programs that come first in PATH. */
  readonly programs?: string
  readonly env?: Readonly<Record<string, string>>
  /** Files that the recipe takes for granted, by their names. */
  readonly files?: Readonly<Record<string, string>>
  /** The folder of a program that runs in its own; default a new one. */
  readonly cwd?: string
  /** Milliseconds after which the program is killed; default 60 s. */
  readonly limit?: number
}

/** Runs the lines of a recipe in a shell, in a folder of its own. Packages are those of test/rigs, so `install` is left out. */
export async function startRecipe(
  lab: Serving,
  tool: string,
  { programs, env = {}, files = {}, limit = 60_000, ...options }: RunOptions = {},
): Promise<RecipeRun> {
  const { parts } = await printedRecipe(lab, tool)
  const folder = temporaryFolder()
  const { cwd = join(folder.path, 'work') } = options
  if (options.cwd === undefined) {
    mkdirSync(cwd)
    symlinkSync(join(import.meta.dirname, '../node_modules'), join(cwd, 'node_modules'))
  }
  for (const [name, path] of Object.entries(files)) symlinkSync(path, join(cwd, name))
  for (const part of parts) {
    if (part.kind !== 'file') continue
    const file = join(cwd, part.file)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, `${part.lines.join('\n')}\n`)
  }
  const script = parts.flatMap(part => (part.kind === 'run' ? part.lines : [])).join('\n')
  const path = [...(programs === undefined ? [] : [programs]), commandFolder(folder.path), lab.env.PATH].join(
    ':',
  )
  const running = start(
    'bash',
    ['-c', `set -m\n(\n${script}\n) &\nset +m\ntrap 'kill -- -$!' TERM\nwait $!`],
    {
      env: { ...lab.env, ...env, PATH: path },
      cwd,
      limit,
    },
  )
  return {
    ...running,
    folder: join(folder.path, 'work'),
    stop: async () => {
      running.child.kill('SIGTERM')
      await running.ended
      folder.remove()
    },
  }
}

/** Waits until a program that runs by its recipe answers at an address. @throws Error with its output when it ends before */
export async function untilServed(running: RecipeRun, url: string, limit: number): Promise<void> {
  let ended = false
  void running.ended.then(() => {
    ended = true
  })
  const output = () => `it does not serve ${url}: ${running.stdout()}${running.stderr()}`
  const answer = async () => {
    if (ended) throw new Error(output())
    return fetch(url, { redirect: 'manual' }).catch(() => undefined)
  }
  await until(answer, output, limit)
}

/** Waits for the address that a program asks the person to open. */
function addressToOpen({ stdout, stderr }: RecipeRun): Promise<string> {
  return until(
    () => /\bOpen (https?:\S+)/.exec(stdout())?.[1],
    () => `it asks nobody to open an address: ${stdout()}${stderr()}`,
  )
}

/** Runs a recipe that logs a person in once and ends, and returns its output. */
export async function loggedIn(lab: Serving, tool: string, options?: RunOptions): Promise<string> {
  const running = await startRecipe(lab, tool, options)
  try {
    const page = await browse(lab, await addressToOpen(running))
    expect(page).toMatch(/^200 /)
    const { code, stdout, stderr } = await running.ended
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    return stdout
  } finally {
    await running.stop()
  }
}

/** Runs a recipe whose program serves pages, logs a person in there, and returns the status and the page at which the browser ends. */
export async function servedLogin(lab: Serving, tool: string, options?: RunOptions): Promise<string> {
  const running = await startRecipe(lab, tool, options)
  try {
    return await browse(lab, await addressToOpen(running))
  } finally {
    await running.stop()
  }
}
