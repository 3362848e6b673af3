import { Command, Option } from 'commander'
import { EXPORT_FORMATS } from './flow/export-formats.js'
import type { PlayFlags } from './play/play-flags.js'
import { readGlobals, withGlobals } from './program/globals.js'

const examples = `
Examples:
  oauth-lab flow code --client demo --json > run.jsonl && oauth-lab play run.jsonl
  oauth-lab play run.jsonl --plain
  oauth-lab play run.jsonl --export markdown -o run.md
  oauth-lab play run.jsonl --export curl > replay.sh
  oauth-lab flow code --json | oauth-lab play - --export mermaid
  oauth-lab serve --json > events.jsonl; oauth-lab play events.jsonl
  oauth-lab serve --json | oauth-lab play -
`

async function play(file: string, flags: PlayFlags, command: Command): Promise<void> {
  const globals = readGlobals(command)
  const { isEventFile } = await import('../session/playback/source.js')
  if (await isEventFile(file)) {
    const { playEvents } = await import('./play/play-events.js')
    process.exitCode = await playEvents(file, flags, globals)
    return
  }
  const { playRecording } = await import('./play/play-run.js')
  process.exitCode = await playRecording(file, flags, globals)
}

/** `oauth-lab play`: a recorded run, without network. */
export function playCommand(): Command {
  return withGlobals(new Command('play'))
    .description('show a recorded flow, or the events of a lab, in the same screens; nothing is sent')
    .argument('<file>', 'output of flow … --json or serve --json; - reads stdin')
    .option('--plain', 'print one line for each step, to the end')
    .option('--screen-reader', 'print sentences; Enter shows the next step')
    .addOption(new Option('--export <format>', 'write the run in another form').choices(EXPORT_FORMATS))
    .option('-o, --output <file>', 'write the result into a file')
    .addHelpText('after', examples)
    .action(play)
}
