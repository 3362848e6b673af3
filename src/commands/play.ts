import { Command, Option } from 'commander'
import { EXPORT_FORMATS, type ExportFormat } from './export-formats.js'
import { readGlobals, withGlobals } from './globals.js'

/** Options of `play`. */
export interface PlayFlags {
  readonly plain?: true
  readonly screenReader?: true
  readonly export?: ExportFormat
  readonly output?: string
}

const examples = `
Examples:
  oauth-lab flow code --client demo --json > run.jsonl && oauth-lab play run.jsonl
  oauth-lab play run.jsonl --plain
  oauth-lab play run.jsonl --export markdown -o run.md
  oauth-lab play run.jsonl --export curl > replay.sh
  oauth-lab flow code --json | oauth-lab play - --export mermaid
`

async function play(file: string, flags: PlayFlags, command: Command): Promise<void> {
  const { playRecording } = await import('./play-run.js')
  process.exitCode = await playRecording(file, flags, readGlobals(command))
}

/** `oauth-lab play`: a recorded run, without network. */
export function playCommand(): Command {
  return withGlobals(new Command('play'))
    .description('show a recorded flow in the same screens, or write it in another form; nothing is sent')
    .argument('<file>', 'what flow … --json wrote; - reads stdin')
    .option('--plain', 'one line a step, to the end')
    .option('--screen-reader', 'sentences, one step for each Enter')
    .addOption(new Option('--export <format>', 'write the run in another form').choices(EXPORT_FORMATS))
    .option('-o, --output <file>', 'write the result into a file')
    .addHelpText('after', examples)
    .action(play)
}
