import { EVENTS } from '../../../protocol/event-catalogue.js'
import { LINE_MEANINGS } from '../../output/json-lines.js'

/** `oauth-lab help events`. */
export function eventsTopic(): string[] {
  const names = Object.keys({ ...EVENTS, ...LINE_MEANINGS })
  const columns = Math.max(...names.map(name => name.length)) + 2
  const row = (name: string, meaning: string): string => `  ${name.padEnd(columns)}${meaning}`
  return [
    'What happens on a lab: a line each with serve --plain, a JSON object each with serve --json, and an object each in lab.events of the library. In the JSON, type comes first; at is the lab’s clock. Codes and tokens are cut in the middle, and secrets are in none.',
    '',
    ...Object.entries(EVENTS).map(([name, [meaning]]) => row(name, meaning)),
    '',
    'Lines of --json that are of one command, and no event of a lab:',
    '',
    ...Object.entries(LINE_MEANINGS).map(([name, meaning]) => row(name, meaning)),
    '',
    'Their members:  docs/events.md in the package',
  ]
}
