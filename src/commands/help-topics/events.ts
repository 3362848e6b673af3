import { EVENT_MEANINGS } from '../../library/event-meanings.js'

/** `oauth-lab help events`. */
export function eventsTopic(): string[] {
  const names = Object.keys(EVENT_MEANINGS)
  const columns = Math.max(...names.map(name => name.length)) + 2
  return [
    'What happens on a lab: a line each with serve --plain, a JSON object each with serve --json, and what lab.events of the library tells. In the JSON, type comes first; at is the lab’s clock. Codes and tokens are cut in the middle, and secrets are in none.',
    '',
    ...Object.entries(EVENT_MEANINGS).map(([name, meaning]) => `  ${name.padEnd(columns)}${meaning}`),
    '',
    'Their members:  docs/events.md in the package',
  ]
}
