import { option } from '../session/options/option.js'
import { EXPORT_FORMATS } from '../session/options/table.js'
import type { PlayFlags } from './play/play-run.js'
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
  oauth-lab play run.jsonl --export html -o run.html        one page, which opens from the file
  oauth-lab flow code --json | oauth-lab play - --export mermaid
  oauth-lab serve --json > events.jsonl; oauth-lab play events.jsonl
  oauth-lab serve --json | oauth-lab play -
`,
  run: async () => play,
})

/** `oauth-lab explain`: the logins of a recording, and where they broke. */
export const explainCommand = command('explain', {
  description: 'explain a recording of logins, or any piece of one: an address, an error, a token, a log',
  words: [argument('<file>', 'a HAR, a recording, or a text that you paste; - reads stdin')],
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
  oauth-lab explain 'https://app.example/cb?error=access_denied&state=x'
  oauth-lab explain invalid_grant                              an error code alone, with its likeliest causes

Nothing is sent: the recording is judged by its own clock. A browser exports it from DevTools, tab Network, with
"Preserve log" on before the login; Chrome leaves cookies and tokens out unless it exports "with sensitive data".
A lab reports what it refused and why; it sees no checks of the client.

Exit codes:
  0  every login was seen to end well, or there is none
  1  a fault was found, or a login has no good end
  2  the text is nothing of OAuth, or an option is wrong
`,
  run: async () => (await import('./explain/explain-run.js')).explainRecording,
})

/** `oauth-lab record`: records the logins of a program. */
export const recordCommand = command('record', {
  description: 'record the OAuth exchanges of a Node.js program with all that it starts, or of a browser',
  words: [argument('[program...]', 'the program with its arguments, after --')],
  options: [
    ...everywhere,
    option(
      '--browser <url>',
      'open this address in Chromium, Chrome or Edge with a new profile, and record it',
    ),
    option('--headless', 'open the browser without a window'),
    option('-o, --output <file>', 'the recording (default: a new login.har here)'),
    option('--plain', 'print a line for each exchange on stderr (default)'),
  ],
  help: `
Examples:
  oauth-lab record -- node app.js                    a program, and all that it starts
  oauth-lab record -o login.har -- npm run dev       log in, then end it with Ctrl-C
  oauth-lab record --json -- npx next dev 2> lines   a line of JSON for each exchange, on stderr
  oauth-lab record --browser https://app.example     a login in a browser with a new profile
  oauth-lab record --browser http://localhost:3000 -- node app.js
  oauth-lab explain login.har

The program runs as it does without: its input and output, its exit code and signals are its own. The recording holds the
exchanges of OAuth, OpenID Connect and SAML that it sends with fetch, undici or node:http(s), and those that its servers
receive, with codes, tokens and secrets. Only you can read the file. Passwords and one-time codes are not kept.
A browser is recorded until its window is closed or Ctrl-C; with a program, the one that ends first ends the other.

Exit codes: those of the program; 0 when the window was closed; 128 and the number of the signal that ended it; 127 when it was not found
`,
  run: async () => (await import('./record/record-run.js')).runRecord,
})
