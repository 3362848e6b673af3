import type { Command } from 'commander'
import { wordList } from '../program/list-options.js'

/** Adds the options that switch defences off on purpose. */
export function withWeakOptions(command: Command): Command {
  return command
    .option(
      '--weak <modes>',
      'INSECURE: switch defences off on purpose, by name (weak list); repeat it or use commas',
      wordList,
    )
    .option('--weak-anywhere', 'allow weak modes with a --host that other machines reach')
}
