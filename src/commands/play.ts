import { option } from '../session/options/option.js'
import { EXPORT_FORMATS } from '../session/options/table.js'
import type { PlayFlags } from './play/play-flags.js'
import { argument, command } from './program/command.js'
import { everywhere, type Globals } from './program/globals.js'

async function play(file: string, flags: PlayFlags, globals: Globals): Promise<number> {
  const { isEventFile } = await import('../session/playback/source.js')
  if (await isEventFile(file)) return (await import('./play/play-events.js')).playEvents(file, flags, globals)
  return (await import('./play/play-run.js')).playRecording(file, flags, globals)
}

/** `oauth-lab play`: a recorded run, without network. */
export const playCommand = command('play', {
  description: 'show a recorded flow, or the events of a lab, in the same screens; nothing is sent',
  words: [argument('<file>', 'output of flow … --json or serve --json; - reads stdin')],
  options: [
    ...everywhere,
    option('--plain', 'print one line for each step, to the end'),
    option('--screen-reader', 'print sentences; Enter shows the next step'),
    option('--export <format>', 'write the run in another form', { choices: EXPORT_FORMATS }),
    option('-o, --output <file>', 'write the result into a file'),
  ],
  help: `
Examples:
  oauth-lab flow code --client demo --json > run.jsonl && oauth-lab play run.jsonl
  oauth-lab play run.jsonl --plain
  oauth-lab play run.jsonl --export markdown -o run.md
  oauth-lab play run.jsonl --export curl > replay.sh
  oauth-lab flow code --json | oauth-lab play - --export mermaid
  oauth-lab serve --json > events.jsonl; oauth-lab play events.jsonl
  oauth-lab serve --json | oauth-lab play -
`,
  run: async () => play,
})
