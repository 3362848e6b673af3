import { option } from '../session/options/option.js'
import { argument, command } from './program/command.js'
import { everywhere } from './program/globals.js'

/** `oauth-lab explain`: the logins of a recording, and where they broke. */
export const explainCommand = command('explain', {
  description: 'find the logins in a recording of a browser, a proxy or a lab, and name where they broke',
  words: [argument('<file>', 'a HAR, or output of flow … --json or serve --json; - reads stdin')],
  options: [
    ...everywhere,
    option('--export <format>', 'write it in another form', { choices: ['mermaid', 'markdown'] }),
    option('--redact', 'write a copy without secrets, for -o: it shows the same mistakes'),
    option('-o, --output <file>', 'write the result into a file; with --redact, the copy'),
  ],
  help: `
Examples:
  oauth-lab explain login.har                                  a HAR of DevTools, mitmproxy, Charles or Proxyman
  cat login.har | oauth-lab explain -
  oauth-lab explain login.har --json | jq -r 'select(.type == "finding").text'
  oauth-lab explain login.har --export markdown -o login.md    for an issue; mermaid for the diagrams alone
  oauth-lab explain login.har --redact -o clean.har            a copy that can be given to support
  oauth-lab flow code --json | oauth-lab explain -
  oauth-lab explain lab.jsonl                                  the events of a lab: serve --json > lab.jsonl

Nothing is sent: the recording is judged by its own clock. A browser exports it from DevTools, tab Network, with
"Preserve log" on before the login; Chrome leaves cookies and tokens out unless it exports "with sensitive data".
A lab reports what it refused and why; it sees no checks of the client.

Exit codes:
  0  no fault was found
  1  a fault was found
  2  the file is no recording, or an option is wrong
`,
  run: async () => (await import('./explain/explain-run.js')).explainRecording,
})
