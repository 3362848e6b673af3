import type { Command } from 'commander'
import { type Globals, readGlobals } from './globals.js'

/** The action of a command, whose module is loaded when the command runs. */
export const lazily =
  <Given extends unknown[]>(load: () => Promise<(...given: Given) => Promise<void>>) =>
  async (...given: Given): Promise<void> =>
    (await load())(...given)

/** The same for a module whose function takes the options of every command last, and returns the exit code. */
export const lazilyExiting =
  <Given extends unknown[]>(load: () => Promise<(...given: [...Given, Globals]) => Promise<number>>) =>
  async (...given: [...Given, Command]): Promise<void> => {
    const globals = readGlobals(given.at(-1) as Command)
    const run = await load()
    process.exitCode = await run(...(given.slice(0, -1) as Given), globals)
  }
